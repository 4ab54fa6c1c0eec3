/*
 * Processor time that processes have used, from /proc.
 */
#ifndef TENDER_TESTS_BENCH_PROCESSOR_H
#define TENDER_TESTS_BENCH_PROCESSOR_H

/* Seconds, in user and system mode, of a process with its ended children; 0 for pid 0. */
double processor_of(int pid);
/* The same of a process and of all its living children: a postmaster and its backends. */
double processor_of_family(int pid);
/* The same of this process. */
double processor_of_self(void);

#endif
