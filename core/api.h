/* SPDX-License-Identifier: Apache-2.0 */
/* core/api.h - the 75 functions of the OH_NN* API.   >>api

   Names, arguments and values are OpenHarmony's; "API n" is the OpenHarmony API version that introduced a function. A
   function that returns an OH_NN_ReturnCode returns OH_NN_SUCCESS or one of the codes listed with it. Every failure, a
   NULL result included, leaves a sentence in nnrt_last_error() and changes nothing unless stated otherwise.

   Ownership    What ...Create, ...Construct and ...Allocate... return belongs to the caller. What a getter points to
                belongs to the object it was called on.
   Threads      Different objects may be used from different threads at once, one object from one thread at a
                time; runs of one executor are serialized. After Build a compilation is read-only.
   Pointers     Handles must be live: every pointer but NULL is trusted. The contents of models and caches are not. */
#ifndef NNRT_CORE_API_H
#define NNRT_CORE_API_H

#include "api_types.h"

#ifndef NNRT_API
#define NNRT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------ tensor descriptors

   A descriptor is plain data: name, data type, format, shape. It has no state; any setter may be called
   any number of times, and one that fails leaves it as it was. */

/* A new descriptor: name "", type OH_NN_UNKNOWN, format OH_NN_FORMAT_NONE, no shape. The caller owns it.
   NULL: out of memory. API 11 */
NNRT_API NN_TensorDesc *OH_NNTensorDesc_Create(void);

/* Frees a descriptor and sets *tensorDesc to NULL; what GetName and GetShape pointed to goes with it. Not for a
   descriptor returned by OH_NNTensor_GetTensorDesc. API 11
   OH_NN_INVALID_PARAMETER: tensorDesc or *tensorDesc is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_Destroy(NN_TensorDesc **tensorDesc);

/* Copies name, of any length, "" included. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL.
   OH_NN_MEMORY_ERROR: no room for the copy. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_SetName(NN_TensorDesc *tensorDesc, const char *name);

/* Points *name, which must be NULL on entry, to the name; never NULL afterwards. It belongs to the
   descriptor and lives until the next SetName or Destroy. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL, or *name is not. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetName(const NN_TensorDesc *tensorDesc, const char **name);

/* Sets the type of the elements; OH_NN_UNKNOWN is allowed and has no size. API 11
   OH_NN_INVALID_PARAMETER: tensorDesc is NULL, or dataType is no OH_NN_DataType. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_SetDataType(NN_TensorDesc *tensorDesc, OH_NN_DataType dataType);

/* Gives the type of the elements. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetDataType(const NN_TensorDesc *tensorDesc, OH_NN_DataType *dataType);

/* Copies shapeLength dimensions, outermost first. The values are not checked here: -1 is a dynamic dimension, and other
   invalid values are reported where the descriptor is used. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL, or shapeLength is not in 1..10. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_SetShape(NN_TensorDesc *tensorDesc, const int32_t *shape, size_t shapeLength);

/* Points *shape, which must be NULL on entry, to the dimensions and sets *shapeLength to their number; a
   shape that was never set has length 0 and *shape stays NULL. The array belongs to the descriptor and
   lives until the next SetShape or Destroy; it is read-only. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL, or *shape is not. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetShape(const NN_TensorDesc *tensorDesc, int32_t **shape,
                                                   size_t *shapeLength);

/* Sets the layout. API 11
   OH_NN_INVALID_PARAMETER: tensorDesc is NULL, or format is no OH_NN_Format. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_SetFormat(NN_TensorDesc *tensorDesc, OH_NN_Format format);

/* Gives the layout. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetFormat(const NN_TensorDesc *tensorDesc, OH_NN_Format *format);

/* Product of the dimensions. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL; the shape was never set; or the product does not fit
       into size_t.
   OH_NN_DYNAMIC_SHAPE: a dimension is 0 or negative; *elementCount is 0. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetElementCount(const NN_TensorDesc *tensorDesc, size_t *elementCount);

/* Bytes of a dense tensor of this shape and type. On any failure other than a NULL argument *byteSize is set to 0.
   API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL; the shape was never set; the type is OH_NN_UNKNOWN;
       or the size does not fit into size_t.
   OH_NN_DYNAMIC_SHAPE: a dimension is 0 or negative, whatever the type. */
NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetByteSize(const NN_TensorDesc *tensorDesc, size_t *byteSize);

/* ------------------------------------------------------------------------------- quantization parameters

   real = scale * (q - zero point). An NN_QuantParam holds three lists: one element each for a whole
   tensor, or one per channel. Their lengths are compared when the object is attached to a tensor. */

