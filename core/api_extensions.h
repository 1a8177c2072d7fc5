/* SPDX-License-Identifier: Apache-2.0 */
/* core/api_extensions.h - what nnrt adds to the OH_NN* API: error sentences, log, profile, memory, schedule, arenas
   supplied by the program, what a file is, backends of your own.   >>api_extensions

   Everything here begins with nnrt_ or NNRT_, and none of it is needed to use the OH_NN* calls. */
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
   "0.1.0 cpu threads isa=avx2 ...". A static string of the calling thread; never NULL. */
NNRT_API const char *nnrt_version(void);

/* Says why the last failing call of this thread failed; "" if none has failed yet. Successful calls do not change it.
   The string belongs to nnrt and lives until the thread's next failing call. */
NNRT_API const char *nnrt_last_error(void);

/* The name of a return code, "OH_NN_INVALID_FILE"; "unknown return code" for anything else. Never NULL. */
NNRT_API const char *nnrt_strerror(OH_NN_ReturnCode code);

typedef enum nnrt_log_level {
    NNRT_LOG_ERROR = 0,
    NNRT_LOG_WARNING = 1,
    NNRT_LOG_INFO = 2
} nnrt_log_level;

/* message is one line without a line feed and lives only during the call. Called from any thread that uses nnrt, from
   nnrt's own threads, and from several at once. No lock of nnrt is held: the callback may call every nnrt function, but
   not on the object that the logging call works on. Such calls log nothing, and do not change nnrt_last_error(). */
typedef void (*nnrt_log_callback)(void *user, nnrt_log_level level, const char *message);

/* Sends log lines to callback; NULL (the default) drops them. nnrt itself never prints. Do not call it while other
   threads use nnrt. */
NNRT_API void nnrt_set_log(nnrt_log_callback callback, void *user);

/* ------------------------------------------------------------------------------------- profile and memory */

/* Memory of an executor and its compilation, in bytes. Objects that the program has to destroy are not counted:
   OH_NNModel, tensors, descriptors, memory of OH_NNExecutor_AllocateInputMemory. */
typedef struct nnrt_memory {
    size_t arena_bytes;      /* activations and scratch of this executor: exact, fixed at Build; includes an arena
                                supplied by the program, which is not in heap_bytes */
    size_t bound_bytes;      /* what the fullest step needs: with these steps in this order no placement of the tensors
                                gives a smaller arena. 0: the device cannot tell */
    size_t scratch_bytes;    /* the part of arena_bytes that kernels use only while they run */
    size_t weights_bytes;    /* constants in the plan: packed weights, biases, tables */
    size_t plan_bytes;       /* the whole plan; weights_bytes included */
    size_t borrowed_bytes;   /* the part of the plan and the weights that is read in place from the caller's memory or
                              file */
    size_t heap_bytes;       /* all that NNRT_MALLOC has handed out for this executor and its compilation: exactly the
                              requested sizes, an arena of nnrt's included. What is shared counts for each that shares
                              it: a compilation of several executors, a graph that the device still needs (dynamic
                              shapes), even while its OH_NNModel lives, and what compilations share on Rockchip's
                              device. What a vendor's library allocates is in none of these */
    size_t device_bytes;     /* memory of an accelerator, 0 on the CPU */
    size_t build_peak_bytes; /* the peak of NNRT_MALLOC for the compilation while it was built, its graph included */
    size_t state_bytes;      /* state kept from one run to the next, two copies: the last run's and the next run's.
                                Never in an arena, which executors may share */
} nnrt_memory;

/* One step of the compiled model, in order of execution. */
typedef struct nnrt_profile_step {
    const char *name;       /* name of the output tensor */
    OH_NN_OperationType op; /* the operator that it came from */
    const char *kernel;     /* "conv_s8", "softmax_s8" ... */
    const char *isa;        /* "scalar", "neon", "avx2" ... */
    OH_NN_DataType dtype;   /* of the output */
    uint32_t rank;
    int32_t dims[NNRT_MAX_RANK]; /* of the output, or of its window if it is computed in stripes of rows */
    uint64_t macs;               /* multiply-accumulates of one run; 0 for steps that have none */
    uint64_t weights_bytes;
    double output_scale; /* 0: not quantized */
    int32_t output_zero_point;
    uint32_t weight_scales; /* 0: no quantized weights, 1: per tensor, else per channel */
    uint32_t runs;          /* runs timed: 0 unless extension config "nnrt.profile" is "1" */
    uint64_t last_ns;
    uint64_t min_ns;
    uint64_t total_ns;
    uint64_t copied_bytes; /* in the last run, between the program's tensors and the accelerator's memory; 0 on the CPU
                              and where the accelerator works on the tensors in place */
} nnrt_profile_step;

