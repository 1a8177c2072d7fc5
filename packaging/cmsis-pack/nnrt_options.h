/* SPDX-License-Identifier: Apache-2.0 */
/* Options of nnrt for this program, ">>config" in nnrt.h. For flash that is short, with a plan of `nnrt compile --c`:
       #define NNRT_PLANS_ONLY
       #define NNRT_STEPS(X) ...    what the header of the plan says
       #define NNRT_NO_SENTENCES */
#ifndef NNRT_OPTIONS_H
#define NNRT_OPTIONS_H
#endif
