/* SPDX-License-Identifier: Apache-2.0 */
/* core/api_extensions.h - what nnrt adds to the OH_NN* API: error sentences, log, profile, memory, schedule, arenas
   of the program's, what a file is, own backends.   >>api_extensions

   Everything here begins with nnrt_ or NNRT_ and nothing of it is needed to use the OH_NN* calls. */
#ifndef NNRT_CORE_API_EXTENSIONS_H
#define NNRT_CORE_API_EXTENSIONS_H

#include "api_types.h"

#ifndef NNRT_API
#define NNRT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define NNRT_VERSION_MAJOR 0
#define NNRT_VERSION_MINOR 1
#define NNRT_VERSION_PATCH 0
#define NNRT_VERSION "0.1.0"
/* For #if: 102 is version 0.1.2, 10000 is 1.0.0. */
#define NNRT_VERSION_NUMBER (NNRT_VERSION_MAJOR * 10000 + NNRT_VERSION_MINOR * 100 + NNRT_VERSION_PATCH)

/* Largest number of dimensions that a shape crossing this interface can have. */
#define NNRT_MAX_RANK 10

/* ----------------------------------------------------------------------------------- version, errors, log */

/* Version and resolved configuration of the implementation, in one line, for bug reports:
   "0.1.0 cpu threads isa=avx2 ...". A static string of the thread that calls; never NULL. */
NNRT_API const char *nnrt_version(void);

/* The sentence behind the last call of this thread that did not succeed; "" when there was none yet. A call
   that succeeds leaves it alone. The string belongs to nnrt and lives until the thread's next failing
   call. */
NNRT_API const char *nnrt_last_error(void);

/* The name of a return code, "OH_NN_INVALID_FILE"; "unknown return code" for anything else. Never NULL. */
NNRT_API const char *nnrt_strerror(OH_NN_ReturnCode code);

typedef enum nnrt_log_level {
    NNRT_LOG_ERROR = 0,
    NNRT_LOG_WARNING = 1,
    NNRT_LOG_INFO = 2
} nnrt_log_level;

/* message is one line without a line feed and lives only during the call. Called from any thread that uses nnrt, also
   from several at once, and from those of nnrt; never under a lock of nnrt: the callback may call every nnrt function,
   but not with the object that the call at hand is about. nnrt_last_error() stays that of the call at hand, and what
   such a call would log is dropped. */
typedef void (*nnrt_log_callback)(void *user, nnrt_log_level level, const char *message);

/* Sends log lines to callback; NULL (the default) drops them. nnrt itself never prints. Not to be called
   while other threads use nnrt. */
NNRT_API void nnrt_set_log(nnrt_log_callback callback, void *user);

/* ------------------------------------------------------------------------------------- profile and memory */

/* Memory of an executor and its compilation, in bytes. What the program has made or was given and has to destroy is its
   own and in none of these: OH_NNModel, tensors, descriptors, memory of OH_NNExecutor_AllocateInputMemory. */
typedef struct nnrt_memory {
    size_t arena_bytes;      /* activations and scratch of this executor: exact, fixed at Build; also of an arena that
                              the program has given, which is not in heap_bytes */
    size_t bound_bytes;      /* of the arena, what its fullest step needs: however tensors are placed, with these steps
                                in this order no arena is smaller. 0: the device cannot tell */
    size_t scratch_bytes;    /* the part of arena_bytes that kernels use only while they run */
    size_t weights_bytes;    /* constants in the plan: packed weights, biases, tables */
    size_t plan_bytes;       /* the whole plan; weights_bytes included */
    size_t borrowed_bytes;   /* of the plan and the weights, what is read in place from memory or a file of the
                              caller */
    size_t heap_bytes;       /* all that NNRT_MALLOC has handed out for this executor and its compilation: exactly the
                              sizes it was asked for, an arena of nnrt's included. A compilation that several
                              executors share is in the figure of each; so is a graph that the device still needs
                              (dynamic shapes), also while its OH_NNModel lives, and what several compilations share
                              on Rockchip's device. What a vendor's library takes for itself is not nnrt's and in
                              none of these */
    size_t device_bytes;     /* memory of an accelerator, 0 on the CPU */
    size_t build_peak_bytes; /* the most that NNRT_MALLOC had handed out at once for the compilation while it was
                                built, its graph included */
    size_t state_bytes;      /* what this executor keeps from one run to the next, twice: as the last run left it, and
                                as the next one will. Never part of an arena, which executors may share */
} nnrt_memory;

/* One step of the compiled model, in order of execution. */
typedef struct nnrt_profile_step {
    const char *name;       /* name of the output tensor */
    OH_NN_OperationType op; /* the operator that it came from */
    const char *kernel;     /* "conv_s8", "softmax_s8" ... */
    const char *isa;        /* "scalar", "neon", "avx2" ... */
    OH_NN_DataType dtype;   /* of the output */
    uint32_t rank;
    int32_t dims[NNRT_MAX_RANK]; /* of the output, or of its window when rows of it are computed in turns */
    uint64_t macs;               /* multiply-accumulates of one run; 0 for steps that have none */
    uint64_t weights_bytes;
    double output_scale; /* 0: not quantized */
    int32_t output_zero_point;
    uint32_t weight_scales; /* 0: no quantized weights, 1: per tensor, else per channel */
    uint32_t runs;          /* runs timed: 0 unless extension config "nnrt.profile" is "1" */
    uint64_t last_ns;
    uint64_t min_ns;
    uint64_t total_ns;
    uint64_t copied_bytes; /* of the last run: moved between the program's tensors and the accelerator's memory; 0 when
                              the accelerator works on the tensors themselves, and on the CPU */
} nnrt_profile_step;