/* Steps of the compiled model, with times if the compilation was built with extension config "nnrt.profile" = "1".
   *steps belongs to the executor and is valid until its next run, its next nnrt_executor_prepare or its destruction;
   until then further calls return the same list.
   OH_NN_INVALID_PARAMETER: a NULL argument. OH_NN_UNSUPPORTED: the device keeps no profile. OH_NN_MEMORY_ERROR: without
   the config the list is allocated by this call. OH_NN_DYNAMIC_SHAPE: the model has dynamic shapes and was neither run
   nor prepared yet. */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_profile(const OH_NNExecutor *executor, const nnrt_profile_step **steps,
                                                    uint32_t *step_count);

/* Memory figures of an executor. OH_NN_INVALID_PARAMETER: a NULL argument. OH_NN_UNSUPPORTED: the device has
   none. */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_memory(const OH_NNExecutor *executor, nnrt_memory *memory);

/* ----------------------------------------------------------------- the schedule: what is computed from what, and where
   For tools that show a compiled model: the graph of its steps, and where in the arena each tensor lies during which
   steps. Only the CPU device has it, and only without NNRT_PLANS_ONLY, so that it costs those builds no flash. */

/* Instead of the number of a tensor or step: there is none. */
#define NNRT_SCHEDULE_NONE 0xffffffffu

/* Where the bytes of a tensor are while the model runs. */
typedef enum nnrt_place {
    NNRT_PLACE_ARENA = 0,      /* at offset in the arena */
    NNRT_PLACE_INPUT = 1,      /* in the program's tensor for input number index */
    NNRT_PLACE_OUTPUT = 2,     /* in the program's tensor for output number index */
    NNRT_PLACE_STATE = 3,      /* state number index, as the last run left it */
    NNRT_PLACE_NEXT_STATE = 4, /* state number index, as the next run will find it */
    NNRT_PLACE_PLAN = 5,       /* at offset among the constants of the plan */
    NNRT_PLACE_MODEL = 6       /* at offset in the bytes of the model, where weights were left */
} nnrt_place;

/* A tensor or constant of the compiled model. */
typedef struct nnrt_schedule_tensor {
    const char *name; /* "" for what Build made, such as packed weights and what is between two steps of one operator */
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
    uint32_t first_step; /* the tensor owns its bytes from this step ... */
    uint32_t last_step;  /* ... to this one, both included; NNRT_SCHEDULE_NONE: no step touches it. A step that works in
                            place has an input and an output in the same bytes */
    uint32_t view_of;    /* the tensor whose bytes this one shows in another shape; NNRT_SCHEDULE_NONE: it has its
                            own */
} nnrt_schedule_tensor;

/* Operators of the model that were fused into this step: a sum of these. */
#define NNRT_FUSED_PAD 0x1u   /* PAD before it */
#define NNRT_FUSED_RELU 0x2u  /* RELU after it, an operator of the model or the activation of one */
#define NNRT_FUSED_RELU6 0x4u /* RELU6 after it, likewise */

/* Which inputs a convolution or a pool reads: output row y and kernel row i read input row y * stride[0] - padding[0] +
   i * dilation[0]; columns likewise. A transposed convolution writes where this one reads. */
typedef struct nnrt_window {
    int32_t kernel[2]; /* height, width; 0, like all other fields: the step has no window */
    int32_t stride[2];
    int32_t dilation[2];
    int32_t padding[4]; /* top, bottom, left, right: how far windows reach past the edges of the input, a fused PAD
                           included. Negative: that many rows or columns of a transposed convolution are cut off */
} nnrt_window;

typedef struct nnrt_schedule_step {
    const uint32_t *inputs;  /* numbers of tensors; NNRT_SCHEDULE_NONE: an optional one that is absent */
    const uint32_t *outputs; /* likewise */
    uint32_t input_count, output_count;
    size_t scratch_offset; /* in the arena: memory that only this step uses, and only while it runs */
    size_t scratch_bytes;  /* of all threads; 0: it needs none */
    uint32_t fused;        /* NNRT_FUSED_* */
    uint32_t turns;        /* 2 or more: the steps of this group run one after the other that many times, each time for
                              some rows of their outputs, of which the arena holds a window. 0: the step runs once */
    uint32_t group;        /* the first step of its group; the step itself if it is in none */
    nnrt_window window;    /* of CONV2D, DEPTHWISE_CONV2D_NATIVE, CONV2D_TRANSPOSE, MAX_POOL and AVG_POOL */
} nnrt_schedule_step;

