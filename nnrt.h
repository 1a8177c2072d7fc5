/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt.h - v0.1.0 - OpenHarmony's neural network runtime API in one C99 header - Apache-2.0

   In ONE source file, best of its own:      Everywhere else:
       #define NNRT_IMPLEMENTATION               #include "nnrt.h"
       #include "nnrt.h"

   Build             cc -std=c99 program.c -lm -lpthread. In the file with NNRT_IMPLEMENTATION nnrt.h comes before the
                     system headers, so that it can ask them for POSIX; or compile that file with -D_GNU_SOURCE. Without
                     an operating system: NNRT_NO_THREADS and NNRT_NO_STDIO.
   Firmware          nnrt compile MODEL --target scalar --c plan.h on a PC; then NNRT_PLANS_ONLY and NNRT_STEPS below,
                     the plan in flash, the arena a static array (nnrt_executor_construct_in), no heap: examples/flash,
                     docs/bare_metal.md
   Smallest program  examples/first runs a model file, examples/hello.c builds a graph call by call
   OpenHarmony       an application written for it compiles unchanged with -Ibuild, where its include names stand in
                     neural_network_runtime; examples/openharmony
   Find your way     search for a tag. A room's is the name of its file, with the folder in front but for core/:
                       the API           >>api_types >>api >>api_extensions
                       the core          >>platform >>platform_crc >>platform_crc_nibbles >>platform_crc_words
                                         >>platform_crc_x86 >>platform_crc_x86_wide >>platform_crc_arm
                                         >>platform_memory >>platform_clock >>platform_files
                                         >>platform_no_files >>platform_sleep >>platform_threads
                                         >>platform_no_threads
                                         >>platform_privileges_auxv >>platform_privileges_proc
                                         >>platform_privileges_ids >>backends >>error
                                         >>log >>nearest >>foreign >>shared_memory >>shared_memory_posix
                                         >>shared_memory_none >>desc >>optable >>optable_params >>graph >>graph_store
                                         >>graph_none >>model_none
                                         >>registry >>model >>tensor >>amount >>cache >>prepared >>choice >>compilation
                                         >>arena >>executor_life >>executor_facts >>executor >>async >>deprecated
                                         >>inner_api >>inner
                       the CPU device    >>cpu lists >>cpu_plan and its other rooms; >>tflite; >>cpu_kernels
                       Rockchip's NPU    >>rknpu lists >>rknpu_device and its other rooms; docs/rknpu.md
                       HiSilicon's NNIE  >>nnie lists >>nnie_device and its other rooms; docs/nnie.md
                       Horizon's BPU     >>bpu lists >>bpu_device and its other rooms; docs/bpu.md
                       HiSilicon's DSP   >>dsp lists >>dsp_api and its other rooms; docs/dsp.md
                       model groups      >>group lists >>group_api and its other rooms; docs/groups.md
                       a model's numbers >>data_api >>data_numbers >>data_top_k >>data_reorder
                       on the board      >>selftest lists >>selftest_api and its other rooms; docs/selftest.md
                       detectors         >>detection lists >>detection_api and its other rooms; docs/detection.md
                       pictures          >>image lists >>image_api and its other rooms; docs/image.md
   Promises          int8 results are the same bytes on every instruction set and with any number of threads; nnrt
                     never prints, aborts or exits; after Build a synchronous run allocates nothing, with dynamic shapes
                     after nnrt_executor_prepare, with axes or sizes that inputs hold after a run with the same
                     (but for a copy of a tensor at an odd address); every allocation is NNRT_MALLOC, but for the memory
                     of tensors: pages of the system, or the device's; every failure has a code and a sentence,
                     nnrt_last_error()
   Does NOT          train or convert models, load a vendor's library (but for a backend that you turn on), or start
                     a thread that you did not ask for (nnrt.threads, OH_NN_PERFORMANCE_EXTREME,
                     OH_NNExecutor_RunAsync and nnrt_group_finish ask for some)
   Threads           different objects may be used from different threads at once; runs of one executor follow each
                     other; after Build any number of executors in any threads share one compilation
   Trust             bytes of models, plans and caches may be hostile; pointers have to be valid
   Sizes             flash: make size; RAM of a model: nnrt_executor_get_memory or `nnrt inspect MODEL`, to the
                     byte, the peak of Build included; the arena, which the program may give and share between models:
                     nnrt_compilation_get_arena

   ------------------------------------------------------------------------------------------------ >>config
   All of these are read only where NNRT_IMPLEMENTATION is defined, but for NNRT_API; and NNRT_BACKEND_RKNPU,
   NNRT_BACKEND_NNIE, NNRT_DSP, NNRT_DETECTION, NNRT_IMAGE, NNRT_GROUPS and NNRT_SELFTEST, where they are defined, also
   declare types and functions of their own.

   NNRT_IMPLEMENTATION  Define it in exactly one C or C++ file, before the include: the code comes in there.

   NNRT_API             Stands before every public function; empty by default. "static" makes the library private to one
                        file (then define NNRT_IMPLEMENTATION wherever it is included); a visibility attribute
                        exports it from a shared object. The same in every file.

   NNRT_MALLOC(size)  NNRT_REALLOC(pointer, size)  NNRT_FREE(pointer)
                        The allocator: all three or none. Default: malloc, realloc, free. Called from any thread that
                        calls nnrt. Results need the alignment of malloc.

   NNRT_ASSERT(condition)
                        Checks of nnrt's own invariants, for those who change nnrt or look for whoever writes over its
                        memory: with <assert.h> before, #define NNRT_ASSERT(condition) assert(condition). Default:
                        nothing is evaluated. Wrong arguments and bad files never get here; they are error codes.

   NNRT_NO_THREADS      No pthreads: nnrt is then for one thread at a time, runs on one core, and OH_NNExecutor_RunAsync
                        is forbidden. Nothing to link but libm.

   NNRT_NO_STDIO        A target without files and descriptors: models and caches come from memory only, tensors live
                        in NNRT_MALLOC memory, OH_NNTensor_GetFd and OH_NNTensor_CreateWithFd fail. Nothing is asked
                        of an environment: NNRT_ISA means nothing.
                        Both together: no header and no call of POSIX, only of C99. docs/bare_metal.md

   NNRT_NOW_NS()        With NNRT_NO_THREADS: nanoseconds of a clock that only goes forward, a macro or a function of
                        the program, for profiles. Default: the clock of POSIX; with NNRT_NO_STDIO, too, there is
                        none, and the times of profiles are 0.

   NNRT_NO_CPU          Leaves out the CPU device, its kernels and the reader of .tflite, for programs that bring their
                        own device with nnrt_register_backend().

   NNRT_OPS(X)          The operators of the CPU device that the program needs, when flash is short. Default: all. A
                        list without commas, names as in OH_NN_OPS_*:
                            #define NNRT_OPS(X) X(CONV2D) X(AVG_POOL) X(RESHAPE) X(FULL_CONNECTION) X(SOFTMAX)
                        Nothing of the others is in the program when it is compiled with -O1 or higher, -Os included.
                        A model that needs one is refused, and the sentence names it. `nnrt inspect MODEL --ops` prints
                        the line for a model.

   NNRT_PLANS_ONLY      For flash that is short: the CPU device runs plans, which `nnrt compile` makes on a PC. Nothing
                        that makes one is in the program: no reader of .tflite, no graph, no table of operators. What
                        needs them fails with OH_NN_UNSUPPORTED, a model that is no plan with OH_NN_INVALID_FILE, and
                        the sentence says so.

   NNRT_STEPS(X)        With NNRT_PLANS_ONLY, or beside NNRT_OPS: the steps that the program's plans and models need,
                        each with the instruction set of its kernel in capitals. Default: all. A list without commas
                        between its members:
                            #define NNRT_STEPS(X) X(conv_s8, NEON) X(fc_s8, NEON) X(softmax_s8, SCALAR)
                        Nothing of the others is in the program when it is compiled with -O1 or higher, and a plan or a
                        model that needs one is refused. A program with several joins their lists; a step may stand
                        there twice. `nnrt compile MODEL --target T --c NAME` writes the list of a model, `nnrt inspect
                        PLAN` shows the steps of a plan.

   NNRT_NO_SENTENCES    Codes without texts: nnrt_last_error() is always "", the log stays empty, and no sentence is in
                        the program: with NNRT_PLANS_ONLY no text at all, else only names.
                        nnrt_inspect_model() still says whose a file is, and of a plan no facts.

   NNRT_ONE_DEVICE      The CPU device is the only one: nnrt_register_backend() fails with OH_NN_UNSUPPORTED. So the
                        compiler knows all that is called of it, and what the program never asks for (profiles, figures
                        of memory, caches ...) is gone when it is linked with -ffunction-sections and --gc-sections.

   NNRT_TRUST_CRC       The checksum of a plan is taken to be right and not computed, unless the program sets the
                        config nnrt.trust to "none": for firmware that checks its whole image, or has done so once. All
                        that keeps a run inside its memory is checked as ever.

   NNRT_NO_STATES       For flash that is short: nothing that runs leave to the next. A plan with states is refused, as
                        that of a model with LSTM, SVDF or variables may be: where nnrt_memory has state_bytes.

   NNRT_NO_SIMD         Only the portable C kernels. Same int8 bytes, smaller and slower.

   NNRT_BACKEND_RKNPU   Adds the NPU of Rockchip's RV1103/RV1106 and RK35xx boards, first in the list of devices: it
                        runs .rknn files. Rockchip's library is opened at run time (link with -ldl where glibc is older
                        than 2.34); where it or the NPU is missing, the device is not listed and the program goes on.
                        Empty or 1: on; 0: off. Extension configs "rknn.*", facts and limits: docs/rknpu.md.
   NNRT_RKNPU_LINK      With it: no dlopen; link librknnrt.so, librknnmrt.so or librknnmrt.a yourself.
   NNRT_RKNPU_USE_VENDOR_HEADER
                        With it: Rockchip's rknn_api.h, rknn_matmul_api.h and rknn_custom_op.h are included and the
                        compiler compares them with nnrt's own declarations. For a build in your CI.

   NNRT_BACKEND_NNIE    Adds the NNIE of HiSilicon's Hi3516CV500/DV300/AV300, Hi3519AV100 and Hi3559AV100, a device for
                        each core: it runs .wk files. HiSilicon's libraries are opened at run time, as above; a program
                        that is linked with them uses these. Empty or 1: on; 0: off. Extension configs "nnie.*", facts
                        and limits: docs/nnie.md.
   NNRT_NNIE_LINK       With it: no dlopen; link libnnie and libmpi yourself.
   NNRT_NNIE_USE_VENDOR_HEADER
                        With it: HiSilicon's mpi_nnie.h and mpi_sys.h are included and the compiler compares them with
                        nnrt's own declarations. For a build in your CI.

   NNRT_DSP             Adds nnrt_dsp_*: tasks for the vector DSP of Hi3519AV100 and Hi3559AV100, and its place in the
                        list of devices; NNRT_BACKEND_NNIE comes with it, and so does NNRT_NNIE_LINK, for libdsp. Empty
                        or 1: on; 0: off. docs/dsp.md

   NNRT_DETECTION       Adds what the CPU does behind a detector, on maps in the program's own memory: softmax, top-N,
                        non-maximum suppression, the regions of a region proposal network, the detections of Faster
                        R-CNN, R-FCN, PVANET, SSD, YOLO v1 to v3, v5 to v12 and YOLOX, keypoints (nnrt_detection_*,
                        nnrt_detect_*). Empty or 1: on; 0: off, but NNRT_BACKEND_NNIE has it, too. docs/detection.md

   NNRT_IMAGE           Adds nnrt_image_*: the pixels of a camera, a decoder or a file (NV12, YUYV, RGB565, RGB ...)
                        become the input tensor of a model in one pass: crop, resize, letterbox, colours, mean and
                        deviation, quantization, layout. Empty or 1: on; 0: off. docs/image.md

   NNRT_GROUPS          Adds nnrt_scheduler_*, nnrt_group_* and nnrt_frame_*: cascades of models on any devices, joined
                        by functions of the program, many frames in flight. Empty or 1: on; 0: off. docs/groups.md

   NNRT_SELFTEST        Adds nnrt_selftest(): operators, plans and arenas are tried on this board with every instruction
                        set of its processor. Empty or 1: on; 0: off. docs/selftest.md

   NNRT_BACKEND_BPU     Adds the BPU of Horizon's X3, J5, X5, S100 and S600 boards: it runs .bin and .hbm files.
                        Horizon's libdnn is opened at run time, as above; the version that it tells decides which of
                        six layouts its structures have. Empty or 1: on; 0: off. Extension configs "bpu.*", facts and
                        limits: docs/bpu.md.
   NNRT_BPU_LINK        With it: no dlopen; link libdnn yourself. Its value is the first number of the version, 1 (X3,
                        J5, X5) or 3 (S100, S600, with libhbucp).
   NNRT_BPU_USE_VENDOR_HEADER
                        With it, 1 or 3: Horizon's dnn/hb_dnn.h and dnn/hb_sys.h, or hobot/dnn/hb_dnn.h and
                        hobot/hb_ucp_sys.h, are included and the compiler compares them with nnrt's own declarations.
                        For a build in your CI.

   Extension configs of the CPU device, for OH_NNCompilation_AddExtensionConfig; values are text:
     nnrt.isa           "scalar", "sse41", "avx2", "avxvnni", "avx512vnni", "neon", "armv8-dot" (AArch64 with the dot
                        product: Cortex-A55 and up), "armv8-i8mm" (and with matrix products), "cortex-m4" (the DSP
                        extension of Cortex-M4, M7, M33), "cortex-m55" (Helium) or "rvv" (RISC-V's vector extension
                        1.0, by clang 19 or GCC 14 and newer): the instruction set to use instead of the best one that
                        the processor has. One that this build or processor lacks is an error. The environment variable
                        NNRT_ISA does the same where no config is given (not in a program with more rights than its
                        user: SECURITY.md). A plan, which is packed for one of them,
                        runs with that one wherever the processor has it, and is refused when nnrt.isa does not contain
                        it.
     nnrt.target        An instruction set's name as above, of whatever processor: the model is compiled for it, on any
                        machine to the same bytes. It can be inspected and saved; a run is OH_NN_UNAVAILABLE_DEVICE.
                        With NNRT_BACKEND_RKNPU_OPEN also "rv1106", "rk3588" and "rk3588-rocket" (mainline's driver):
                        for their processor and their NPU; "rk3588+neon" for another instruction set beside it, as a
                        program of 32 bits has there.
     nnrt.threads       "1" to "64": cores that one run may use. Default 1; OH_NN_PERFORMANCE_EXTREME: all of them.
                        What is too short to gain by it stays on one, and within a tenth of a millisecond after a run
                        the other threads sleep. A cache or plan without its model runs on no more than it was compiled
                        for.
     nnrt.profile       "1": time every step, for nnrt_executor_get_profile. Default "0".
     nnrt.passes        "none", or the sum of the bits of the passes on the graph to do (cpu/passes.h), for finding out
                        which one is to blame. Default: all, 511. None changes a byte of an integer result; 64, which
                        moves normalization into weights, rounds floats in another order.
     nnrt.stripes       "0" to "1000": the arena is made small as far as that costs no more than so many percent of a
                        run (estimated; no product is computed twice). Convolutions may be run by stripes of a few rows,
                        or their outputs, and those of pools, lie over their inputs, which is what bit 256 of
                        nnrt.passes is for. Default "0", and "15" with OH_NN_PERFORMANCE_LOW. Not with several threads.
     nnrt.keep          "1": no tensor takes another one's place in the arena and none is computed by stripes, so that
                        after a run all that it has computed can be looked at (nnrt_executor_get_schedule); the results
                        are the same bytes. Default "0". A plan keeps what it was compiled with.
     nnrt.names         "0": of the tensors only inputs and outputs have their names in the plan, which is 20 to 100
                        bytes for each other one, as firmware has it in flash. Default "1".
     nnrt.inputs        "arena": inputs lie in the arena, where other tensors take their place once they have been read:
                        less memory for a program that fills the tensors of nnrt_tensor_create_in_arena. Other tensors
                        are copied into the arena. An input that no step reads, or that is an output in another shape,
                        stays apart. Default "apart".
     nnrt.max_memory    Bytes that a compiled model and the arena of one executor may take, "64M" for example; K, M, G
                        or T multiply by powers of 1024. Default 1G. A model that needs more is refused by Build, or at
                        the first run of its shape; the sentence has both numbers. Of a larger file only the beginning
                        is read: a model is compiled without a cache, a cache is not used.
     nnrt.max_work      Operations that one run may be, multiply-accumulates or what takes as long, "2G" for example: K,
                        M, G or T multiply by powers of 1000. Default 1T, of which the largest networks that boards run
                        are a fraction. A few hundred bytes of a hostile model could else keep a core for days. A
                        deadline (OH_NNExecutor_RunAsync) ends a run within some milliseconds whatever this is, but for
                        what is moved in one piece: a copy of 1 GiB, a row of a picture that is resized.
     nnrt.trust         What of a plan is believed. "none", the default: everything is checked. "crc": its checksum is
                        taken to be right and not computed, so that Build reads the tables of the plan and not its
                        weights; for plans in flash, in the program itself, or where something else has looked for
                        damage. All that keeps a run inside its memory is checked as ever. A cache has a checksum of its
                        own, which is always compared.
     nnrt.exact         With an accelerator that takes parts of models. "1": it gets only what it computes to the very
                        bytes of the CPU. Default "0": also what is as good, and rounds in another way.
     nnrt.timeout_ms    With such an accelerator. "1" to "9999": how many milliseconds it may take for one part of a
                        model before the run fails. Default "1000".
   and of every device:
     nnrt.fallback      "0": the device that was set runs the model, or Build refuses it. Default "1": a graph that the
                        first device of the list cannot run whole goes to the next one that ships with nnrt and can, as
                        applications take the first device without asking (the log gets a warning with the reason).
                        nnrt_model_get_reason tells beforehand. Offline models and other devices are not concerned.
     ModelName          Prefix of the names of the cache files, so that several models share one directory.
     nnrt.map           "0": files of models and caches are read into memory instead of being mapped. Default "1".
                        A mapped file costs no heap, but somebody has to leave it alone: the kernel ends a program with
                        SIGBUS when it reads a page that a mapped file no longer has. Files are replaced safely by
                        writing another one and renaming it, as nnrt does with its caches. With "0" a file may change at
                        any time; one that becomes shorter while it is read is OH_NN_INVALID_FILE, and so is one that
                        is larger than 1 GiB (CPU device: than nnrt.max_memory). Either way only
                        regular files are taken: a FIFO, a device or a directory is refused and never waited for. */
#ifndef NNRT_H
#define NNRT_H

#if defined(NNRT_IMPLEMENTATION) && !defined(_GNU_SOURCE) && !(defined(NNRT_NO_STDIO) && defined(NNRT_NO_THREADS))
#define _GNU_SOURCE /* POSIX */
#endif

/* Where somebody copied this page without the tree behind it. The one file says that it has the tree in it. */
#if defined(__has_include) && !defined(NNRT__ONE_FILE)
#if !__has_include("core/api_types.h")
#error "this nnrt.h is the front page of a tree: copy the one file, nnrt.h of a release or build/nnrt.h (make amalgam)"
#endif
#endif

#include "core/api_types.h"
#include "core/api.h"
#include "core/api_extensions.h"
#include "core/inner_api.h"
#include "data/api.h"

#endif /* NNRT_H */

/* Outside the guard above: one file may include nnrt.h without the backend, by way of another header, before it asks
   for it. */
#include "core/backends.h"
#ifdef NNRT__HAS_RKNPU
#include "rknpu/abi.h"
#endif
#ifdef NNRT__HAS_NNIE
#include "nnie/layer_api.h"
#endif
#ifdef NNRT__HAS_BPU
#include "bpu/resize_api.h"
#endif
#ifdef NNRT__HAS_DETECTION
#include "detection/api.h"
#include "detection/heads_api.h"
#ifdef NNRT__HAS_NNIE
#include "nnie/layers_api.h"
#endif
#endif
#ifdef NNRT__HAS_IMAGE
#include "image/api.h"
#endif
#ifdef NNRT__HAS_DSP
#include "dsp/api.h"
#endif
#ifdef NNRT__HAS_GROUPS
#include "group/api.h"
#endif
#ifdef NNRT__HAS_SELFTEST
#include "selftest/api.h"
#endif

#if defined(NNRT_IMPLEMENTATION) && !defined(NNRT__IMPLEMENTED)
#define NNRT__IMPLEMENTED

/* With NNRT_API as static, what the program does not call is unused and no reason to warn. The same holds for what
   some projects ask their own code: no comparison of floats (here they are meant), no default of a switch, no cast of
   const (OpenHarmony's calls have const where they are given handles), and no local name that the program has as a
   global, such as model. nnrt's own tests see to shadowing among its own names. */
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wfloat-equal"
#pragma GCC diagnostic ignored "-Wswitch-enum"
#pragma GCC diagnostic ignored "-Wcast-qual"
#ifndef NNRT__SHADOW_WARNINGS
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#endif

#include "core/platform.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/log.h"
#include "core/nearest.h"
#include "core/amount.h"
#include "core/foreign.h"
#include "core/shared_memory.h"
#include "core/desc.h"
#include "core/graph.h"
#include "kernels/internal.h" /* what follows is arithmetic that devices share */
#include "kernels/pack_scalar.h"
#include "kernels/boxes_scalar.h"
#include "kernels/copy_plane_scalar.h"
#include "kernels/float16.h"
#include "kernels/quantize_scalar.h"
#include "kernels/s16_scalar.h"

#ifdef NNRT__HAS_CPU
#include "cpu/wanted.h"
#include "nnrt_cpu_kernels.h"
#ifndef NNRT_PLANS_ONLY
#include "nnrt_tflite.h"
#endif
#include "nnrt_backend_cpu.h"
#endif

#include "data/numbers.h"
#include "data/top_k.h"
#include "data/reorder.h"

#ifdef NNRT__HAS_DETECTION
#include "nnrt_detection.h"
#ifdef NNRT__HAS_NNIE
#include "nnie/layers.h"
#endif
#endif

#ifdef NNRT__HAS_IMAGE
#include "nnrt_image.h"
#endif

#ifdef NNRT__HAS_BOARD
#include "npu/board.h"
#include "npu/flat.h"
#include "npu/settings.h"
#ifdef NNRT__HAS_NPU
#include "npu/gate.h" /* what devices with an NPU share */
#include "npu/model.h"
#include "npu/runner.h"
#include "npu/facts.h"
#include "npu/block.h"
#include "npu/executor.h"
#ifdef NNRT__HAS_DLOPEN
#include "npu/library.h"
#endif
#ifdef NNRT__HAS_RKNPU
#include "nnrt_backend_rknpu.h"
#endif
#ifdef NNRT__HAS_NNIE
#include "nnrt_backend_nnie.h"
#ifdef NNRT__HAS_DSP
#include "nnrt_dsp.h"
#endif
#endif
#ifdef NNRT__HAS_BPU
#include "nnrt_backend_bpu.h"
#endif
#endif
#ifdef NNRT__HAS_CPU
#ifdef NNRT__HAS_RKNPU_OPEN
#include "nnrt_backend_rknpu_open.h"
#endif
#endif
#endif

#include "core/registry.h"
#ifdef NNRT__HAS_BOARD
#ifdef NNRT__HAS_NPU
#ifdef NNRT__HAS_RKNPU
#include "rknpu/custom_op_attr.h"
#endif
#endif
#endif
#include "core/model.h"
#include "core/tensor.h"
#ifdef NNRT__HAS_BOARD
#ifdef NNRT__HAS_NPU
#ifdef NNRT__HAS_BPU
#include "bpu/resize.h"
#endif
#endif
#endif
#include "core/cache.h"
#include "core/prepared.h"
#include "core/choice.h"
#include "core/compilation.h"
#include "core/arena.h"
#include "core/executor.h"
#include "core/async.h"
#include "core/deprecated.h"
#include "core/inner.h"

#ifdef NNRT__HAS_GROUPS
#include "nnrt_group.h"
#endif
#ifdef NNRT__HAS_SELFTEST
#include "nnrt_selftest.h"
#endif

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif /* NNRT_IMPLEMENTATION */