/* Steps of the compiled model, with times when the compilation was built with extension config "nnrt.profile"
   = "1". *steps belongs to the executor and is valid until its next run, its next nnrt_executor_prepare or its
   destruction; asked again before that, it is the same list.
   OH_NN_INVALID_PARAMETER: a NULL argument. OH_NN_UNSUPPORTED: the device keeps no profile. OH_NN_MEMORY_ERROR: without
   the config the list is made now. OH_NN_DYNAMIC_SHAPE: a model with dynamic shapes that was neither run nor prepared
   yet. */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_profile(const OH_NNExecutor *executor, const nnrt_profile_step **steps,
                                                    uint32_t *step_count);

/* Memory figures of an executor. OH_NN_INVALID_PARAMETER: a NULL argument. OH_NN_UNSUPPORTED: the device has
   none. */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_memory(const OH_NNExecutor *executor, nnrt_memory *memory);

/* ----------------------------------------------------------------- the schedule: what is computed from what, and where

   For tools that show a compiled model: the graph of its steps, and where in the arena each tensor lies from which step
   to which. The CPU device tells it, but in builds with NNRT_PLANS_ONLY, whose flash it does not touch. */

/* In place of the number of a tensor, or of a step: there is none. */
#define NNRT_SCHEDULE_NONE 0xffffffffu

/* Where the bytes of a tensor are while the model runs. */
typedef enum nnrt_place {
    NNRT_PLACE_ARENA = 0,      /* at offset in the arena */
    NNRT_PLACE_INPUT = 1,      /* in the program's tensor for input number index */
    NNRT_PLACE_OUTPUT = 2,     /* in the program's tensor for output number index */
    NNRT_PLACE_STATE = 3,      /* state number index, as the last run left it */
    NNRT_PLACE_NEXT_STATE = 4, /* state number index, as the next run will find it */
    NNRT_PLACE_PLAN = 5,       /* at offset among the constants of the plan */
    NNRT_PLACE_MODEL = 6       /* at offset in the bytes of the model, which weights were left in */
} nnrt_place;

/* A tensor or constant of the compiled model. */
typedef struct nnrt_schedule_tensor {
    const char *name; /* "": what Build made has none, as packed weights or what is between two steps of an operator */
    OH_NN_DataType dtype;
    OH_NN_Format format;
    uint32_t rank; /* 0: a scalar */
    int32_t dims[NNRT_MAX_RANK];
    double scale; /* 0: not quantized, or not by one pair */
    int32_t zero_point;
    uint32_t quant_count; /* pairs of scale and zero point; 0: not quantized */
    nnrt_place place;
    uint32_t index;
    size_t offset;
    size_t bytes;        /* exactly those of dtype and dims; in the arena it takes the next multiple of 64 */
    uint32_t first_step; /* its bytes are its own from this step ... */
    uint32_t last_step;  /* ... to this one, both included; NNRT_SCHEDULE_NONE: no step touches it. Where the output of
                            a step takes the place of one of its inputs, both have the place during that step */
    uint32_t view_of;    /* the tensor whose bytes it shows in another shape; NNRT_SCHEDULE_NONE: it has its own */
} nnrt_schedule_tensor;

/* What of the model has no step of its own, as this step does it, too: a sum of these. */
#define NNRT_FUSED_PAD 0x1u   /* PAD in front of it */
#define NNRT_FUSED_RELU 0x2u  /* RELU behind it, an operator of the model or the activation of one */
#define NNRT_FUSED_RELU6 0x4u /* RELU6 behind it, likewise */

/* Where a convolution or a pool looks: output row y and kernel row i read input row y * stride[0] - padding[0] +
   i * dilation[0]; columns likewise. A transposed convolution writes where this one reads. */
typedef struct nnrt_window {
    int32_t kernel[2]; /* height, width; 0, as everything else: the step has no window */
    int32_t stride[2];
    int32_t dilation[2];
    int32_t padding[4]; /* top, bottom, left, right: how far windows reach over the edges of the input, PAD in front of
                           it included. Negative: that many rows or columns of a transposed convolution are cut off */
} nnrt_window;

typedef struct nnrt_schedule_step {
    const uint32_t *inputs;  /* numbers of tensors; NNRT_SCHEDULE_NONE: one that is optional and absent */
    const uint32_t *outputs; /* likewise */
    uint32_t input_count, output_count;
    size_t scratch_offset; /* in the arena: memory that only this step uses, and only while it runs */
    size_t scratch_bytes;  /* of all threads; 0: it needs none */
    uint32_t fused;        /* NNRT_FUSED_* */
    uint32_t turns;     /* 2 or more: this step and those of its group run so often, one after the other, each time for
                              some rows of their outputs, of which the arena holds windows. 0: it runs once */
    uint32_t group;     /* the first step of its group; of a step that is in none, itself */
    nnrt_window window; /* of CONV2D, DEPTHWISE_CONV2D_NATIVE, CONV2D_TRANSPOSE, MAX_POOL and AVG_POOL */
} nnrt_schedule_step;