/* A new object with three empty lists. The caller owns it. NULL: out of memory. API 11 */
NNRT_API NN_QuantParam *OH_NNQuantParam_Create(void);

/* Copies quantCount scales, replacing earlier ones. They must be positive; the device that compiles the model checks
   that. API 11
   OH_NN_INVALID_PARAMETER: quantParams or scales is NULL, or quantCount is 0.
   OH_NN_MEMORY_ERROR: no room for the copy; the earlier list is kept. */
NNRT_API OH_NN_ReturnCode OH_NNQuantParam_SetScales(NN_QuantParam *quantParams, const double *scales,
                                                    size_t quantCount);

/* Copies quantCount zero points, replacing earlier ones. They are values of the quantized type. API 11
   OH_NN_INVALID_PARAMETER: quantParams or zeroPoints is NULL, or quantCount is 0.
   OH_NN_MEMORY_ERROR: no room for the copy; the earlier list is kept. */
NNRT_API OH_NN_ReturnCode OH_NNQuantParam_SetZeroPoints(NN_QuantParam *quantParams, const int32_t *zeroPoints,
                                                        size_t quantCount);

/* Copies quantCount widths of the quantized values in bits, replacing earlier ones. Each must be 8 or 16, which is
   checked when the object is attached to a tensor. API 11
   OH_NN_INVALID_PARAMETER: quantParams or numBits is NULL, or quantCount is 0.
   OH_NN_MEMORY_ERROR: no room for the copy; the earlier list is kept. */
NNRT_API OH_NN_ReturnCode OH_NNQuantParam_SetNumBits(NN_QuantParam *quantParams, const uint32_t *numBits,
                                                     size_t quantCount);

/* Frees the object and sets *quantParams to NULL; allowed as soon as it has been attached. API 11
   OH_NN_INVALID_PARAMETER: quantParams or *quantParams is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNQuantParam_Destroy(NN_QuantParam **quantParams);

/* ------------------------------------------------------------------------------------------------ models

   A model is a graph that is built call by call and then finished. Tensors are numbered from 0 in the
   order in which they are added, by either function; every index below is such a number. After Finish every call that
   would change the model returns OH_NN_OPERATION_FORBIDDEN. All data are copied. A call that fails adds nothing. */

/* An empty model. The caller owns it. NULL: out of memory. API 9 */
NNRT_API OH_NNModel *OH_NNModel_Construct(void);

/* Appends a tensor with the name, type, shape and format of the descriptor, which may be destroyed
   afterwards. Without a name the tensor is called "Tensor: N" after its number; OH_NN_FORMAT_NONE becomes NHWC; without
   a shape it is a scalar. The tensor starts as OH_NN_TENSOR, without data and quantization parameters. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL; the type is no OH_NN_DataType; a dimension is 0 or
       below -1; or the tensor, a dynamic dimension counting as 1, has 4 GiB or 2^32 elements or more.
   OH_NN_OPERATION_FORBIDDEN: the model is finished.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNModel_AddTensorToModel(OH_NNModel *model, const NN_TensorDesc *tensorDesc);

/* Makes a tensor a constant: weights, or the value of a parameter. length must be exactly its size in bytes. Only once
   per tensor. A parameter needs its data before the OH_NNModel_AddOperation that uses it. API 9
   OH_NN_INVALID_PARAMETER: model or dataBuffer is NULL; length is 0 or differs from the size; there is no such tensor;
       or it has data already.
   OH_NN_OPERATION_FORBIDDEN: the model is finished, or the shape of the tensor is dynamic.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNModel_SetTensorData(OH_NNModel *model, uint32_t index, const void *dataBuffer,
                                                   size_t length);

/* Attaches quantization parameters to a tensor, replacing those it had; an object with three empty lists removes them.
   One element applies to the whole tensor, more are per channel along dimension 0. A refused list also removes the
   tensor's earlier one. The CPU device ignores the quantization of an operator's parameters, and a scale and zero point
   of 0 on a tensor that is not int8, uint8 or int16, because OpenHarmony's TFLite delegate attaches those to every list
   of parameters. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL; there is no such tensor; the three lists differ in
       length; or a width is neither 8 nor 16.
   OH_NN_OPERATION_FORBIDDEN: the model is finished.
   OH_NN_MEMORY_ERROR: nothing was changed. */
NNRT_API OH_NN_ReturnCode OH_NNModel_SetTensorQuantParams(OH_NNModel *model, uint32_t index, NN_QuantParam *quantParam);

