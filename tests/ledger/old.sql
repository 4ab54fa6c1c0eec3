-- What a broker left behind whose schema had version 9: one task is done, one is under a commitment of
-- `kiln` that was acknowledged, one has an open round that nobody was invited to. Its data alone, made by
-- pg_dump; tests/system/test_upgrade.py makes the schema of the time around it.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
COPY tender_ledger.account (issued_micro, available_micro, reserved_micro, spent_micro, earned_micro, shard, principal) FROM stdin;
0	0	0	0	8000000	0	mills
100000000	73000000	19000000	8000000	0	0	acme
\.
COPY tender_ledger.commitment (awarded_at, due_at, acknowledged_at, ended_at, price_micro, paid_micro, fee_micro, units, units_done, generation, round, part, shard, state, reason, task_id, owner, principal) FROM stdin;
2026-11-30 16:48:14.235621+00	2026-11-30 16:48:16.235621+00	2026-11-30 16:48:14.239249+00	2026-11-30 16:48:14.240982+00	8000000	8000000	0	2	2	1	1	0	0	3	60	01a22d5b-61b3-7000-a16b-efcc90f73761	mill	mills
\.
COPY tender_ledger.contractor (enrolled_at, departed_at, number, slots, shard, departed_reason, contractor, principal, skills) FROM stdin;
2026-11-30 16:48:11.739544+00	\N	3	4	0	0	kiln	kilns	{forge.old}
2026-11-30 16:48:11.739544+00	2026-11-30 16:48:14.250683+00	2	1	0	27	mill	mills	{mill.old}
\.
COPY tender_ledger.entry_row (at, next_at, number, shard, kind, next_kind, task_id, hash, next_hash, body, next_body, content, next_content) FROM stdin;
2026-11-30 16:48:11.712605+00	\N	1	0	22	\N	00000000-0000-0000-0000-000000000000	\\xa59aff79e7106f366150a3220446dcc9a1fb9d8fa2ad076fc87072d105b91e96	\N	{"principal":"acme","amount_micro":100000000,"by":"postgres"}	\N	\N	\N
2026-11-30 16:48:11.739544+00	2026-11-30 16:48:11.739544+00	2	0	20	20	00000000-0000-0000-0000-000000000000	\\xc687b7984ed7ca14fbfedf6bcc84f1f6bbc779aa0dc2235354d528dd4d24a128	\\xb4c3fd447cc6eafca0e35e0a4fdbfbabc83c37f40573295b6176056de75271f1	{"contractor":"mill","principal":"mills","slots":1,"skills":["mill.old"]}	{"contractor":"kiln","principal":"kilns","slots":4,"skills":["forge.old"]}	\N	\N
2026-11-30 16:48:13.235226+00	2026-11-30 16:48:13.235226+00	1	0	1	2	01a22d5b-61b3-7000-a16b-efcc90f73761	\\xd0d85b017a84f955f537cb634e53f1d0cfa1dea25ab22e42800136c3991b61a8	\\xf1492e08905a3a3d688c7fcba7b0ceb5c76176e6bac57528472ecf06fcb2066c	{"client":"cli-8ff72f6462923a7a","principal":"acme","key":"old-done","body_digest":"544ffb0c35016b397f30246875d8cb953f156744c6f51c399c332d63f3b62117","skill":"mill.old","units":2,"ceiling_micro":8000000,"window_us":1000000,"due_us":600000000,"deadline_at_us":1796059129235226,"rounds":3,"backoff_us":1000000,"ack_us":10000000,"partial":"pro_rata","kill_fee_ppm":100000,"fallback":"unallocated"}	{"round":1,"head":"d0d85b017a84f955f537cb634e53f1d0cfa1dea25ab22e42800136c3991b61a8","units":2,"ceiling_micro":8000000,"closes_at_us":1796057294235226,"due_us":600000000}	\N	\N
2026-11-30 16:48:13.235525+00	\N	3	0	3	\N	01a22d5b-61b3-7000-a16b-efcc90f73761	\\x001c92549d4a2d4b727fb9ae71549151335f51141577ad368e7a94ad33dbd66d	\N	{"round":1,"answers":[{"contractor":"mill","principal":"mills","state":"standing","cost_micro":2000000,"eta_us":2000000}]}	\N	\N	\N
2026-11-30 16:48:14.235621+00	\N	4	0	4	\N	01a22d5b-61b3-7000-a16b-efcc90f73761	\\x4e80a1ea27e813703c2de71d644cacffd8f14516b30521d7aba787cb56cfc10b	\N	{"round":1,"generation":1,"contractor":"mill","principal":"mills","cost_micro":2000000,"price_micro":8000000,"units":2,"due_at_us":1796057296235621,"ack_by_us":1796057296235621,"invited":1,"ranks":[{"contractor":"mill","state":"won","reason":"lowest-cost","rank":1}]}	\N	\N	\N
2026-11-30 16:48:14.239249+00	\N	5	0	6	\N	01a22d5b-61b3-7000-a16b-efcc90f73761	\\x5c439592d2611ab8b5faba9fab955232717faa2bb40362a6e245823da65e1b3b	\N	{"generation":1}	\N	\N	\N
2026-11-30 16:48:14.240982+00	\N	6	0	8	\N	01a22d5b-61b3-7000-a16b-efcc90f73761	\\xd01fe182541ab7c591eeb45ff509e03e8eeb48314bbe46194fc74a4f6ac7a864	\N	{"generation":1,"contractor":"mill","principal":"mills","state":"fulfilled","reason":"completed","units_done":2,"paid_micro":8000000,"task_state":"done","task_reason":"completed","content_size":5,"content_digest":"d117fa006ba9208500b2930ce69cbde436c647afa917cb7396a9bc9111a46dd2"}	\N	\\x646f6e650a	\N
2026-11-30 16:48:14.250683+00	\N	4	0	21	\N	00000000-0000-0000-0000-000000000000	\\xaa85e3b54be9381a05d600ea552c60e3080aef871f9bdcf1c2c05c357f819c64	\N	{"contractor":"mill","reason":"not-connected"}	\N	\N	\N
2026-11-30 16:48:14.265702+00	2026-11-30 16:48:14.265702+00	1	0	1	2	01a22d5b-65b9-7000-9fa7-58a0d79c1f4a	\\xc6b68aede3ccd34dae282de5f0932d57392f97e38281cfe0d3b42ee36bf069fc	\\xc5bf273b6fc39b367ce1b3a0ccdf1d674368e18dbe05422207dea50510fa041f	{"client":"cli-a746f99454abeeea","principal":"acme","key":"old-awarded","body_digest":"1fe93dddec7d8857afa7226817ace6d7cbead3053889a3a922a7502a61a28145","skill":"forge.old","units":3,"ceiling_micro":9000000,"window_us":1000000,"due_us":259200000000000,"deadline_at_us":4070908800000000,"rounds":3,"backoff_us":1000000,"ack_us":10000000,"partial":"pro_rata","kill_fee_ppm":100000,"close_alone":1,"fallback":"unallocated"}	{"round":1,"head":"c6b68aede3ccd34dae282de5f0932d57392f97e38281cfe0d3b42ee36bf069fc","units":3,"ceiling_micro":9000000,"closes_at_us":1796057295265702,"due_us":259200000000000}	\N	\N
2026-11-30 16:48:14.266139+00	2026-11-30 16:48:14.266139+00	3	0	3	4	01a22d5b-65b9-7000-9fa7-58a0d79c1f4a	\\xbdd66860b731c12aa2b42c18f46eb1c1f46b2524184f823a16fde4cc88f8783a	\\x19b28837c49f6218a18e9c4048138c61247b1961cfd02f5b18201bb16cd3cf31	{"round":1,"answers":[{"contractor":"kiln","principal":"kilns","state":"standing","cost_micro":3000000,"eta_us":3000000}]}	{"round":1,"generation":1,"contractor":"kiln","principal":"kilns","cost_micro":3000000,"price_micro":9000000,"units":3,"due_at_us":1796057297266139,"ack_by_us":1796057297266139,"invited":1,"ranks":[{"contractor":"kiln","state":"won","reason":"lowest-cost","rank":1}]}	\N	\N
2026-11-30 16:48:14.283964+00	2026-11-30 16:48:14.283964+00	1	0	1	2	01a22d5b-65cb-7000-843d-9e507baed924	\\x2a70872700f58fe4437b08c980417d472319b38d35e8da093b251bad0c3ec09d	\\x32b31d7ad8051bbe7c163c64c9ca3f6358a6dc9acfab60041d2b780489420c00	{"client":"cli-659df1641db28e4f","principal":"acme","key":"old-open","body_digest":"f5983f19b8c8bb8bf53623a41c0c1dc238ac93ec85b4f66d7e49a46ba56c877a","skill":"nobody.old","units":4,"ceiling_micro":10000000,"window_us":10000000,"due_us":259200000000000,"deadline_at_us":4070908800000000,"rounds":3,"backoff_us":1000000,"ack_us":10000000,"partial":"pro_rata","kill_fee_ppm":100000,"fallback":"unallocated","content_size":22,"content_digest":"91d357c37c4b1c0a56754bd50c9a8fd2d820edaa3dd0ae55984814a0e951833e"}	{"round":1,"head":"2a70872700f58fe4437b08c980417d472319b38d35e8da093b251bad0c3ec09d","units":4,"ceiling_micro":10000000,"closes_at_us":1796057304283964,"due_us":259200000000000}	\\x666f757220756e697473206f66206f6c6420776f726b	\N
2026-11-30 16:48:14.285474+00	\N	5	0	6	\N	01a22d5b-65b9-7000-9fa7-58a0d79c1f4a	\\xecba2834a4d178804880dc7e60c4ea70b0c46ef7fe7ff3a64b189535a4d524f6	\N	{"generation":1}	\N	\N	\N
\.
COPY tender_ledger.inbox (request, asked_at, answered_at, shard, is_operator, kind, peer, principal, key, body, answer) FROM stdin;
1	2026-11-30 16:48:11.711627+00	2026-11-30 16:48:11.720214+00	0	t	fund	postgres	acme	\N	{"amount_micro": 100000000}	{"performative": "agree"}
\.
COPY tender_ledger.migration (version, name, checksum, applied_at) FROM stdin;
1	0001_schemas.sql	0ac234f17ff69be3cded1a2cfae8c5f1f3f510a9b050ba24c98ed2000fc4d0c4	2026-11-30 16:48:10.523708+00
2	0002_word.sql	434901000109359020a0913bc89402d1def7dd31cee6c6b50663a372d1d537a1	2026-11-30 16:48:10.530358+00
3	0003_entry.sql	108fd054e9f804f1f989cdb01e68b89a3c14bbf22d3f16d2af5623a43725ed7c	2026-11-30 16:48:10.5404+00
4	0004_reign.sql	5e053cdce24a7ba8e3f5ad89f1db4c1b121088ce46efcf9df592d3407beb5c1b	2026-11-30 16:48:10.545726+00
5	0005_account.sql	35ceb40b88c0baafcb61b02474ec41bafe27fb24a3bb0a6d9719a6a7b9330404	2026-11-30 16:48:10.555794+00
6	0006_task.sql	f7c6467bfa25c3f76cdbc02b73bf8e304c930e6fbeb2df1c119bf8b06a03c5d7	2026-11-30 16:48:10.5663+00
7	0007_commitment.sql	fe9bf39546f592c2809ec906a86fe33743c95a632f76e99fce776d07be79bb33	2026-11-30 16:48:10.579524+00
8	0008_roster.sql	dd86ba41a43aeed9fd94cd451cf19cbe302a84513d721e409c1a7e83c035fbeb	2026-11-30 16:48:10.588166+00
9	0009_inbox.sql	4e7ca4054710fd48751f297f1cd9a77ccb73e0c219326cf5d34d073accfe95e7	2026-11-30 16:48:10.597792+00
0	functions and views	6d888a8dfa6acfa3c70c5672aa992803bec7625702d3046bd2f3b737c670b70d	2026-11-30 16:48:10.646313+00
\.
COPY tender_ledger.open_part (awarded_at, due_at, acknowledged_at, price_micro, ceiling_micro, paid_micro, units, units_done, promised_units, promised_units_done, generation, awarded_round, round, part, shard, state, reason, promise_state, task_id, payer, owner, principal) FROM stdin;
\N	\N	\N	\N	10000000	0	4	0	\N	\N	\N	\N	1	0	0	2	0	\N	01a22d5b-65cb-7000-843d-9e507baed924	acme	\N	\N
2026-11-30 16:48:14.266139+00	2026-11-30 16:48:17.266139+00	2026-11-30 16:48:14.285474+00	9000000	9000000	0	3	0	3	0	1	1	1	0	0	2	0	1	01a22d5b-65b9-7000-9fa7-58a0d79c1f4a	acme	kiln	kilns
\.
COPY tender_ledger.recess (from_at, until_at, number, shard) FROM stdin;
\.
COPY tender_ledger.reign (stamp_at, reign, batch, backend_pid, shard, broker) FROM stdin;
2026-11-30 16:48:16.286587+00	1	15	15791	0	tender
\.
COPY tender_ledger.task (announced_at, ceiling_micro, units, shard, partial, task_id, again, client, principal, skill, key, body_digest) FROM stdin;
2026-11-30 16:48:13.235226+00	8000000	2	0	1	01a22d5b-61b3-7000-a16b-efcc90f73761	\N	cli-8ff72f6462923a7a	acme	mill.old	old-done	\\x544ffb0c35016b397f30246875d8cb953f156744c6f51c399c332d63f3b62117
2026-11-30 16:48:14.265702+00	9000000	3	0	1	01a22d5b-65b9-7000-9fa7-58a0d79c1f4a	\N	cli-a746f99454abeeea	acme	forge.old	old-awarded	\\x1fe93dddec7d8857afa7226817ace6d7cbead3053889a3a922a7502a61a28145
2026-11-30 16:48:14.283964+00	10000000	4	0	1	01a22d5b-65cb-7000-843d-9e507baed924	\N	cli-659df1641db28e4f	acme	nobody.old	old-open	\\xf5983f19b8c8bb8bf53623a41c0c1dc238ac93ec85b4f66d7e49a46ba56c877a
\.
COPY tender_ledger.task_end (ended_at, ceiling_micro, paid_micro, released_micro, units, units_done, round, shard, state, reason, task_id) FROM stdin;
2026-11-30 16:48:14.240982+00	8000000	8000000	0	2	2	1	0	6	60	01a22d5b-61b3-7000-a16b-efcc90f73761
\.
COPY tender_ledger.transfer (at, amount_micro, number, generation, shard, task_id, from_principal, from_bucket, to_principal, to_bucket) FROM stdin;
2026-11-30 16:48:11.712605+00	100000000	1	\N	0	00000000-0000-0000-0000-000000000000	acme	issued	acme	available
\.
COPY tender_ledger.word (vocabulary, code, name, meaning, is_terminal) FROM stdin;
task_state	1	blocked	state of a task	f
task_state	2	open	state of a task	f
task_state	3	awarded	state of a task	f
task_state	4	delivered	state of a task	f
task_state	5	held	state of a task	f
task_state	6	done	state of a task	t
task_state	7	unallocated	state of a task	t
task_state	8	cancelled	state of a task	t
commitment_state	1	active	state of a commitment	f
commitment_state	2	delivered	state of a commitment	f
commitment_state	3	fulfilled	state of a commitment	t
commitment_state	4	failed	state of a commitment	t
commitment_state	5	lapsed	state of a commitment	t
commitment_state	6	declined	state of a commitment	t
commitment_state	7	cancelled	state of a commitment	t
bid_state	1	standing	state of a bid	f
bid_state	2	won	state of a bid	t
bid_state	3	lost	state of a bid	t
bid_state	4	ineligible	state of a bid	t
bid_state	5	withdrawn	state of a bid	t
bid_state	6	refused	state of a bid	t
reason	0	none	no reason	f
reason	10	lowest-cost	ranked first among the eligible bids	f
reason	11	outbid	another principal's bid ranked better	f
reason	12	same-principal	another bid of the same principal counts	f
reason	13	late	came after the close	f
reason	14	cost-malformed	cost is not an integer of micro-credits	f
reason	15	cost-negative	cost is below zero	f
reason	16	above-ceiling	cost is above the ceiling of the round	f
reason	17	eta-malformed	eta is not an integer of microseconds	f
reason	18	eta-not-positive	eta is not above zero	f
reason	19	eta-beyond-due	eta is later than the due of the round	f
reason	20	validity-too-short	the bid ends before close and acknowledgement	f
reason	21	wrong-round	the bid names a round that is not open	f
reason	22	wrong-digest	the bid answers other terms than recorded	f
reason	23	not-invited	the contractor was not invited	f
reason	24	no-slot	no free slot at close	f
reason	25	excluded	the principal failed, lapsed or declined this task before	f
reason	26	own-task	the principal is the client's own	f
reason	27	not-connected	the session was not alive at close	f
reason	28	already-answered	the first answer is final	f
reason	29	withdrawn	taken back by its bidder before close	f
reason	30	passed-over	could no longer take the award when its turn came	f
reason	31	round-cancelled	the round ended without a decision	f
reason	32	no-eligible-bid	the round closed without an eligible bid	f
reason	40	over-capacity	no room for more work	f
reason	41	not-interested	does not want this task	f
reason	42	cannot-meet-due	could not finish in time	f
reason	43	too-little-pay	cost is above the ceiling	f
reason	44	unable	cannot do this work	f
reason	45	quality-check	the work failed its quality check	f
reason	46	resource-lost	something the work needs is gone	f
reason	47	internal-error	the contractor's program failed	f
reason	48	other	see the text	f
reason	60	completed	all units were delivered	f
reason	61	contractor-failed	the owner reported failure	f
reason	62	declined	the owner gave the award back before starting	f
reason	63	not-acknowledged	the owner did not take the award in time	f
reason	64	due-passed	the due time passed	f
reason	65	heartbeat-missed	the owner was not heard for three of its heartbeats	f
reason	66	cancelled-by-client	the client withdrew the task	f
reason	67	cancelled-by-operator	an operator withdrew the task	f
reason	68	rounds-exhausted	every round ended without completion	f
reason	69	deadline-passed	the task's deadline passed	f
reason	70	nobody-left	only principals that are out of the task could be invited	f
reason	71	held-by-fallback	the rounds are used up; a person decides	f
reason	72	fallback-declined	the fallback contractor did not take the task	f
reason	80	unknown-session	the broker does not know this session; say hello	f
reason	81	unknown-task	no such task	f
reason	82	conflict	the key was used with another body	f
reason	83	insufficient-funds	the account has less available than the ceiling	f
reason	84	limit-reached	a limit of the broker is reached; try later	f
reason	85	malformed	a field is missing or of the wrong type	f
reason	86	out-of-range	a field is outside its range	f
reason	87	not-yours	it belongs to another party	f
reason	88	already-ended	it has ended	f
reason	89	stale-generation	the award named is not the current one	f
reason	90	too-many-units	more units than the commitment has	f
reason	91	fewer-units	units are cumulative and do not fall	f
reason	92	answers-outstanding	an invited contractor has not answered and the window runs	f
reason	93	not-held	the task is not held	f
reason	94	not-open	the task has no open round	f
reason	95	name-taken	the name is in use by another principal	f
reason	96	unknown-performative	the performative is not known here	f
reason	97	version	the protocol version is not spoken here	f
reason	98	going-down	the broker is shutting down	f
reason	99	not-newest	`again` must name the newest task under the key	f
partial	1	pro_rata	pays the share of the price that the accepted units are	f
partial	2	cover	pays, when the rest has ended, at most price less the cost of the rest	f
partial	3	none	pays nothing and announces all units again	f
fallback	1	unallocated	the task ends and its reservation is released	f
fallback	2	hold	the task waits for a person	f
fallback	3	contractor	a named contractor is offered the rest at its ceiling	f
entry_kind	1	announced	task: a client's terms, and their reservation	f
entry_kind	2	opened	task: a round and its cfp	f
entry_kind	3	answered	task: bids, refusals and withdrawals, as heard	f
entry_kind	4	awarded	task: a commitment; with the ranking when it closes a round	f
entry_kind	5	closed	task: a round that closed without a winner, with its ranking	f
entry_kind	6	acknowledged	task: the owner's program took the award	f
entry_kind	7	progressed	task: cumulative units and their result	f
entry_kind	8	settled	task: a commitment ended, and what it was paid	f
entry_kind	9	covered	task: what a `cover` commitment is paid after the rest ended	f
entry_kind	10	late	task: a report against an award that was over	f
entry_kind	11	held	task: waits for a person	f
entry_kind	12	released	task: goes on after it was held	f
entry_kind	13	ended	task: the end, and what its reservation released	f
entry_kind	20	enrolled	house: a contractor offers skills and slots	f
entry_kind	21	departed	house: a contractor was not heard or said bye	f
entry_kind	22	funded	house: money put into an account, or taken out	f
entry_kind	23	recess	house: a time in which no broker listened	f
entry_kind	24	reigned	house: a broker began to reign	f
entry_kind	30	balance	recall only: an account's balances	f
\.
SELECT pg_catalog.setval('tender_ledger.inbox_request_seq', 1, true);