typedef struct nnrt_schedule {
    const nnrt_schedule_tensor *tensors;
    const nnrt_schedule_step *steps; /* in order of execution: steps[i] is step i of nnrt_executor_get_profile */
    const uint32_t *inputs;          /* of the model: numbers of tensors */
    const uint32_t *outputs;
    uint32_t tensor_count, step_count, input_count, output_count;
    const void *arena; /* the executor's; between runs it holds what the last one left. A tensor is intact unless a
                          later one took its place; with extension config "nnrt.keep" = "1" all are */
} nnrt_schedule;

/* The schedule of the compiled model; with dynamic shapes, for those run or prepared last. It is made anew by each
   call: *schedule and all that it points to belong to the executor and are valid until the next such call, the
   executor's next run, or its destruction. *schedule is set on success only. For the size of the arena see arena_bytes
   and bound_bytes of nnrt_memory.
   OH_NN_INVALID_PARAMETER: a NULL argument. OH_NN_UNSUPPORTED: the device has none. OH_NN_MEMORY_ERROR.
   OH_NN_DYNAMIC_SHAPE: a model with dynamic shapes that was neither run nor prepared yet. */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_schedule(const OH_NNExecutor *executor, const nnrt_schedule **schedule);

/* -------------------------------------------------------------------------------- an arena of the program's

   The arena is the memory that an executor computes in: activations and scratch. By default nnrt takes it from
   NNRT_MALLOC. With these calls the program supplies it, as a static array for example, and several executors may share
   one. Only the CPU device supports this. Between runs nothing in an arena is needed: the program may use it for
   something else. */

/* An arena begins at the first multiple of this many bytes in the memory that it is given. */
#define NNRT_ARENA_ALIGNMENT 64u

/* The bytes of the arena that nnrt_executor_construct_in needs, counted from a multiple of NNRT_ARENA_ALIGNMENT:
   exactly arena_bytes of nnrt_memory. The plan records it: for a plan made by `nnrt compile` it is the same on every
   processor, and NAME_ARENA_BYTES in a C file written by `nnrt compile --c`. *bytes is set on success only.
   OH_NN_INVALID_PARAMETER: a NULL argument, or the compilation is not built. OH_NN_UNSUPPORTED: the device takes no
   arena from the program. OH_NN_DYNAMIC_SHAPE: the shape of an input, and so the size of the arena, is not known before
   a run. */
NNRT_API OH_NN_ReturnCode nnrt_compilation_get_arena(const OH_NNCompilation *compilation, size_t *bytes);

/* OH_NNExecutor_Construct with the program's arena: bytes at arena, in any alignment; those before the first multiple
   of NNRT_ARENA_ALIGNMENT are not used. Only the executor's handles come from NNRT_MALLOC. The program owns the arena
   and must keep it until the executor is destroyed. nnrt writes there during runs only. Executors of any models may
   share an arena, or use ones that overlap, as long as each has the bytes that its compilation needs and only one runs
   at a time. A run that begins while another is under way in the same memory, even in an interrupt, is refused with
   OH_NN_OPERATION_FORBIDDEN and touches nothing. *executor is set on success only.
   OH_NN_INVALID_PARAMETER: a NULL argument, the compilation is not built, or there are too few bytes: the sentence says
   how many there are and how many are needed. OH_NN_UNSUPPORTED, OH_NN_DYNAMIC_SHAPE: as above. OH_NN_MEMORY_ERROR.
   Otherwise the device's code. */
NNRT_API OH_NN_ReturnCode nnrt_executor_construct_in(OH_NNCompilation *compilation, void *arena, size_t bytes,
                                                     OH_NNExecutor **executor);

/* A tensor for input `index` that lies in the executor's own arena, for a model or plan compiled with extension config
   "nnrt.inputs" = "arena". Memory for the input is then part of the arena, and once it has been read other tensors take
   its place: fill the whole of it before each run, while no other run uses the arena; what is in it after a run is not
   defined. It has the data type and shape of the model, and no descriptor. OH_NNTensor_Destroy frees it, before the
   executor is destroyed. A run with any other tensor copies that into the arena first; one that lies in the arena in
   another place, as the tensor of an executor that shares it may, is refused with OH_NN_INVALID_PARAMETER.
   NULL, with a sentence: executor is NULL, there is no such input, it does not lie in the arena (it was not compiled
   so, no step reads it, or it is also an output; shapes are dynamic; the device has no arena), or out of memory. From
   any thread. */