typedef struct nnrt_schedule {
    const nnrt_schedule_tensor *tensors;
    const nnrt_schedule_step *steps; /* in order of execution: steps[i] is step i of nnrt_executor_get_profile */
    const uint32_t *inputs;          /* of the model: numbers of tensors */
    const uint32_t *outputs;
    uint32_t tensor_count, step_count, input_count, output_count;
    const void *arena; /* of the executor: between two runs, what the last one left there. A tensor is whole where no
                          later one has its place: all are, built with extension config "nnrt.keep" = "1" */
} nnrt_schedule;

/* The schedule of the compiled model, of one with dynamic shapes for those run or prepared last. It is made at each
   call: *schedule and all that it points to belong to the executor and are valid until the next call with it, its next
   run, or its destruction, whichever comes first. *schedule is set on success only. Sizes of the arena: arena_bytes and
   bound_bytes of nnrt_memory.
   OH_NN_INVALID_PARAMETER: a NULL argument. OH_NN_UNSUPPORTED: the device tells none. OH_NN_MEMORY_ERROR.
   OH_NN_DYNAMIC_SHAPE: a model with dynamic shapes that was neither run nor prepared yet. */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_schedule(const OH_NNExecutor *executor, const nnrt_schedule **schedule);

/* -------------------------------------------------------------------------------- an arena of the program's

   The arena is what an executor computes in: activations and scratch. By default nnrt takes it from NNRT_MALLOC. These
   calls let the program give it, as a static array for example, and let several executors share one. The CPU device can
   do it. Between two runs nothing in an arena is needed: the program may use it for something else. */

/* Where in its memory an arena begins: at the first multiple of so many bytes. */
#define NNRT_ARENA_ALIGNMENT 64u

/* The bytes of the arena that nnrt_executor_construct_in needs, counted from a multiple of NNRT_ARENA_ALIGNMENT:
   exactly arena_bytes of nnrt_memory. It stands in the plan: of one that `nnrt compile` made it is the same number on
   every processor, and NAME_ARENA_BYTES of a C file that `nnrt compile --c` wrote. *bytes is set on success only.
   OH_NN_INVALID_PARAMETER: a NULL argument, or the compilation is not built. OH_NN_UNSUPPORTED: the device takes no
   arena of the program's. OH_NN_DYNAMIC_SHAPE: the shape of an input is not known before a run, and so is the arena. */
NNRT_API OH_NN_ReturnCode nnrt_compilation_get_arena(const OH_NNCompilation *compilation, size_t *bytes);

/* OH_NNExecutor_Construct with an arena of the program's: bytes at arena, in any alignment, of which those in front of
   the first multiple of NNRT_ARENA_ALIGNMENT are not used. Only the handles of the executor are of NNRT_MALLOC. The
   arena stays the program's: it keeps it until the executor is destroyed. nnrt writes there during runs, and at no
   other time. Executors, also of other models, may share one, or overlap in any other way: each needs what its own
   compilation says, and their runs follow each other. A run that begins while another one is under way in the same
   memory, be it in an interrupt, is refused with OH_NN_OPERATION_FORBIDDEN and touches nothing. *executor is set on
   success only.
   OH_NN_INVALID_PARAMETER: a NULL argument, the compilation is not built, or bytes are too few: the sentence says how
   many there are and how many are needed. OH_NN_UNSUPPORTED, OH_NN_DYNAMIC_SHAPE: as above. OH_NN_MEMORY_ERROR. Else
   what the device answered. */
NNRT_API OH_NN_ReturnCode nnrt_executor_construct_in(OH_NNCompilation *compilation, void *arena, size_t bytes,
                                                     OH_NNExecutor **executor);

/* ----------------------------------------------------------------------------- a model that stays where it lies

   The memory that OH_NNCompilation_ConstructWithOfflineModelBuffer and OH_NNCompilation_ImportCacheFromBuffer were
   given may go when the compilation is destroyed: Build copies of it what executors need. A model in flash, in a mapped
   file or in an array of the program's needs no copy. */

/* The program promises that the memory of the model, or of the cache, that compilation was or will be given stays where
   it is, unchanged, until the compilation and all its executors are destroyed. Build then copies nothing of it where
   the device can read it in place: on the CPU device the constants of a plan at a multiple of 8 bytes, and the weights
   that OH_NN_PERFORMANCE_LOW leaves in a .tflite (borrowed_bytes of nnrt_memory). A plan at any other address is
   copied, with a line in the log. Without a model or cache in memory it changes nothing.
   OH_NN_INVALID_PARAMETER: compilation is NULL. OH_NN_OPERATION_FORBIDDEN: it is built. */
NNRT_API OH_NN_ReturnCode nnrt_compilation_use_in_place(OH_NNCompilation *compilation);

/* --------------------------------------------------------------------- what is kept from one run to the next

   A model may have state: tensors that a run reads as the run before left them. It belongs to the executor, begins with
   the contents that the tensor was given, or with zeros (of a quantized one, its zero point), and is no input or output
   of the model. A run that fails, or is given up at its deadline, leaves it as it was. Recurrent models of .tflite
   files have it (variables of SVDF and of UNIDIRECTIONAL_SEQUENCE_LSTM); other models get it from this call. The CPU
   device can do it. */