/* Sets what a tensor is: graph data (OH_NN_TENSOR) or a named parameter of an operator. Call it before adding the
   operation that uses the tensor. API 11
   OH_NN_INVALID_PARAMETER: model is NULL; tensorType is no OH_NN_TensorType; or there is no such
       tensor.
   OH_NN_OPERATION_FORBIDDEN: the model is finished. */
NNRT_API OH_NN_ReturnCode OH_NNModel_SetTensorType(OH_NNModel *model, uint32_t index, OH_NN_TensorType tensorType);

/* Appends an operation. inputIndices and outputIndices each list 1 to 200 tensors of type OH_NN_TENSOR, none in both
   lists; paramIndices lists the parameter tensors, {NULL, 0} for none; absent parameters have their defaults. Checked
   here: the number of inputs and outputs, the type, number and range of the parameters, and the ranks that a few
   operators demand. Shapes and types of the data are checked when the model is compiled. API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL; a list has data and size 0, or a size and no data; an
       index is out of range; op is no operator; or any rule above is broken.
   OH_NN_OPERATION_FORBIDDEN: the model is finished.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNModel_AddOperation(OH_NNModel *model, OH_NN_OperationType op,
                                                  const OH_NN_UInt32Array *paramIndices,
                                                  const OH_NN_UInt32Array *inputIndices,
                                                  const OH_NN_UInt32Array *outputIndices);

/* Names the inputs and outputs of the whole model, 1 to 200 each, once. Their order is the order in which
   an executor takes them. API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL; a list is empty or too long; an index is out of
       range; a tensor is a parameter, or is in both lists.
   OH_NN_OPERATION_FORBIDDEN: an earlier call succeeded, or the model is finished.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNModel_SpecifyInputsAndOutputs(OH_NNModel *model, const OH_NN_UInt32Array *inputIndices,
                                                             const OH_NN_UInt32Array *outputIndices);

/* Ends building. From now on the model can be compiled but not changed. API 9
   OH_NN_INVALID_PARAMETER: model is NULL.
   OH_NN_OPERATION_FORBIDDEN: it is finished already; or it has no tensor, no operation, or no inputs and outputs yet,
       in which case building may continue.
   OH_NN_FAILED: an OH_NN_OPS_SCALE has no axis, or an OH_NN_OPS_QUANT_DTYPE_CAST lacks one of its types. The model is
       then finished but cannot be compiled: destroy it. */
NNRT_API OH_NN_ReturnCode OH_NNModel_Finish(OH_NNModel *model);

/* Frees a model and sets *model to NULL; NULL and a pointer to NULL are ignored. Allowed as soon as the
   OH_NNCompilation_Construct that uses the model has returned. API 9 */
NNRT_API void OH_NNModel_Destroy(OH_NNModel **model);

/* Asks a device which operations of a finished model it can run. *isSupported, which must be NULL on entry, then points
   to *opCount flags in the order in which the operations were added. They belong to the model and live until the next
   such call or its destruction. nnrt_model_get_reason says why one is false.
   All flags are true exactly when Build accepts the model for this device with no settings other than
   OH_NNCompilation_EnableFloat16, where the device computes in float16. The flag of an operation that makes Build
   refuse the model is false. All flags are false when the graph as a whole is at fault (a cycle, a tensor that nothing
   produces, more memory than a plan may have) or the device takes no graphs. Where Build would pass the graph on to
   another device, the answer is that device's. The CPU device compiles the model and discards the result, so the call
   takes the time and memory of a Build. deviceID 0: the first device, or the one that Build would pass the model on to.
   API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL, or *isSupported is not.
   OH_NN_OPERATION_FORBIDDEN: the model is not finished.
   OH_NN_FAILED: there is no such device, or it did not answer.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNModel_GetAvailableOperations(OH_NNModel *model, size_t deviceID,
                                                            const bool **isSupported, uint32_t *opCount);

/* Deprecated since API 11: OH_NNModel_AddTensorToModel, SetTensorQuantParams and SetTensorType do the same
   in three calls. Appends a tensor of at most 200 dimensions, with format NHWC and the name "Tensor: N".
   Everything is copied; quantCount 0 means not quantized. API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL; no such data type or tensor type; dimensions is NULL
       without dimensionCount being 0, or the reverse; dimensions as in OH_NNModel_AddTensorToModel; a
       list of quantParam is NULL; or a width is neither 8 nor 16.
   OH_NN_OPERATION_FORBIDDEN: the model is finished.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNModel_AddTensor(OH_NNModel *model, const OH_NN_Tensor *tensor);

/* ------------------------------------------------------------------------------------------ compilations

   A compilation collects settings and turns one of four sources (a model, a file, a buffer, a cache) into
   something that a device runs. Setters only store; Build finds out whether the device can do what they ask. After a
   successful Build every setter returns OH_NN_OPERATION_FORBIDDEN and changes nothing. Strings and extension configs
   are copied; model and cache buffers are not and must stay unchanged until the compilation is destroyed. */

