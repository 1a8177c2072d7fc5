/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/fp_contract.h - a region in which a * b + c rounds twice, whatever the user's flags say.

   Left alone, GCC fuses under -std=gnu99 and not under -std=c99, and clang fuses under both. A scalar float
   kernel is the definition, so it stands between BEGIN and END: the same source gives the same bytes. END
   restores what was before (clang: the command line's choice), so the user's code after the include is
   compiled as without us. Kernels that want fused operations ask for them by name and state an error bound.
   Out of reach: -ffast-math, clang's -ffp-contract=fast, and x87 arithmetic (FLT_EVAL_METHOD 2), which stay
   within the bounds only. */
#ifndef NNRT_KERNELS_FP_CONTRACT_H
#define NNRT_KERNELS_FP_CONTRACT_H

#if defined(__clang__)
#define NNRT__FP_CONTRACT_OFF_BEGIN _Pragma("STDC FP_CONTRACT OFF")
#define NNRT__FP_CONTRACT_OFF_END _Pragma("STDC FP_CONTRACT DEFAULT")
#elif defined(__GNUC__)
#define NNRT__FP_CONTRACT_OFF_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"fp-contract=off\")")
#define NNRT__FP_CONTRACT_OFF_END _Pragma("GCC pop_options")
#else
#define NNRT__FP_CONTRACT_OFF_BEGIN
#define NNRT__FP_CONTRACT_OFF_END
#endif

#endif /* NNRT_KERNELS_FP_CONTRACT_H */