/* From now on tensor is state: a run reads it, and what the run computes in next is its contents for the next run; next
   may also be an output of the model. Both have the same data type and shape, which is known. Contents that tensor is
   given by OH_NNModel_SetTensorData are what it begins with. To be called before OH_NNModel_Finish.
   OH_NN_INVALID_PARAMETER: model is NULL, there is no such tensor, they differ, a shape is dynamic, tensor is state
   already, or there are 200 of them. OH_NN_OPERATION_FORBIDDEN: the model is finished. OH_NN_MEMORY_ERROR. That tensor
   is an input of the model as well, OH_NNModel_Finish finds. */
NNRT_API OH_NN_ReturnCode nnrt_model_add_state(OH_NNModel *model, uint32_t tensor, uint32_t next);

/* Makes the state of an executor what it was when the executor was made. Waits for a run that is under way. Success,
   too, where there is no state. OH_NN_INVALID_PARAMETER: executor is NULL. Else what the device answered. */
NNRT_API OH_NN_ReturnCode nnrt_executor_reset(OH_NNExecutor *executor);

/* The id of the device that an executor runs on, for the tensors that it is given: the one that Build chose where the
   program named none. OH_NN_INVALID_PARAMETER: a NULL argument. From any thread. */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_device(const OH_NNExecutor *executor, size_t *device_id);

/* A tensor in memory that another driver gave to the program, as a camera's picture, and that the accelerator reaches
   by its physical address: a run uses it where it lies, as one of OH_NNTensor_Create. desc stays the caller's. size
   bytes, at least those of desc, begin at address, mapped into this process, and at physical, without a gap in either.
   They stay the program's: it keeps them until the tensor is destroyed and no run of it is under way
   (nnrt_executor_wait_late tells), and frees them itself. What the CPU has in its cache of them is written back before
   a run, and forgotten behind one that wrote there.
   NULL, with a sentence: desc or address is NULL, physical is 0, size is too small or more than 1 GiB, there is no
   device with this id (0: the first one), it knows no physical addresses, or memory is out. From any thread. */
NNRT_API NN_Tensor *nnrt_tensor_create_physical(size_t device_id, NN_TensorDesc *desc, uint64_t physical, void *address,
                                                size_t size);

/* Scale and zero point of a quantized model input or output: real = scale * (q - zero_point). scale 0 means
   that the tensor is not quantized. OH_NN_INVALID_PARAMETER: a NULL argument, or index past the inputs
   (outputs). */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_input_quant(const OH_NNExecutor *executor, size_t index, double *scale,
                                                        int32_t *zero_point);
NNRT_API OH_NN_ReturnCode nnrt_executor_get_output_quant(const OH_NNExecutor *executor, size_t index, double *scale,
                                                         int32_t *zero_point);

/* Waits until the device has let go of the tensors of every run of the executor whose callback got OH_NN_TIMEOUT, or
   whose OH_NNExecutor_RunSync returned it: before that their inputs may still be read and their outputs written. A
   device that stops when it is asked to, as the CPU does, has let go when the callback comes. At most timeout_ms
   milliseconds, 0: only asks. From any thread, also from inside a callback of the executor.
   OH_NN_TIMEOUT: not yet: leave the contents of the tensors alone, or destroy them and make others.
   OH_NN_INVALID_PARAMETER: executor is NULL. Else what the device answered. */
NNRT_API OH_NN_ReturnCode nnrt_executor_wait_late(OH_NNExecutor *executor, uint32_t timeout_ms);

/* A fact that the device knows about the executor's model, the accelerator or its driver, as text; names are listed
   by nnrt_device_get_facts and explained on the page of the device. size bytes at text get it, always terminated.
   OH_NN_INVALID_PARAMETER: a NULL argument, size 0, a name that the device does not know, or text too short.
   OH_NN_UNSUPPORTED: the device tells no facts, or its driver is too old for this one. */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_info(const OH_NNExecutor *executor, const char *name, char *text,
                                                 size_t size);

/* What a fact is about. */
typedef enum nnrt_fact_kind {
    NNRT_FACT_END = 0,    /* no fact: the end of a list */
    NNRT_FACT_MODEL = 1,  /* the device, its driver or the model: to be asked of any executor */
    NNRT_FACT_RUN = 2,    /* the last run of the executor */
    NNRT_FACT_INPUT = 3,  /* one input of the model: its number, counted from 0, is to be appended to the name */
    NNRT_FACT_OUTPUT = 4, /* one output, in the same way */
    NNRT_FACT_STEP = 5    /* a step of nnrt_executor_get_profile, in the same way; some have it, others do not */
} nnrt_fact_kind;

/* A name for nnrt_executor_get_info. */
typedef struct nnrt_fact {
    const char *name;
    nnrt_fact_kind kind;
} nnrt_fact;

/* The names of all facts that a device tells, in the order in which a person wants to read them, ended by {NULL,
   NNRT_FACT_END}. A fact that is listed may still be OH_NN_UNSUPPORTED on this driver or for this model. device_id 0:
   the first device. *facts belongs to the device and lives as long as the program. From any thread.
   OH_NN_INVALID_PARAMETER: facts is NULL. OH_NN_FAILED: no device has this id. OH_NN_UNSUPPORTED: the device lists
   none. *facts is set on success only. */