/* Compiles a model. An unfinished one is accepted here and refused by Build. The graph is shared, so the
   model may be destroyed at once. The caller owns the result. NULL: model is NULL, or out of memory. API 9 */
NNRT_API OH_NNCompilation *OH_NNCompilation_Construct(const OH_NNModel *model);

/* Compiles a model file in a format of the device: .tflite on the CPU device. The path is copied; the file
   is opened by Build and must not change while the compilation or one of its executors lives. NULL:
   modelPath is NULL, or out of memory. API 11 */
NNRT_API OH_NNCompilation *OH_NNCompilation_ConstructWithOfflineModelFile(const char *modelPath);

/* The same from memory, at any address. The buffer must stay unchanged until the compilation is destroyed, not longer:
   Build copies what executors need. nnrt_compilation_use_in_place avoids that copy where the buffer outlives the
   executors.
   NULL: modelBuffer is NULL, modelSize is 0, or out of memory. API 11 */
NNRT_API OH_NNCompilation *OH_NNCompilation_ConstructWithOfflineModelBuffer(const void *modelBuffer, size_t modelSize);

/* Compiles nothing: loads the result of an earlier Build from the cache given by OH_NNCompilation_SetCache or
   OH_NNCompilation_ImportCacheFromBuffer. NULL: out of memory. API 11 */
NNRT_API OH_NNCompilation *OH_NNCompilation_ConstructForCache(void);

/* Writes the compiled model to buffer, which has length bytes, and its size to *modelSize. buffer is written to despite
   its const, which is OpenHarmony's. When length is too small nothing is written and *modelSize is the size needed.
   API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL; length is 0 or too small; or the compilation is not
       built.
   OH_NN_UNSUPPORTED: the device cannot cache.
   OH_NN_SAVE_CACHE_EXCEPTION: the device failed to write its cache. */
NNRT_API OH_NN_ReturnCode OH_NNCompilation_ExportCacheToBuffer(OH_NNCompilation *compilation, const void *buffer,
                                                               size_t length, size_t *modelSize);

/* Makes bytes of OH_NNCompilation_ExportCacheToBuffer the source of the compilation. They must stay unchanged until the
   compilation is destroyed, not longer: Build copies what executors need. nnrt_compilation_use_in_place avoids that
   copy where they stay longer, in flash for example. Build checks their contents. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL, or modelSize is 0.
   OH_NN_OPERATION_FORBIDDEN: the compilation is built. */
NNRT_API OH_NN_ReturnCode OH_NNCompilation_ImportCacheFromBuffer(OH_NNCompilation *compilation, const void *buffer,
                                                                 size_t modelSize);

/* Adds a setting that the API has no call for; nnrt.h lists those of the CPU device. Name and value are copied. Adding
   the same name again appends '|' and the new value to the old one. Build refuses a name or value that the device does
   not know, except for names that only OpenHarmony's devices use (NPU_FM_SHARED, isExceedRamLimit, isProfiling,
   Profiling, opLayout, InputDims, DynamicDims, AIPP, QuantBuffer, QuantConfigData, BandMode, CachePath, CacheVersion):
   they are accepted with any value and have no effect, which is logged. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL; configValueSize is 0; or the name is "".
   OH_NN_OPERATION_FORBIDDEN: the compilation is built.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNCompilation_AddExtensionConfig(OH_NNCompilation *compilation, const char *configName,
                                                              const void *configValue, const size_t configValueSize);

/* Chooses the device. 0, the default, leaves the choice to Build. A graph goes to the first device of
   OH_NNDevice_GetAllDevicesID; an offline model, or a cache without a model, to the first device that knows its format,
   or to the first of all when none does or when that one has no nnrt_backend.inspect. To force a device whatever the
   bytes are, give its id, even that of the first. A graph that the first device (named by 0 or by its id) cannot run
   whole goes to another device that ships with nnrt and can; extension config "nnrt.fallback" "0" forbids that. Build
   refuses an unknown id. API 9
   OH_NN_INVALID_PARAMETER: compilation is NULL.
   OH_NN_OPERATION_FORBIDDEN: the compilation is built. */