NNRT_API NN_Tensor *nnrt_tensor_create_in_arena(const OH_NNExecutor *executor, size_t index);

/* ----------------------------------------------------------------------------- a model that stays where it lies

   The memory given to OH_NNCompilation_ConstructWithOfflineModelBuffer and OH_NNCompilation_ImportCacheFromBuffer may
   be freed once the compilation is destroyed, because Build copies what executors need. A model in flash, in a mapped
   file or in an array of the program needs no such copy. */

/* Promises that the memory of the model or cache that compilation was or will be given stays in place, unchanged, until
   the compilation and all its executors are destroyed. Build then does not copy what the device can read in place: on
   the CPU device the constants of a plan at a multiple of 8 bytes, and the weights that OH_NN_PERFORMANCE_LOW leaves in
   a .tflite (borrowed_bytes of nnrt_memory). A plan at any other address is copied, which is logged. Has no effect
   without a model or cache in memory.
   OH_NN_INVALID_PARAMETER: compilation is NULL. OH_NN_OPERATION_FORBIDDEN: it is built. */
NNRT_API OH_NN_ReturnCode nnrt_compilation_use_in_place(OH_NNCompilation *compilation);

/* --------------------------------------------------------------------- what is kept from one run to the next

   A model may have state: tensors that a run reads as the previous run left them. State belongs to the executor, starts
   with the data set on the tensor, or else with zeros (its zero point, if quantized), and is neither input nor output
   of the model. A run that fails or is stopped at its deadline leaves it unchanged. Recurrent .tflite models have state
   (variables of SVDF and of UNIDIRECTIONAL_SEQUENCE_LSTM); other models get it from this call. Only the CPU device
   supports it. */

/* Makes tensor state: a run reads it, and what the run computes in next becomes its contents for the next run; next may
   also be an output of the model. Both have the same data type and the same static shape. Data from
   OH_NNModel_SetTensorData on tensor are its initial contents. Call it before OH_NNModel_Finish.
   OH_NN_INVALID_PARAMETER: model is NULL, there is no such tensor, they differ, a shape is dynamic, tensor is state
   already, or there are 200 of them. OH_NN_OPERATION_FORBIDDEN: the model is finished. OH_NN_MEMORY_ERROR.
   OH_NNModel_Finish refuses a state that is also an input of the model. */
NNRT_API OH_NN_ReturnCode nnrt_model_add_state(OH_NNModel *model, uint32_t tensor, uint32_t next);

/* Resets the state of an executor to its initial contents. Waits for a run that is under way. Also succeeds if there is
   no state. OH_NN_INVALID_PARAMETER: executor is NULL. Otherwise the device's code. */
NNRT_API OH_NN_ReturnCode nnrt_executor_reset(OH_NNExecutor *executor);

/* The id of the device that an executor runs on, for making its tensors: the one that Build chose, if the program named
   none. OH_NN_INVALID_PARAMETER: a NULL argument. From any thread. */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_device(const OH_NNExecutor *executor, size_t *device_id);

/* A tensor in memory from another driver, a camera's picture for example, that the accelerator reaches by its physical
   address: runs use it in place, like a tensor of OH_NNTensor_Create. desc stays the caller's. size bytes, at least
   those of desc, are contiguous both at address, where they are mapped into this process, and at physical. The program
   owns them, keeps them until the tensor is destroyed and no run uses it any more (see nnrt_executor_wait_late), and
   frees them. The CPU's cache of them is written back before a run and invalidated after one that wrote there.
   NULL, with a sentence: desc or address is NULL, physical is 0, size is too small or more than 1 GiB, there is no
   device with this id (0: the first one), it knows no physical addresses, or out of memory. From any thread. */
NNRT_API NN_Tensor *nnrt_tensor_create_physical(size_t device_id, NN_TensorDesc *desc, uint64_t physical, void *address,
                                                size_t size);

/* Scale and zero point of a quantized model input or output: real = scale * (q - zero_point). scale 0 means
   that the tensor is not quantized. OH_NN_INVALID_PARAMETER: a NULL argument, or index past the inputs
   (outputs). */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_input_quant(const OH_NNExecutor *executor, size_t index, double *scale,
                                                        int32_t *zero_point);
NNRT_API OH_NN_ReturnCode nnrt_executor_get_output_quant(const OH_NNExecutor *executor, size_t index, double *scale,
                                                         int32_t *zero_point);