NNRT_API OH_NN_ReturnCode nnrt_device_get_facts(size_t device_id, const nnrt_fact **facts);

/* ------------------------------------------------------------------------ why a device refuses an operator */

/* Why a device (0: the first one) cannot run operation number operation of a finished model, counted from 0 in the
   order in which the operations were added: the reason for one false of OH_NNModel_GetAvailableOperations. The device
   is asked anew; no earlier call is needed. The sentence is copied to text, which has size bytes (256 hold every one),
   cut where it ends and always terminated; "" when the device can run the operation.
   From any thread, while nobody changes the model; nnrt_last_error() stays as it was.
   OH_NN_INVALID_PARAMETER: an argument is NULL, size is 0, or there is no such operation.
   OH_NN_OPERATION_FORBIDDEN: the model is not finished. OH_NN_FAILED: there is no such device. */
NNRT_API OH_NN_ReturnCode nnrt_model_get_reason(const OH_NNModel *model, size_t device_id, uint32_t operation,
                                                char *text, size_t size);

/* ---------------------------------------------------------------------------- dynamic shapes before the run

   A model with dynamic shapes (OH_NNExecutor_GetInputDimRange) is compiled for a shape when the shape is met for the
   first time: that run allocates, and takes as long as a Build. This does it beforehand. A model where inputs hold axes
   or sizes (the shape of a RESHAPE, the k of a TOP_K) is compiled in the first run with these values.

   A .tflite whose inputs leave dimensions open is compiled by Build for the shape of the file and runs with it like any
   other. Other shapes are compiled from the model, of which the file stays mapped, in memory of nnrt's, also where the
   executor has an arena of the program's. As with TensorFlow Lite's ResizeInputTensorStrict, only what is open changes;
   a compiled plan has one shape. */

/* Makes executor ready for inputs of these shapes: a synchronous run with them then allocates nothing. inputs: one
   descriptor per model input, as OH_NNExecutor_CreateInputTensorDesc gives them, with the shape set; they stay the
   caller's. On success the shapes of the outputs are those that the run will have: OH_NNExecutor_GetOutputShape and
   OH_NNExecutor_CreateOutputTensorDesc tell them, so that the tensors can be made. The CPU device keeps the last four
   shapes of an executor, or its own and three; one more takes the place of the one that was not used for the longest
   time. Nothing needs to be made ready for a model with static shapes: success, too. Waits for a run of the executor
   that is under way.
   OH_NN_INVALID_PARAMETER: a NULL argument, another number of inputs than the model has, a shape or data type that the
   input cannot have. OH_NN_UNSUPPORTED: the device cannot do it before a run, or shapes depend on what inputs hold.
   OH_NN_UNAVAILABLE_DEVICE: the model cannot be compiled for these shapes, or the device died. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_executor_prepare(OH_NNExecutor *executor, NN_TensorDesc *const inputs[],
                                                size_t input_count);

/* ----------------------------------------------------------------------------------------- what a file is */

/* Takes one thing that a file tells about itself: label is a few words ("toolkit"), text one line ("2.3.2"). Both
   live only during the call. text may repeat bytes of the file: whoever prints it has to make it harmless. */
typedef void (*nnrt_inspect_callback)(void *user, const char *label, const char *text);

/* Which device of this build the bytes of a model are for, and what they tell about themselves. No device needs to be
   there: the backends that are compiled in are asked in their order, whether or not they could be opened, then those
   that were registered, in theirs. The first one that knows the format answers, and *device_name (may be NULL) gets the
   name that its device has in the list, or would have; the string lives as long as the program. tell (may be NULL: only
   the question) is called in this thread, before the function returns, with each thing that is told; it is not called
   when the answer is not OH_NN_SUCCESS. bytes is the whole file, in any alignment, is not trusted and may be let go
   afterwards; only its outermost part is read, so that success does not mean that the device will take the model. From
   any thread.
   OH_NN_INVALID_PARAMETER: bytes is NULL. OH_NN_UNSUPPORTED: no backend of this build knows the format; the sentence
   says what the file looks like, an ONNX model or a PNG picture, and what to do about it.
   OH_NN_INVALID_FILE: one does, but the file is damaged. Anything else: what that backend answered.
   *device_name becomes NULL for the first two, and the name of the backend that answered for everything else. */
NNRT_API OH_NN_ReturnCode nnrt_inspect_model(const void *bytes, size_t size, const char **device_name,
                                             nnrt_inspect_callback tell, void *user);

/* -------------------------------------------------------------------------- the graph, as backends see it */

/* Quantization of a tensor. count 0: not quantized; 1: per tensor; else per channel along dims[axis]. */
typedef struct nnrt_quant {
    uint32_t count;
    uint32_t axis;
    const double *scales;
    const int32_t *zero_points;
    const uint32_t *num_bits;
} nnrt_quant;