NNRT_API OH_NN_ReturnCode OH_NNCompilation_SetDevice(OH_NNCompilation *compilation, size_t deviceID);

/* Names a directory for compiled models: Build loads the model from there if it can; otherwise it compiles it and
   stores it there. version (0 to 4294967294) tells generations of the same model apart: an older cache is replaced, a
   newer one refused. A different model, or settings that change what is compiled, also replace it; all other settings
   apply to a model from the cache, too. Errors of the directory are found by Build. If called again, the last call
   counts. A device whose models are compiled already (.rknn) uses no directory, which is logged. API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL.
   OH_NN_OPERATION_FORBIDDEN: the compilation is built.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNCompilation_SetCache(OH_NNCompilation *compilation, const char *cachePath,
                                                    uint32_t version);

/* Chooses between speed and memory or cores, see OH_NN_PerformanceMode. Build checks the value, and that the device has
   modes. API 9
   OH_NN_INVALID_PARAMETER: compilation is NULL.
   OH_NN_OPERATION_FORBIDDEN: the compilation is built. */
NNRT_API OH_NN_ReturnCode OH_NNCompilation_SetPerformanceMode(OH_NNCompilation *compilation,
                                                              OH_NN_PerformanceMode performanceMode);

/* Ranks this model among others on the device, see OH_NN_Priority. Build checks the value, and that the device has
   priorities. API 9
   OH_NN_INVALID_PARAMETER: compilation is NULL.
   OH_NN_OPERATION_FORBIDDEN: the compilation is built. */
NNRT_API OH_NN_ReturnCode OH_NNCompilation_SetPriority(OH_NNCompilation *compilation, OH_NN_Priority priority);

/* Allows the device to compute float32 in float16. If the device lacks float16, it computes in float32 and logs that
   when Build chose the device or passed a graph on to it; when OH_NNCompilation_SetDevice named it, Build returns
   OH_NN_OPERATION_FORBIDDEN, as in OpenHarmony. Off by default. API 9
   OH_NN_INVALID_PARAMETER: compilation is NULL.
   OH_NN_OPERATION_FORBIDDEN: the compilation is built. */
NNRT_API OH_NN_ReturnCode OH_NNCompilation_EnableFloat16(OH_NNCompilation *compilation, bool enableFloat16);

/* Compiles, once. After success any number of executors can be made. API 9
   OH_NN_INVALID_PARAMETER: compilation is NULL; it has more than one source or none; it was built before; a performance
       mode or priority is invalid; the device does not know an extension config; the model is unfinished; or the cache
       directory does not exist or cannot be written.
   OH_NN_OPERATION_FORBIDDEN: the device lacks the cache, float16, performance modes or priorities
       that were asked for; or the cache is newer than the version asked for.
   OH_NN_INVALID_FILE: the model file or buffer is not in the device's format, or a cache without a
       model to rebuild it from is damaged.
   OH_NN_FAILED: there is no such device; it cannot run an operation; or shapes and types of the graph
       do not fit together.
   OH_NN_UNAVAILABLE_DEVICE: no device was chosen, and the bytes are for one that is compiled in but absent from
       this board.
   OH_NN_SAVE_CACHE_EXCEPTION: writing the cache failed.
   OH_NN_MEMORY_ERROR. Otherwise the device's code. */
NNRT_API OH_NN_ReturnCode OH_NNCompilation_Build(OH_NNCompilation *compilation);

/* Frees a compilation and sets *compilation to NULL; NULL and a pointer to NULL are ignored. Executors
   made from it live on. API 9 */
NNRT_API void OH_NNCompilation_Destroy(OH_NNCompilation **compilation);

/* ----------------------------------------------------------------------------------------------- tensors

   An NN_Tensor is a copy of a descriptor plus memory that the device can reach. deviceID 0 is the first device. Tensors
   and executors are independent: a tensor may serve several executors, one run at a time. If the device does not
   allocate tensors itself, a tensor has no file descriptor, and no other process can see its memory, until
   OH_NNTensor_GetFd asks for one. */

/* A tensor with memory of exactly the descriptor's size. The descriptor is copied; the caller owns the
   tensor. NULL: tensorDesc is NULL; no such device; the size cannot be computed, is 0 (a dynamic shape) or above 1 GiB;
   or out of memory. API 11 */
NNRT_API NN_Tensor *OH_NNTensor_Create(size_t deviceID, NN_TensorDesc *tensorDesc);

/* The same with size bytes, at least the descriptor's size and at most 1 GiB: the way to make a tensor for
   a dynamic shape, sized for the largest. NULL: as OH_NNTensor_Create, or size is too small, too large or
   0. API 11 */
