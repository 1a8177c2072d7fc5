/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_selftest.h - the same header on the customer's board: does it compute there what it should?   >>selftest

   What it does   nnrt_selftest() tries the main operators with every instruction set of the processor, plans and
                  arenas, and times three products: one page of text, to be pasted into a bug report
   Turn it on     #define NNRT_SELFTEST before nnrt.h, everywhere: the function is declared where it is defined. It adds
                  some ten KB of code and needs the CPU device with its compiler of graphs
   Guide          docs/selftest.md, examples/selftest.c, `nnrt selftest`

   Rooms   selftest/api.h     >>selftest_api     the function
           selftest/graph.h   >>selftest_graph   a model of one operator by the calls of the API
           selftest/cases.h   >>selftest_cases   what is tried, and what has to come out
           selftest/run.h     >>selftest_run     the page
           selftest/none.h    >>selftest_none    in its place where no graph can be compiled */
#ifndef NNRT_SELFTEST_H
#define NNRT_SELFTEST_H

#if defined(NNRT__HAS_CPU) && !defined(NNRT_PLANS_ONLY)
#include "selftest/run.h"
#else
#include "selftest/none.h"
#endif

#endif /* NNRT_SELFTEST_H */