typedef struct nnrt_tensor_info {
    const char *name; /* never NULL */
    OH_NN_DataType dtype;
    OH_NN_Format format;
    OH_NN_TensorType type; /* OH_NN_TENSOR, or the parameter that this tensor holds */
    uint32_t rank;         /* 0: a scalar */
    const int32_t *dims;   /* rank values, each >= 1, or -1: dynamic. NULL when rank is 0 */
    nnrt_quant quant;
    const void *data; /* constant contents, row-major little-endian, ANY alignment; NULL: computed or given at
                         run time */
    size_t data_size; /* bytes at data: exactly the size of dims and dtype */
} nnrt_tensor_info;

/* One parameter of an operator, checked by the operator table. */
typedef struct nnrt_param {
    OH_NN_TensorType type;
    OH_NN_DataType dtype;
    uint32_t count;   /* elements */
    const void *data; /* count elements, ANY alignment */
} nnrt_param;

typedef struct nnrt_node {
    OH_NN_OperationType op;
    uint32_t input_count;
    uint32_t output_count;
    uint32_t param_count;
    const uint32_t *inputs;  /* indices of tensors */
    const uint32_t *outputs; /* indices of tensors */
    const nnrt_param *params;
} nnrt_node;

/* What one run leaves to the next. */
typedef struct nnrt_state {
    uint32_t tensor; /* that a run reads. Its data, if it has any, are those of the first run, and it is not constant */
    uint32_t next;   /* what it is in the run behind, of the same type and shape */
} nnrt_state;

typedef struct nnrt_graph {
    uint32_t tensor_count;
    uint32_t node_count;
    uint32_t input_count;
    uint32_t output_count;
    const nnrt_tensor_info *tensors;
    const nnrt_node *nodes; /* in the order in which they were added: not necessarily that of execution */
    const uint32_t *inputs;
    const uint32_t *outputs;
    const nnrt_state *states; /* only for a device with reset */
    uint32_t state_count;
} nnrt_graph;

/* ------------------------------------------------------------------------------------- the backend table

   A backend is one device. Fill an nnrt_backend that lives as long as the program, initialise by position,
   and hand it to nnrt_register_backend() before any other thread uses nnrt.

   Order of calls   open once at registration; then, for every compilation, supports per node (graphs only),
                    prepare or restore, the describe calls, save; open_executor per executor; run any number
                    of times; close_executor; release when the compilation and all its executors are gone;
                    close never (a device stays registered until the program ends).
   Threads          calls on different prepared models and executors may come from different threads at once.
                    Calls on one executor are serialised by nnrt, but for cancel, which comes while run is
                    under way, and wait_late.
   Success          every out parameter is set. Failure: out parameters are ignored, whatever was allocated
                    has been freed by the backend, and nnrt_backend_fail() was called once to leave a
                    sentence.
   On entry         *device, *prepared and *executor are NULL.
   Lifetime         the graph (see needs_graph), the model bytes and the blob of a request stay valid and unchanged
                    until release; the bytes and the blob less long for who says so (NNRT_COPIES_BYTES).
   Without device   inspect knows no device: it comes at any time, from any thread, also before open, and for a
                    backend that ships with nnrt also when open has failed. One that ships with nnrt may have nothing
                    but inspect: it is no device then.
   Version          counts up when the table grows, which it does at its end and by optional slots only. A table
                    that was compiled with an older nnrt.h ends too early in memory and is refused. Source that
                    names fewer members, by position, compiles as before and is right: C and C++ make the others
                    NULL. The compiler points at them with -Wmissing-field-initializers, which is in -Wextra. */

#define NNRT_BACKEND_VERSION 5u

/* What a device can, beyond running. A request for something that is missing is refused by Build. */
#define NNRT_CAN_FLOAT16 0x1u
#define NNRT_CAN_PERFORMANCE 0x2u
#define NNRT_CAN_PRIORITY 0x4u
#define NNRT_CAN_DYNAMIC_SHAPE 0x8u
#define NNRT_CAN_CACHE 0x10u
/* What it prepares is compiled already: without NNRT_CAN_CACHE, a cache directory is then nothing to do and a line in
   the log. A device that has neither refuses it. */
#define NNRT_NEEDS_NO_CACHE 0x20u
/* Copies what it needs of the model bytes and the blob of a request where bytes_go is true: they stay until the
   compilation is destroyed, so that prepare, restore, save and open_executor may read them, and nothing else. For a
   device that does not say so nnrt makes a copy that stays until release, unless the program has promised to keep them
   (nnrt_compilation_use_in_place). */
#define NNRT_COPIES_BYTES 0x40u

/* One OH_NNCompilation_AddExtensionConfig. value has size bytes and a terminating 0 behind them. */
typedef struct nnrt_config {
    const char *name;
    const void *value;
    size_t size;
} nnrt_config;

/* What to prepare. Exactly one of graph, model_path, (model, model_size) is given; restore gets the blob
   instead, and beside it the offline model, if there is one: it says what the blob does not. */
typedef struct nnrt_request {
    const nnrt_graph *graph;
    const char *model_path;
    const void *model;
    size_t model_size;
    bool enable_float16;
    OH_NN_PerformanceMode performance;
    OH_NN_Priority priority;
    const nnrt_config *configs;
    uint32_t config_count;
    bool read_files; /* nnrt.map is 0: read model_path into memory, do not map it */
    bool is_mapped;  /* the blob of restore is a mapped file: another process may change it at any time */
    bool bytes_go;   /* model, or the blob, may go when the compilation is destroyed; only with NNRT_COPIES_BYTES */
    bool model_goes; /* the same of the model that restore gets beside the blob */
} nnrt_request;