NNRT_API NN_Tensor *OH_NNTensor_CreateWithSize(size_t deviceID, NN_TensorDesc *tensorDesc, size_t size);

/* A tensor in existing shared memory: size is that of the whole memory, and the data are in [offset, size). offset need
   not be a multiple of the page size. fd is duplicated: the caller keeps its own and may close it. NULL: tensorDesc is
   NULL; fd is invalid, or its memory is shorter than size; size is 0 or below offset; the size cannot be computed or
   exceeds size - offset; no such device; the process has no descriptor left; the memory cannot be mapped; or a build
   with NNRT_NO_STDIO. API 11 */
NNRT_API NN_Tensor *OH_NNTensor_CreateWithFd(size_t deviceID, NN_TensorDesc *tensorDesc, int fd, size_t size,
                                             size_t offset);

/* Frees a tensor with its memory, its descriptor included, and sets *tensor to NULL. Not while a run uses
   it. API 11
   OH_NN_INVALID_PARAMETER: tensor or *tensor is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNTensor_Destroy(NN_Tensor **tensor);

/* The live descriptor of a tensor, which owns it. For an input, the shape set on it is that of the next run; for an
   output, it holds the actual shape after a run. NULL: tensor is NULL. API 11 */
NNRT_API NN_TensorDesc *OH_NNTensor_GetTensorDesc(const NN_Tensor *tensor);

/* Address of the first byte of data, the same until the tensor is destroyed. NULL: tensor is NULL. API 11 */
NNRT_API void *OH_NNTensor_GetDataBuffer(const NN_Tensor *tensor);

/* The shared memory of a tensor, for another process or OH_NNTensor_CreateWithFd. The descriptor belongs to the tensor.
   The first call may have to move the tensor's bytes to memory that can be shared, at the same address: meanwhile no
   run may use the tensor and nothing may write to it. Later calls return the same descriptor. -1, with OH_NN_SUCCESS:
   the device's memory has none. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL.
   OH_NN_OPERATION_FORBIDDEN: the first call, while an asynchronous run uses the tensor; or a build with
   NNRT_NO_STDIO, which has no descriptors.
   OH_NN_MEMORY_ERROR: the system is out of descriptors or memory; the tensor is unchanged. */
NNRT_API OH_NN_ReturnCode OH_NNTensor_GetFd(const NN_Tensor *tensor, int *fd);

/* Bytes of that memory: the tensor's own, or the size given to OH_NNTensor_CreateWithFd, offset included.
   API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNTensor_GetSize(const NN_Tensor *tensor, size_t *size);

/* Bytes from the start of that memory to the data: 0, or what was given to OH_NNTensor_CreateWithFd.
   API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNTensor_GetOffset(const NN_Tensor *tensor, size_t *offset);

/* --------------------------------------------------------------------------------------------- executors

   An executor runs a built compilation any number of times. Executors of one compilation share the compiled model and
   may run at the same time; runs of one executor are serialized. */

/* A new executor, which the caller owns; the compilation may be destroyed afterwards. All memory that runs need is
   allocated here or by Build. NULL: compilation is NULL or not built; or out of memory. API 9 */
NNRT_API OH_NNExecutor *OH_NNExecutor_Construct(OH_NNCompilation *compilation);

/* Points *shape, which must be NULL on entry, to the dimensions of an output: the actual ones after a run, the declared
   ones (which may be -1) before. The array belongs to the executor and lives until its next run or its destruction.
   API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL; *shape is not; or there is no such output. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_GetOutputShape(OH_NNExecutor *executor, uint32_t outputIndex, int32_t **shape,
                                                       uint32_t *shapeLength);

/* Waits for the runs of an executor to end, frees it and sets *executor to NULL; NULL and a pointer to
   NULL are ignored. Tensors are not touched. API 9 */
NNRT_API void OH_NNExecutor_Destroy(OH_NNExecutor **executor);

/* Number of inputs of the model. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_GetInputCount(const OH_NNExecutor *executor, size_t *inputCount);

/* Number of outputs of the model. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_GetOutputCount(const OH_NNExecutor *executor, size_t *outputCount);

/* A new descriptor of an input, for OH_NNTensor_Create; the caller destroys it. A scalar input or output has the shape
   [1], because OpenHarmony has no tensors of rank 0 in a run. NULL: executor is NULL; there is no such input; or out of
   memory. API 11 */
NNRT_API NN_TensorDesc *OH_NNExecutor_CreateInputTensorDesc(const OH_NNExecutor *executor, size_t index);