/* Waits until the device no longer uses the tensors of any run of the executor that ended with OH_NN_TIMEOUT, in its
   callback or from OH_NNExecutor_RunSync: until then it may still read their inputs and write their outputs. A device
   that can be stopped, like the CPU, is done with them when the callback comes. Waits at most timeout_ms milliseconds;
   0 only asks. From any thread, also from inside a callback of the executor.
   OH_NN_TIMEOUT: not yet: leave the contents of the tensors alone, or destroy them and make others.
   OH_NN_INVALID_PARAMETER: executor is NULL. Else what the device answered. */
NNRT_API OH_NN_ReturnCode nnrt_executor_wait_late(OH_NNExecutor *executor, uint32_t timeout_ms);

/* Writes a fact about the executor's model, the accelerator or its driver to text, of size bytes, always terminated.
   nnrt_device_get_facts lists the names, and the page of the device explains them.
   OH_NN_INVALID_PARAMETER: a NULL argument, size 0, a name that the device does not know, or text too short.
   OH_NN_UNSUPPORTED: the device has no facts, or its driver is too old for this one. */
NNRT_API OH_NN_ReturnCode nnrt_executor_get_info(const OH_NNExecutor *executor, const char *name, char *text,
                                                 size_t size);

/* What a fact is about. */
typedef enum nnrt_fact_kind {
    NNRT_FACT_END = 0,    /* no fact: the end of a list */
    NNRT_FACT_MODEL = 1,  /* the device, its driver or the model: ask any executor */
    NNRT_FACT_RUN = 2,    /* the last run of the executor */
    NNRT_FACT_INPUT = 3,  /* one input of the model: append its number, counted from 0, to the name */
    NNRT_FACT_OUTPUT = 4, /* one output, likewise */
    NNRT_FACT_STEP = 5    /* a step of nnrt_executor_get_profile, likewise; only some steps have it */
} nnrt_fact_kind;

/* A name for nnrt_executor_get_info. */
typedef struct nnrt_fact {
    const char *name;
    nnrt_fact_kind kind;
} nnrt_fact;

/* The names of all facts of a device, in the order in which people want to read them, ended by {NULL, NNRT_FACT_END}. A
   listed fact may still be OH_NN_UNSUPPORTED with this driver or for this model. device_id 0: the first device. *facts
   belongs to the device and lives as long as the program. From any thread.
   OH_NN_INVALID_PARAMETER: facts is NULL. OH_NN_FAILED: no device has this id. OH_NN_UNSUPPORTED: the device lists
   none. *facts is set on success only. */
NNRT_API OH_NN_ReturnCode nnrt_device_get_facts(size_t device_id, const nnrt_fact **facts);

/* ------------------------------------------------------------------------ why a device refuses an operator */

/* Why a device (0: the first one) cannot run operation number operation of a finished model, counted from 0 in the
   order in which the operations were added: the reason for a false from OH_NNModel_GetAvailableOperations, which need
   not be called first: the device is asked again. The sentence is copied to text, of size bytes (256 hold every one),
   truncated if too long and always terminated; "" if the device can run the operation. From any thread, while nobody
   changes the model; nnrt_last_error() stays as it was.
   OH_NN_INVALID_PARAMETER: an argument is NULL, size is 0, or there is no such operation.
   OH_NN_OPERATION_FORBIDDEN: the model is not finished. OH_NN_FAILED: there is no such device. */
NNRT_API OH_NN_ReturnCode nnrt_model_get_reason(const OH_NNModel *model, size_t device_id, uint32_t operation,
                                                char *text, size_t size);

/* ---------------------------------------------------------------------------- dynamic shapes before the run

   A model with dynamic shapes (OH_NNExecutor_GetInputDimRange) is compiled for a shape in the first run with it: that
   run allocates, and takes as long as a Build. nnrt_executor_prepare does it beforehand. A model whose inputs hold axes
   or sizes (the shape of a RESHAPE, the k of a TOP_K) can only be compiled in the first run with these values.

   A .tflite whose inputs leave dimensions open is compiled by Build for the shape in the file and runs with it like any
   other. For other shapes nnrt keeps the file mapped and takes memory of its own, even if the program supplied an
   arena. As with TensorFlow Lite's ResizeInputTensorStrict, only open dimensions can change; a compiled plan has one
   shape. */