/* Takes one operation of a graph that is refused, counted from 0, and the sentence that says why, which lives only
   during the call. */
typedef void (*nnrt_refuse_callback)(void *user, uint32_t node, const char *sentence);

/* Description of a model input or output. Strings and arrays belong to the prepared model. */
typedef struct nnrt_io_desc {
    const char *name;
    OH_NN_DataType dtype;
    OH_NN_Format format;
    uint32_t rank; /* 1..NNRT_MAX_RANK */
    int32_t dims[NNRT_MAX_RANK];
    double scale; /* 0: not quantized */
    int32_t zero_point;
} nnrt_io_desc;

/* One tensor of a run. */
typedef struct nnrt_io {
    void *data;    /* first byte; inputs are only read */
    size_t size;   /* bytes that may be used from data */
    int fd;        /* shared memory that data lies in, or -1: none. Always there for a device with import and
                      without allocate; else only after OH_NNTensor_GetFd or CreateWithFd */
    size_t offset; /* of data in fd */
    void *memory;  /* handle of allocate/import when this device made the memory, else NULL */
    OH_NN_DataType dtype;
    uint32_t rank;
    int32_t dims[NNRT_MAX_RANK]; /* inputs: the actual shape. outputs: set by run; a declared one has it before */
    bool declared; /* type and shape are those of io_desc, all known, and size is enough: no need to look again */
} nnrt_io;

/* Memory made by a device. */
typedef struct nnrt_device_memory {
    void *data;        /* mapped into this process */
    int fd;            /* for OH_NNTensor_GetFd; -1 when the device has none */
    void *handle;      /* the device's own */
    size_t heap_bytes; /* (optional) of NNRT_MALLOC in it; zero on entry */
} nnrt_device_memory;