/* The same for an output, with its declared shape before the first run and the shape of the last run afterwards.
   NULL: executor is NULL; there is no such output; or out of memory. API 11 */
NNRT_API NN_TensorDesc *OH_NNExecutor_CreateOutputTensorDesc(const OH_NNExecutor *executor, size_t index);

/* Points *minInputDims and *maxInputDims, which may hold anything on entry, to the smallest and largest
   dimensions that an input may have, *shapeLength each; equal where a dimension is static. Each maximum holds while the
   other dynamic dimensions are at their minimum; all maxima together may be too much. On the CPU device the maximum
   makes the input 1 GiB, the limit of a tensor. A .tflite file may give a shape and leave some of its dimensions open
   (-1 in shape_signature): the descriptor of the input then has that shape, and these ranges say which dimensions a run
   may change. The arrays belong to the executor and live as long as it does. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL, or there is no such input.
   OH_NN_OPERATION_FORBIDDEN: the device knows no ranges. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_GetInputDimRange(const OH_NNExecutor *executor, size_t index,
                                                         size_t **minInputDims, size_t **maxInputDims,
                                                         size_t *shapeLength);

/* Sets the function that is called when an asynchronous run ends: once per accepted run, from a thread of nnrt. Calls
   of one executor never overlap, and nnrt_last_error() inside one says why its run failed. No lock is held: it may call
   every function, queue further runs or destroy other executors. It must not destroy its own: that is only logged. The
   executor's next run begins when it has returned. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetOnRunDone(OH_NNExecutor *executor, NN_OnRunDone onRunDone);

/* Sets the function that is told when the device dies during an asynchronous run; the model then has to be
   compiled again. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetOnServiceDied(OH_NNExecutor *executor, NN_OnServiceDied onServiceDied);

/* Runs once and returns when the outputs are written. One tensor per input and output of the model, in the
   order of the model; the descriptors of the inputs give their actual shapes, those of the outputs receive theirs.
   Formats are not compared. After a failure the contents of the output tensors are undefined and their descriptors
   unchanged. API 11
   OH_NN_INVALID_PARAMETER: an argument or a tensor is NULL; a count is not the model's; or an input has a rank other
       than the model's, or a dimension that is negative or outside its range.
   OH_NN_FAILED: the size of a tensor cannot be computed, or its memory is smaller than that.
   OH_NN_UNAVAILABLE_DEVICE: the device refused the tensors (a type differs from the model's, an
       output does not fit), failed, or died in an earlier run.
   OH_NN_OPERATION_FORBIDDEN: another run is using the same program-supplied arena; in a build without threads, this
       call interrupts a run of the same executor. Nothing was touched.
   OH_NN_CONNECTION_EXCEPTION: the device died. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_RunSync(OH_NNExecutor *executor, NN_Tensor *inputTensor[], size_t inputCount,
                                                NN_Tensor *outputTensor[], size_t outputCount);

/* Queues a run and returns at once. Runs of one executor are done in order, and each accepted run ends with exactly one
   call of NN_OnRunDone, with userData, which must not be NULL, and the arrays given here. Arrays and tensors must live
   until then. timeout is in milliseconds from this call, 0 or less means none. A run that exceeds it is stopped and
   ends with OH_NN_TIMEOUT once the device no longer uses its tensors, but at most 20 ms late. A device that does not
   stop may use them longer: they may then be destroyed, as their memory is kept, but must not be written or given to
   another executor until nnrt_executor_wait_late or a later run of this executor has succeeded. API 11
   OH_NN_INVALID_PARAMETER, OH_NN_FAILED, OH_NN_UNAVAILABLE_DEVICE: the tensors are refused as in
       OH_NNExecutor_RunSync, or userData is NULL; or the device died before.
   OH_NN_OPERATION_FORBIDDEN: OH_NNExecutor_SetOnRunDone was not called, or nnrt was built without threads.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_RunAsync(OH_NNExecutor *executor, NN_Tensor *inputTensor[], size_t inputCount,
                                                 NN_Tensor *outputTensor[], size_t outputCount, int32_t timeout,
                                                 void *userData);

/* ----------------------------------------------------------------------------------------------- devices

   The same build gives devices the same ids every time it starts. 0 is never an id: as an argument it stands for the
   first device. */

/* Points *allDevicesID, which must be NULL on entry, to the ids of *deviceCount devices. The array belongs to nnrt and
   is valid until a device is registered. If there is no device: OH_NN_SUCCESS, NULL and 0. API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL, or *allDevicesID is not. */