/* Prepares executor for inputs of these shapes: a synchronous run with them then allocates nothing. inputs: one
   descriptor per model input, as from OH_NNExecutor_CreateInputTensorDesc, with the shape set; they stay the caller's.
   After success OH_NNExecutor_GetOutputShape and OH_NNExecutor_CreateOutputTensorDesc return the shapes that the run
   will have, so that its tensors can be made. The CPU device keeps an executor's four most recently used shapes, or the
   one from Build and three more. A model with static shapes needs no preparation: success. Waits for a run of the
   executor that is under way.
   OH_NN_INVALID_PARAMETER: a NULL argument, another number of inputs than the model has, a shape or data type that the
   input cannot have. OH_NN_UNSUPPORTED: the device cannot do it before a run, or shapes depend on what inputs hold.
   OH_NN_UNAVAILABLE_DEVICE: the model cannot be compiled for these shapes, or the device died. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_executor_prepare(OH_NNExecutor *executor, NN_TensorDesc *const inputs[],
                                                size_t input_count);

/* ----------------------------------------------------------------------------------------- what a file is */

/* Receives one thing that a file says about itself: label is a few words ("toolkit"), text one line ("2.3.2"). Both
   live only during the call. text may contain bytes of the file: escape it before printing. */
typedef void (*nnrt_inspect_callback)(void *user, const char *label, const char *text);

/* Finds which device of this build a model file is for, and what the file says about itself. No device has to be
   present: the compiled-in backends are asked in order, whether or not they could be opened, then the registered ones.
   The first that knows the format answers, and *device_name (may be NULL) gets the name that its device has in the
   list, or would have; the string lives as long as the program. tell (may be NULL) is called in this thread for each
   thing that the file says, and only if the function then returns OH_NN_SUCCESS. bytes is the whole file, in any
   alignment, untrusted, and not needed afterwards. Only its outermost part is read: success does not mean that the
   device will accept the model. From any thread.
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

/* One tensor of state. */
typedef struct nnrt_state {
    uint32_t tensor; /* what a run reads; not constant: its data, if any, are for the first run */
    uint32_t next;   /* what the run leaves in it for the next one; same type and shape */
} nnrt_state;

typedef struct nnrt_graph {
    uint32_t tensor_count;
    uint32_t node_count;
    uint32_t input_count;
    uint32_t output_count;
    const nnrt_tensor_info *tensors;
    const nnrt_node *nodes; /* in the order in which they were added, not necessarily that of execution */
    const uint32_t *inputs;
    const uint32_t *outputs;
    const nnrt_state *states; /* only for a device with reset */
    uint32_t state_count;
} nnrt_graph;

/* ------------------------------------------------------------------------------------- the backend table

   A backend is one device. Fill an nnrt_backend that lives as long as the program, initialised by position, and pass it
   to nnrt_register_backend() before any other thread uses nnrt.

   Order of calls   open once at registration; then, for every compilation, supports per node (graphs only),
                    prepare or restore, the describe calls, save; open_executor per executor; run any number
                    of times; close_executor; release when the compilation and all its executors are gone;
                    close never (a device stays registered until the program ends).
   Threads          calls on different prepared models and executors may come from different threads at once.
                    nnrt serialises calls on one executor, except cancel, which comes while run is under way, and
                    wait_late.
   Success          every out parameter is set. Failure: out parameters are ignored, whatever was allocated
                    has been freed by the backend, and nnrt_backend_fail() was called once to leave a
                    sentence.
   On entry         *device, *prepared and *executor are NULL.
   Lifetime         the graph (see needs_graph), the model bytes and the blob of a request stay valid and unchanged
                    until release; with NNRT_COPIES_BYTES the bytes and the blob only as long as it says.
   Without device   inspect needs no device: it is called at any time, from any thread, even before open, and for a
                    backend that ships with nnrt even after open has failed. Such a backend may have nothing but
                    inspect: then it is no device.
   Version          increases when the table grows, which it only does by optional slots at its end. A table compiled
                    with an older nnrt.h is too short and is refused. Source that initialises fewer members, by
                    position, still compiles and is correct: C and C++ make the others NULL (and -Wextra has
                    -Wmissing-field-initializers, which names them). */

#define NNRT_BACKEND_VERSION 6u

/* What a device can do beyond running. Build refuses a request for what is missing. */
#define NNRT_CAN_FLOAT16 0x1u
#define NNRT_CAN_PERFORMANCE 0x2u
#define NNRT_CAN_PRIORITY 0x4u
#define NNRT_CAN_DYNAMIC_SHAPE 0x8u
#define NNRT_CAN_CACHE 0x10u
/* Its models are compiled already: without NNRT_CAN_CACHE, a cache directory is then ignored with a line in the log. A
   device with neither flag refuses one. */
#define NNRT_NEEDS_NO_CACHE 0x20u
/* Where bytes_go is true, the device copies what it needs of a request's model bytes and blob: they last until the
   compilation is destroyed, so only prepare, restore, save and open_executor may read them. For a device without this
   flag nnrt makes a copy that lasts until release, unless the program has promised to keep them
   (nnrt_compilation_use_in_place). */