typedef struct nnrt_backend {
    /* identity: the device is listed as NAME_VENDOR_VERSION */
    uint32_t version; /* NNRT_BACKEND_VERSION */
    const char *name;
    const char *vendor;
    const char *device_version;
    OH_NN_DeviceType type;
    uint32_t capabilities; /* NNRT_CAN_* */
    void *user;            /* handed to open */

    /* life of the device */
    OH_NN_ReturnCode (*open)(void *user, void **device); /* (optional) failure: the device is not listed, and
                                                            why is logged, as a warning unless the answer is
                                                            OH_NN_UNSUPPORTED: other boards may have it */

    /* capability */
    /* (optional) NULL: every node; anything but success refuses the node, nnrt_backend_fail() having said
       why */
    OH_NN_ReturnCode (*supports)(void *device, const nnrt_graph *graph, uint32_t node);
    /* (optional) NULL: every config is refused */
    OH_NN_ReturnCode (*check_config)(void *device, const nnrt_config *config);

    /* prepare */
    OH_NN_ReturnCode (*prepare)(void *device, const nnrt_request *request, void **prepared);
    OH_NN_ReturnCode (*restore)(void *device, const nnrt_request *request, const void *blob, size_t size,
                                void **prepared); /* with NNRT_CAN_CACHE. The blob is untrusted */
    /* with NNRT_CAN_CACHE. Sets *size to what is needed; writes only if capacity is enough; blob NULL: asks
       the size. OH_NN_UNSUPPORTED: this model has no cache, and Build goes on without */
    OH_NN_ReturnCode (*save)(void *prepared, void *blob, size_t capacity, size_t *size);
    void (*release)(void *prepared);

    /* describe */
    void (*io_count)(void *prepared, size_t *inputs, size_t *outputs);
    OH_NN_ReturnCode (*io_desc)(void *prepared, bool output, size_t index, nnrt_io_desc *desc);
    /* (optional) NULL: GetInputDimRange is forbidden. Arrays of rank elements */
    OH_NN_ReturnCode (*input_range)(void *prepared, size_t index, size_t *min_dims, size_t *max_dims);

    /* run */
    OH_NN_ReturnCode (*open_executor)(void *prepared, void **executor);
    void (*close_executor)(void *executor);
    OH_NN_ReturnCode (*run)(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                            size_t output_count); /* OH_NN_CONNECTION_EXCEPTION: the device died */
    /* (optional) asks the run under way to end soon; NULL: a run past its deadline is reported and left to
       finish by itself. Comes from another thread, never waits, and is repeated until run has returned: run
       may forget what came before it began to look */
    void (*cancel)(void *executor);
    /* (optional) asked at most once between two runs, or prepare_shapes: the list stays until the next of them */
    OH_NN_ReturnCode (*profile)(void *executor, const nnrt_profile_step **steps, uint32_t *count);
    /* (optional) memory is zero on entry; heap_bytes: what the device itself holds, nnrt adds its own part, and
       build_peak_bytes, afterwards */
    OH_NN_ReturnCode (*memory)(void *executor, nnrt_memory *memory);

    /* memory of tensors; all three NULL: memory of the system is used, which need not have a descriptor */
    OH_NN_ReturnCode (*allocate)(void *device, size_t size, nnrt_device_memory *memory); /* (optional) */
    /* (optional) NULL: CreateWithFd maps the fd; memory->data is the byte at offset */
    OH_NN_ReturnCode (*import)(void *device, int fd, size_t size, size_t offset, nnrt_device_memory *memory);
    void (*free_memory)(void *device, nnrt_device_memory *memory); /* with allocate or import */

    /* (optional) called once per executor, before its first run with a deadline, never during a run: from now on
       cancel may come. Whoever needs a thread to be able to give up a run starts it here */
    OH_NN_ReturnCode (*expect_cancel)(void *executor);
    /* (optional) writes the fact called name to text, terminated; OH_NN_INVALID_PARAMETER: no such fact, or size is
       too small; OH_NN_UNSUPPORTED: not on this driver */
    OH_NN_ReturnCode (*info)(void *executor, const char *name, char *text, size_t size);

    /* (optional) NULL: no format of files is this backend's; as the first device it gets every file for which none was
       chosen. Looks at the outermost part of a file, size bytes in any
       alignment that nobody has checked. OH_NN_UNSUPPORTED: not this backend's, no sentence is needed;
       OH_NN_INVALID_FILE: it is, but damaged; OH_NN_SUCCESS: it is, and tell (NULL: nothing to tell) was called with
       user for each pair. Nothing is told before it is certain that the answer is success */
    OH_NN_ReturnCode (*inspect)(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user);
    /* (optional) all names that info answers, ended by {NULL, NNRT_FACT_END}; needs info. Lives as long as the table */
    const nnrt_fact *facts;

    /* (optional) waits until nothing of a run that ended in OH_NN_TIMEOUT uses its tensors any more, at most
       timeout_ms; OH_NN_TIMEOUT: it still does. At any time, from any thread. NULL: nothing does when run has
       returned */
    OH_NN_ReturnCode (*wait_late)(void *executor, uint32_t timeout_ms);

    /* (optional) asked when Build is through with the model, and the answer stays: false: nothing of the request's
       graph is looked at any more, and it may go. With prepare_shapes true says, too, that shapes are compiled when
       they are met. NULL: the graph stays until release */
    bool (*needs_graph)(void *prepared);
    /* (optional) makes the executor ready for inputs of these shapes, so that a run with them takes no memory. inputs
       have dtype, rank and dims and no data; outputs get rank and dims. Not while run is under way. NULL: runs need
       nothing, or it cannot be made ready before them: then nnrt_executor_prepare refuses dynamic shapes */
    OH_NN_ReturnCode (*prepare_shapes)(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                       size_t output_count);

    /* (optional) *key: a number that is another one wherever settings of request change the bytes that save gives; its
       model is not looked at. A cache with another key is compiled again, and restore has to honour every other
       setting. NULL: every extension config counts. Performance mode and float16 always do */
    OH_NN_ReturnCode (*cache_key)(void *device, const nnrt_request *request, uint64_t *key);

    /* (optional) takes memory of the program's, size bytes from address, that the device knows by a physical address;
       with free_memory, which lets go of it. NULL: the device knows no physical addresses */
    OH_NN_ReturnCode (*import_physical)(void *device, uint64_t physical, void *address, size_t size,
                                        nnrt_device_memory *memory);

    /* (optional) the bytes that an arena of the program's must have for an executor; with open_executor_in. NULL: the
       device takes none */
    OH_NN_ReturnCode (*arena_size)(void *prepared, size_t *bytes);
    /* (optional) open_executor with so many bytes at arena, a multiple of NNRT_ARENA_ALIGNMENT, which executors may
       share: nothing there is read before the same run has written it, or written but by a run, and run is through with
       it when it returns */
    OH_NN_ReturnCode (*open_executor_in)(void *prepared, void *arena, void **executor);
    /* (optional) makes the state of an executor what it was when it was opened; not while run is under way. NULL: the
       device keeps nothing from run to run, and graphs with states are refused */
    OH_NN_ReturnCode (*reset)(void *executor);
    /* (optional) for nnrt_executor_get_schedule; not while run is under way. NULL: the device tells none */
    OH_NN_ReturnCode (*schedule)(void *executor, const nnrt_schedule **schedule);
    /* (optional) what supports and then prepare would say of a graph, with float16 allowed and no other setting: calls
       refuse for each node that is to blame, any number of times, and for every node when the graph as a whole is.
       OH_NN_SUCCESS: prepare takes it, and refuse was not called. OH_NN_MEMORY_ERROR: there is no answer. NULL:
       supports says it all */
    OH_NN_ReturnCode (*check_graph)(void *device, const nnrt_graph *graph, nnrt_refuse_callback refuse, void *user);
} nnrt_backend;

/* Adds a device at the end of the list. *device_id (may be NULL) gets its id.
   OH_NN_INVALID_PARAMETER: NULL, wrong version, a required slot is missing, or the name is taken.
   OH_NN_MEMORY_ERROR: no room in the list. Else what the backend's open answered. */
NNRT_API OH_NN_ReturnCode nnrt_register_backend(const nnrt_backend *backend, size_t *device_id);

/* For backends: leaves sentence (copied; one of more than 255 bytes loses words of its middle) for nnrt_last_error()
   and returns code. */
NNRT_API OH_NN_ReturnCode nnrt_backend_fail(OH_NN_ReturnCode code, const char *sentence);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_CORE_API_EXTENSIONS_H */
