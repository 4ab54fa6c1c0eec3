// A durable job queue to compare with: graphile-worker at its best settings. Workers are idle and
// listening before the clock starts; it runs from the first enqueueing to an empty table. Jobs do
// nothing and are added a thousand at a time by two feeders.
//
//   NODE_PATH=…/node_modules DATABASE_URL=… JOBS=60000 WORKERS=2 node graphile.cjs
'use strict';
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { run, makeWorkerUtils, Logger } = require('graphile-worker');
const { Pool } = require('pg');

const jobCount = Number(process.env.JOBS || 60000);
const workerCount = Number(process.env.WORKERS || 2);
const concurrentJobs = Number(process.env.CONCURRENCY || 24);
const queueSize = Number(process.env.LOCAL_QUEUE || 500);
const addSize = 1000;
const feeders = 2;
const payload = 'x'.repeat(150);
const logger = new Logger(() => () => {});
const connectionString = process.env.DATABASE_URL;
const pgPool = new Pool({ connectionString, max: 10 });
pgPool.on('error', () => {});
pgPool.on('connect', (client) => client.on('error', () => {}));

async function work() {
  const preset = {
    worker: {
      connectionString,
      concurrentJobs,
      pollInterval: 2000,
      logger,
      localQueue: { size: queueSize },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  };
  const runner = await run({
    preset,
    pgPool,
    logger,
    noHandleSignals: true,
    taskList: { noop: async () => {} },
  });
  process.on('message', async () => {
    await runner.stop();
    process.exit(0);
  });
  process.send('ready');
}

async function feed(utils, state) {
  while (state.added < jobCount) {
    const first = state.added;
    const count = Math.min(addSize, jobCount - first);
    state.added += count;
    const jobs = [];
    for (let i = 0; i < count; i += 1) {
      jobs.push({ identifier: 'noop', payload: { id: first + i, payload } });
    }
    await utils.addJobs(jobs);
  }
}

async function untilEmpty() {
  for (;;) {
    const { rows } = await pgPool.query(
      'select exists (select from graphile_worker._private_jobs) as waiting');
    if (!rows[0].waiting) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function measure() {
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  await pgPool.query('truncate graphile_worker._private_jobs');
  const workers = [];
  for (let i = 0; i < workerCount; i += 1) {
    const worker = fork(__filename, [], { env: { ...process.env, IS_WORKER: '1' } });
    await once(worker, 'message');
    workers.push(worker);
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  const start = process.hrtime.bigint();
  const state = { added: 0 };
  await Promise.all(Array.from({ length: feeders }, () => feed(utils, state)));
  await untilEmpty();
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  for (const worker of workers) {
    worker.send('stop');
    await once(worker, 'exit');
  }
  console.log(`peer=graphile-worker jobs=${jobCount} workers=${workerCount} ` +
    `concurrency=${concurrentJobs} local_queue=${queueSize} ` +
    `jobs_per_s=${(jobCount / seconds).toFixed(0)}`);
  await utils.release();
  process.exit(0);
}

(process.env.IS_WORKER ? work() : measure()).catch((error) => {
  console.error(error);
  process.exit(1);
});