NNRT_API OH_NN_ReturnCode OH_NNDevice_GetAllDevicesID(const size_t **allDevicesID, uint32_t *deviceCount);

/* Points *name, which must be NULL on entry, to the name of a device, DEVICE_VENDOR_VERSION. It belongs to
   nnrt and lives as long as the program. API 9
   OH_NN_INVALID_PARAMETER: name is NULL, or *name is not.
   OH_NN_FAILED: there is no such device. */
NNRT_API OH_NN_ReturnCode OH_NNDevice_GetName(size_t deviceID, const char **name);

/* Gets the kind of a device. API 9
   OH_NN_INVALID_PARAMETER: there is no such device, or deviceType is NULL. */
NNRT_API OH_NN_ReturnCode OH_NNDevice_GetType(size_t deviceID, OH_NN_DeviceType *deviceType);

/* ------------------------------------------------------------------------------- deprecated since API 11

   The older way to run a model, replaced by NN_Tensor and OH_NNExecutor_RunSync. Each input and output of an executor
   is bound separately; bindings persist, so Run may be repeated. */

/* Binds an input by copying the bytes of tensor, whose dimensions must be static, from dataBuffer, which is not needed
   afterwards. length is in bytes and may exceed the tensor's size. API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL; length is 0 or below the size of tensor; there is no
       such input; tensor is malformed or dynamic; or it differs from the input in type, rank, a
       static dimension, or lies outside its range.
   OH_NN_UNAVAILABLE_DEVICE: the device failed to report its ranges.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetInput(OH_NNExecutor *executor, uint32_t inputIndex,
                                                 const OH_NN_Tensor *tensor, const void *dataBuffer, size_t length);

/* Binds an output: Run copies the result to dataBuffer, of length bytes, which is borrowed until the output is bound
   again or the executor is destroyed. API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL; length is 0 or below the size of the output; there is
       no such output; or its size cannot be computed.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetOutput(OH_NNExecutor *executor, uint32_t outputIndex, void *dataBuffer,
                                                  size_t length);

/* Runs once with what is bound. API 9
   OH_NN_INVALID_PARAMETER: executor is NULL; an input or an output is not bound; memory that did not
       come from OH_NNExecutor_Allocate...Memory is bound; or a result is larger than the buffer bound
       for it.
   OH_NN_UNAVAILABLE_DEVICE: the device refused the tensors or failed.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_Run(OH_NNExecutor *executor);

/* Memory of the device for an input, of length bytes (1 to 1 GiB), to be released with
   OH_NNExecutor_DestroyInputMemory before the executor. NULL: executor is NULL; there is no such input;
   length is 0 or too large; or out of memory. API 9 */
NNRT_API OH_NN_Memory *OH_NNExecutor_AllocateInputMemory(OH_NNExecutor *executor, uint32_t inputIndex, size_t length);

/* The same for an output, released with OH_NNExecutor_DestroyOutputMemory. API 9 */
NNRT_API OH_NN_Memory *OH_NNExecutor_AllocateOutputMemory(OH_NNExecutor *executor, uint32_t outputIndex, size_t length);

/* Releases memory of OH_NNExecutor_AllocateInputMemory for the same input and sets *memory to NULL. A binding to it
   persists: bind the input again before the next Run. Other memory is not touched, and *memory is left as it is.
   API 9 */
NNRT_API void OH_NNExecutor_DestroyInputMemory(OH_NNExecutor *executor, uint32_t inputIndex, OH_NN_Memory **memory);

/* The same for an output. API 9 */
NNRT_API void OH_NNExecutor_DestroyOutputMemory(OH_NNExecutor *executor, uint32_t outputIndex, OH_NN_Memory **memory);

/* Binds an input to memory of OH_NNExecutor_AllocateInputMemory, without a copy: Run reads what it then holds. API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL; there is no such input; tensor as in
       OH_NNExecutor_SetInput; or memory is smaller than tensor.
   OH_NN_UNAVAILABLE_DEVICE: the device failed to say its ranges.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetInputWithMemory(OH_NNExecutor *executor, uint32_t inputIndex,
                                                           const OH_NN_Tensor *tensor, const OH_NN_Memory *memory);

/* Binds an output to memory of OH_NNExecutor_AllocateOutputMemory: Run writes the result there, without a
   copy. API 9
   OH_NN_INVALID_PARAMETER: an argument is NULL; there is no such output; its size cannot be computed;
       or memory is smaller than that.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetOutputWithMemory(OH_NNExecutor *executor, uint32_t outputIndex,
                                                            const OH_NN_Memory *memory);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_CORE_API_H */
