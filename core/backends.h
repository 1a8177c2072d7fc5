/* SPDX-License-Identifier: Apache-2.0 */
/* core/backends.h - which of the backends that ship with nnrt are compiled in.   >>backends

   An empty value and 1 ask for a backend, 0 does not. No include guard: a file may include nnrt.h through another
   header before it asks for a backend. */
#ifndef NNRT_NO_CPU
#define NNRT__HAS_CPU 1
#endif
#if defined(NNRT_BACKEND_RKNPU) && (1 - NNRT_BACKEND_RKNPU - 1) != 0
#define NNRT__HAS_RKNPU 1
#endif
#if defined(NNRT_BACKEND_RKNPU_OPEN) && (1 - NNRT_BACKEND_RKNPU_OPEN - 1) != 0
#define NNRT__HAS_RKNPU_OPEN 1
#endif
#if defined(NNRT__HAS_RKNPU_OPEN)
#define NNRT__HAS_ACCELERATOR 1 /* the CPU device runs the rest of its models */
#endif
#if defined(NNRT_DSP) && (1 - NNRT_DSP - 1) != 0
#define NNRT__HAS_DSP 1
#endif
#if (defined(NNRT_BACKEND_NNIE) && (1 - NNRT_BACKEND_NNIE - 1) != 0) || defined(NNRT__HAS_DSP)
#define NNRT__HAS_NNIE 1 /* the DSP uses rooms of the NNIE */
#endif
#if defined(NNRT_BACKEND_BPU) && (1 - NNRT_BACKEND_BPU - 1) != 0
#define NNRT__HAS_BPU 1
#endif
/* A device with an NPU. */
#if defined(NNRT__HAS_RKNPU) || defined(NNRT__HAS_NNIE) || defined(NNRT__HAS_BPU)
#define NNRT__HAS_NPU 1
#endif
/* A device that checks which board this is. */
#if defined(NNRT__HAS_NPU) || defined(NNRT__HAS_RKNPU_OPEN)
#define NNRT__HAS_BOARD 1
#endif
#if defined(NNRT__HAS_BOARD) && defined(NNRT_NO_STDIO) && defined(NNRT_IMPLEMENTATION)
#error "nnrt: a device with an NPU needs the files and descriptors of Linux, which NNRT_NO_STDIO leaves out: choose one"
#endif
#if defined(NNRT_GROUPS) && (1 - NNRT_GROUPS - 1) != 0
#define NNRT__HAS_GROUPS 1 /* no backend: it is above the API */
#endif
#if defined(NNRT_SELFTEST) && (1 - NNRT_SELFTEST - 1) != 0
#define NNRT__HAS_SELFTEST 1
#endif
/* A vendor's library is opened while the program runs. */
#if (defined(NNRT__HAS_RKNPU) && !defined(NNRT_RKNPU_LINK)) || \
    (defined(NNRT__HAS_NNIE) && !defined(NNRT_NNIE_LINK)) || (defined(NNRT__HAS_BPU) && !defined(NNRT_BPU_LINK))
#define NNRT__HAS_DLOPEN 1
#endif
/* NNIE leaves layers of detectors to the CPU. */
#if (defined(NNRT_DETECTION) && (1 - NNRT_DETECTION - 1) != 0) || defined(NNRT__HAS_NNIE)
#define NNRT__HAS_DETECTION 1
#endif
#if defined(NNRT_IMAGE) && (1 - NNRT_IMAGE - 1) != 0
#define NNRT__HAS_IMAGE 1
#endif
#if defined(NNRT__HAS_RKNPU_OPEN) && defined(NNRT_NO_CPU) && defined(NNRT_IMPLEMENTATION)
#error "nnrt: NNRT_BACKEND_RKNPU_OPEN needs the CPU device, which NNRT_NO_CPU leaves out: choose one"
#endif
#if defined(NNRT_ONE_DEVICE) && (defined(NNRT__HAS_BOARD) || defined(NNRT_NO_CPU)) && defined(NNRT_IMPLEMENTATION)
#error "nnrt: NNRT_ONE_DEVICE is for the CPU device alone"
#endif
#if defined(NNRT__HAS_NPU) && (defined(NNRT_PLANS_ONLY) || defined(NNRT_NO_SENTENCES)) && defined(NNRT_IMPLEMENTATION)
#error "nnrt: NNRT_PLANS_ONLY and NNRT_NO_SENTENCES are for the CPU device alone, without one that has an NPU"
#endif
