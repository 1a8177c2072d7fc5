/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - what prove.py looks at for the check of plans, and for the arithmetic of sizes below it. */
#include "prove.h"

#include "cpu/plan_load.h"