#define NNRT_COPIES_BYTES 0x40u

/* One OH_NNCompilation_AddExtensionConfig. value has size bytes, followed by a terminating 0. */
typedef struct nnrt_config {
    const char *name;
    const void *value;
    size_t size;
} nnrt_config;

/* What to prepare. Exactly one of graph, model_path, (model, model_size) is given; restore gets the blob instead, and
   also the offline model, if there is one, for what the blob does not hold. */
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

/* Receives one refused operation of a graph, counted from 0, and the sentence that says why, which lives only during
   the call. */
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
    int fd;        /* shared memory that contains data, or -1: none. Always set for a device with import but without
                      allocate; otherwise only after OH_NNTensor_GetFd or CreateWithFd */
    size_t offset; /* of data in fd */
    void *memory;  /* handle of allocate/import when this device made the memory, else NULL */
    OH_NN_DataType dtype;
    uint32_t rank;
    int32_t dims[NNRT_MAX_RANK]; /* inputs: the actual shape. outputs: set by run, or beforehand if declared */
    bool declared; /* type and shape are those of io_desc, static, and size is enough: no need to check again */
    bool repeated; /* of the first input: this run's tensors are those of the executor's last run, which succeeded,
                      without a change to any of them, so that what a device made of them is still right */
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
    void *user;            /* passed to open */

    /* life of the device */
    OH_NN_ReturnCode (*open)(void *user, void **device); /* (optional) failure: the device is not listed, and
                                                            why is logged, as a warning unless the code is
                                                            OH_NN_UNSUPPORTED: other boards may have it */

    /* capability */
    /* (optional) NULL: every node; anything but success refuses the node, with nnrt_backend_fail() saying why */
    OH_NN_ReturnCode (*supports)(void *device, const nnrt_graph *graph, uint32_t node);
    /* (optional) NULL: every config is refused */
    OH_NN_ReturnCode (*check_config)(void *device, const nnrt_config *config);

    /* prepare */
    OH_NN_ReturnCode (*prepare)(void *device, const nnrt_request *request, void **prepared);
    OH_NN_ReturnCode (*restore)(void *device, const nnrt_request *request, const void *blob, size_t size,
                                void **prepared); /* with NNRT_CAN_CACHE. The blob is untrusted */
    /* with NNRT_CAN_CACHE. Sets *size to what is needed; writes only if capacity is enough; blob NULL: asks for the
       size. OH_NN_UNSUPPORTED: this model has no cache, and Build goes on without one */
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
    /* (optional) asks the run under way to end soon; NULL: a run past its deadline is reported and left to finish.
       Called from another thread, must not wait, and is repeated until run has returned, so run may reset the request
       when it starts */
    void (*cancel)(void *executor);
    /* (optional) called at most once between two runs or prepare_shapes; the list must last until the next of them */
    OH_NN_ReturnCode (*profile)(void *executor, const nnrt_profile_step **steps, uint32_t *count);
    /* (optional) memory is zero on entry; heap_bytes is what the device itself holds; nnrt then adds its own part and
       build_peak_bytes */
    OH_NN_ReturnCode (*memory)(void *executor, nnrt_memory *memory);

    /* memory of tensors; all three NULL: system memory is used, which may have no descriptor */
    OH_NN_ReturnCode (*allocate)(void *device, size_t size, nnrt_device_memory *memory); /* (optional) */
    /* (optional) NULL: CreateWithFd maps the fd; memory->data is the byte at offset */
    OH_NN_ReturnCode (*import)(void *device, int fd, size_t size, size_t offset, nnrt_device_memory *memory);
    void (*free_memory)(void *device, nnrt_device_memory *memory); /* with allocate or import */

    /* (optional) called once per executor, before its first run with a deadline, never during a run: from now on cancel
       may come. A device that needs a thread to abandon a run starts it here */
    OH_NN_ReturnCode (*expect_cancel)(void *executor);
    /* (optional) writes the fact called name to text, terminated; OH_NN_INVALID_PARAMETER: no such fact, or size is
       too small; OH_NN_UNSUPPORTED: not on this driver */
    OH_NN_ReturnCode (*info)(void *executor, const char *name, char *text, size_t size);

    /* (optional) NULL: the backend has no file format; as the first device it gets every file for which no device was
       chosen. Examines the outermost part of a file: size unchecked bytes in any alignment. OH_NN_UNSUPPORTED: not this
       backend's format, no sentence is needed; OH_NN_INVALID_FILE: it is, but damaged; OH_NN_SUCCESS: it is, and tell
       (may be NULL) was called with user for each pair, but not before success was certain */
    OH_NN_ReturnCode (*inspect)(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user);
    /* (optional) all names that info knows, ended by {NULL, NNRT_FACT_END}; needs info. Lives as long as the table */
    const nnrt_fact *facts;

    /* (optional) waits, at most timeout_ms, until no run that ended in OH_NN_TIMEOUT uses its tensors any more;
       OH_NN_TIMEOUT: one still does. Called at any time, from any thread. NULL: none does once run has returned */
    OH_NN_ReturnCode (*wait_late)(void *executor, uint32_t timeout_ms);

    /* (optional) called when Build has finished with the model; the answer must not change. false: the request's graph
       is not read any more and may be freed. true, with prepare_shapes, also says that shapes are compiled when they
       are first run. NULL: the graph stays until release */
    bool (*needs_graph)(void *prepared);
    /* (optional) prepares the executor for inputs of these shapes, so that a run with them allocates nothing. inputs
       have dtype, rank and dims but no data; outputs get rank and dims. Not while run is under way. NULL: runs need no
       preparation, or none is possible: then nnrt_executor_prepare refuses dynamic shapes */
    OH_NN_ReturnCode (*prepare_shapes)(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                       size_t output_count);

    /* (optional) sets *key to a number that differs whenever settings of request change the bytes from save; its model
       is not read. A cache with another key is compiled again; restore must honour every other setting. NULL: every
       extension config is in the key. Performance mode and float16 always are */
    OH_NN_ReturnCode (*cache_key)(void *device, const nnrt_request *request, uint64_t *key);

    /* (optional) imports the program's memory, size bytes from address, that the device reaches by a physical address;
       with free_memory, which releases it. NULL: the device knows no physical addresses */
    OH_NN_ReturnCode (*import_physical)(void *device, uint64_t physical, void *address, size_t size,
                                        nnrt_device_memory *memory);

    /* (optional) the bytes that the program's arena must have for an executor; with open_executor_in. NULL: the device
       takes none */
    OH_NN_ReturnCode (*arena_size)(void *prepared, size_t *bytes);
    /* (optional) open_executor with arena_size bytes at arena, a multiple of NNRT_ARENA_ALIGNMENT. Executors may share
       it: a run reads only what it has written there itself, nothing else writes there, and run no longer uses it when
       it returns */
    OH_NN_ReturnCode (*open_executor_in)(void *prepared, void *arena, void **executor);
    /* (optional) resets the state of an executor to that after opening; not while run is under way. NULL: the device
       keeps no state, and graphs with states are refused */
    OH_NN_ReturnCode (*reset)(void *executor);
    /* (optional) for nnrt_executor_get_schedule; not while run is under way. NULL: the device has none */
    OH_NN_ReturnCode (*schedule)(void *executor, const nnrt_schedule **schedule);
    /* (optional) what supports and then prepare would say of a graph, with float16 allowed and no other setting: calls
       refuse for each node at fault, any number of times, or for every node when the graph as a whole is.
       OH_NN_SUCCESS: prepare accepts it, and refuse was not called. OH_NN_MEMORY_ERROR: there is no answer. NULL:
       supports is enough */
    OH_NN_ReturnCode (*check_graph)(void *device, const nnrt_graph *graph, nnrt_refuse_callback refuse, void *user);
    /* (optional) for nnrt_tensor_create_in_arena: the bytes at memory->data, which the executor owns until
       close_executor, are where runs look for input `index` first; fd is -1. A tensor elsewhere does as well. Called at
       any time, from any thread. OH_NN_UNSUPPORTED: there are none. NULL: there are none for any input */
    OH_NN_ReturnCode (*input_memory)(void *executor, size_t index, nnrt_device_memory *memory);
} nnrt_backend;

/* Adds a device at the end of the list. *device_id (may be NULL) gets its id.
   OH_NN_INVALID_PARAMETER: NULL, wrong version, a required slot is missing, or the name is taken.
   OH_NN_MEMORY_ERROR: no room in the list. Otherwise the code of the backend's open. */
NNRT_API OH_NN_ReturnCode nnrt_register_backend(const nnrt_backend *backend, size_t *device_id);

/* For backends: sets nnrt_last_error() to a copy of sentence (words are cut from the middle of one longer than 255
   bytes) and returns code. */
NNRT_API OH_NN_ReturnCode nnrt_backend_fail(OH_NN_ReturnCode code, const char *sentence);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_CORE_API_EXTENSIONS_H */
