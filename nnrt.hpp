/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt.hpp - nnrt.h for C++11: handles that free themselves, typed views of tensors, and nothing else.

   It is a header on top of nnrt.h: the library itself stays in one C or C++ file of the program (NNRT_IMPLEMENTATION).
   Nothing here throws, unless NNRT_HPP_EXCEPTIONS is defined before the include; it compiles with -fno-exceptions and
   -fno-rtti, and takes no memory but the handles of the C API and an array of them in nnrt::Session.

       nnrt::Session session;
       if (!session.open("model.tflite")) return std::puts(nnrt_last_error()), 1;
       nnrt::Span<std::int8_t> in = session.input(0).data<std::int8_t>();
       ...
       if (!session.run()) return std::puts(nnrt_last_error()), 1;

   Every function that can fail returns a Status, which is true when it succeeded; the sentence is nnrt_last_error().
   With NNRT_HPP_EXCEPTIONS it throws nnrt::Error in place of returning one that is not. A handle that is empty (made by
   its default constructor, moved from, or of a call that failed) is safe to use: calls fail with
   OH_NN_INVALID_PARAMETER.
   Threads: as of nnrt.h; an object is no more than its handle. */
#ifndef NNRT_HPP
#define NNRT_HPP

#include "nnrt.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#ifdef NNRT_HPP_EXCEPTIONS
#include <stdexcept>
#endif

namespace nnrt {

/* ------------------------------------------------------------------------------------------------- failures */

#ifdef NNRT_HPP_EXCEPTIONS
/* what(): the sentence. */
class Error : public std::runtime_error {
  public:
    explicit Error(OH_NN_ReturnCode failed) : std::runtime_error(nnrt_last_error()), code(failed) {}
    OH_NN_ReturnCode code;
};
#endif

class Status {
  public:
    Status(OH_NN_ReturnCode code) : code_(code) { // NOLINT: every call of the C API becomes one
#ifdef NNRT_HPP_EXCEPTIONS
        if (code != OH_NN_SUCCESS) throw Error(code);
#endif
    }
    OH_NN_ReturnCode code() const { return code_; }
    explicit operator bool() const { return code_ == OH_NN_SUCCESS; }

  private:
    OH_NN_ReturnCode code_;
};

/* count elements that somebody else owns. */
template <typename T>
class Span {
  public:
    Span() : data_(nullptr), count_(0) {}
    Span(T *data, std::size_t count) : data_(data), count_(count) {}
    T *data() const { return data_; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    T &operator[](std::size_t i) const { return data_[i]; }
    T *begin() const { return data_; }
    T *end() const { return data_ + count_; }

  private:
    T *data_;
    std::size_t count_;
};

/* A handle of the C API: moved, never copied, destroyed with its owner. */
template <typename T, void (*Destroy)(T *)>
class Handle {
  public:
    Handle() : raw_(nullptr) {}
    explicit Handle(T *raw) : raw_(raw) {}
    Handle(Handle &&other) noexcept : raw_(other.release()) {}
    Handle &operator=(Handle &&other) noexcept {
        if (this != &other) reset(other.release());
        return *this;
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    ~Handle() { reset(nullptr); }

    T *get() const { return raw_; } /* for every call that has no method here */
    explicit operator bool() const { return raw_ != nullptr; }
    T *release() {
        T *raw = raw_;
        raw_ = nullptr;
        return raw;
    }
    void reset(T *raw) {
        if (raw_ != nullptr) Destroy(raw_);
        raw_ = raw;
    }

  private:
    T *raw_;
};

namespace detail {
inline void destroy(NN_TensorDesc *raw) { (void)OH_NNTensorDesc_Destroy(&raw); }
inline void destroy(NN_Tensor *raw) { (void)OH_NNTensor_Destroy(&raw); }
inline void destroy(OH_NNModel *raw) { OH_NNModel_Destroy(&raw); }
inline void destroy(OH_NNCompilation *raw) { OH_NNCompilation_Destroy(&raw); }
inline void destroy(OH_NNExecutor *raw) { (void)OH_NNExecutor_Destroy(&raw); }

/* The number of OH_NN_DataType that T is; OH_NN_UNKNOWN: none. */
template <typename T>
struct TypeOf {
    static const OH_NN_DataType value = OH_NN_UNKNOWN;
};
template <OH_NN_DataType Type>
struct TypeIs {
    static const OH_NN_DataType value = Type;
};
template <>
struct TypeOf<bool> : TypeIs<OH_NN_BOOL> {};
template <>
struct TypeOf<std::int8_t> : TypeIs<OH_NN_INT8> {};
template <>
struct TypeOf<std::uint8_t> : TypeIs<OH_NN_UINT8> {};
template <>
struct TypeOf<std::int16_t> : TypeIs<OH_NN_INT16> {};
template <>
struct TypeOf<std::uint16_t> : TypeIs<OH_NN_UINT16> {};
template <>
struct TypeOf<std::int32_t> : TypeIs<OH_NN_INT32> {};
template <>
struct TypeOf<std::uint32_t> : TypeIs<OH_NN_UINT32> {};
template <>
struct TypeOf<std::int64_t> : TypeIs<OH_NN_INT64> {};
template <>
struct TypeOf<std::uint64_t> : TypeIs<OH_NN_UINT64> {};
template <>
struct TypeOf<float> : TypeIs<OH_NN_FLOAT32> {};
template <>
struct TypeOf<double> : TypeIs<OH_NN_FLOAT64> {};
} // namespace detail

/* -------------------------------------------------------------------------------------------------- tensors */

class TensorDesc : public Handle<NN_TensorDesc, detail::destroy> {
  public:
    TensorDesc() {}
    explicit TensorDesc(NN_TensorDesc *raw) : Handle(raw) {}
    Status set_shape(Span<const std::int32_t> dims) {
        return OH_NNTensorDesc_SetShape(get(), dims.data(), dims.size());
    }
};

class Tensor : public Handle<NN_Tensor, detail::destroy> {
  public:
    Tensor() {}
    explicit Tensor(NN_Tensor *raw) : Handle(raw) {}
    /* The shape and type of desc, in memory of the device. Empty: nnrt_last_error() says why. */
    static Tensor create(std::size_t device, const TensorDesc &desc) {
        return Tensor(desc ? OH_NNTensor_Create(device, desc.get()) : nullptr);
    }

    /* OH_NN_UNKNOWN of an empty handle. */
    OH_NN_DataType type() const {
        OH_NN_DataType found = OH_NN_UNKNOWN;
        if (get() != nullptr) (void)OH_NNTensorDesc_GetDataType(OH_NNTensor_GetTensorDesc(get()), &found);
        return found;
    }
    /* Lives until the shape changes. */
    Span<const std::int32_t> shape() const {
        std::int32_t *dims = nullptr;
        std::size_t rank = 0;
        if (get() == nullptr ||
            OH_NNTensorDesc_GetShape(OH_NNTensor_GetTensorDesc(get()), &dims, &rank) != OH_NN_SUCCESS)
            return Span<const std::int32_t>();
        return Span<const std::int32_t>(dims, rank);
    }
    std::size_t count() const {
        std::size_t elements = 0;
        if (get() != nullptr) (void)OH_NNTensorDesc_GetElementCount(OH_NNTensor_GetTensorDesc(get()), &elements);
        return elements;
    }
    /* The elements, when they are of type T; else nothing. */
    template <typename T>
    Span<T> data() const {
        static_assert(detail::TypeOf<T>::value != OH_NN_UNKNOWN, "T is no type of an element");
        if (get() == nullptr || type() != detail::TypeOf<T>::value) return Span<T>();
        void *memory = OH_NNTensor_GetDataBuffer(get());
        return memory != nullptr ? Span<T>(static_cast<T *>(memory), count()) : Span<T>();
    }
};

/* ------------------------------------------------------------------------------------------------ the calls */

class Compilation : public Handle<OH_NNCompilation, detail::destroy> {
  public:
    Compilation() {}
    explicit Compilation(OH_NNCompilation *raw) : Handle(raw) {}
    static Compilation of_file(const char *path) {
        return Compilation(OH_NNCompilation_ConstructWithOfflineModelFile(path));
    }
    /* bytes stay unchanged until the compilation is gone; with use_in_place until its executors are, too, uncopied. */
    static Compilation of_memory(Span<const std::uint8_t> bytes) {
        return Compilation(OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes.data(), bytes.size()));
    }
    static Compilation of_model(const OH_NNModel *model) { return Compilation(OH_NNCompilation_Construct(model)); }

    Status use_in_place() { return nnrt_compilation_use_in_place(get()); }
    Status set_device(std::size_t device) { return OH_NNCompilation_SetDevice(get(), device); }
    Status set_performance(OH_NN_PerformanceMode mode) { return OH_NNCompilation_SetPerformanceMode(get(), mode); }
    Status set_priority(OH_NN_Priority priority) { return OH_NNCompilation_SetPriority(get(), priority); }
    Status set_cache(const char *folder, std::uint32_t version) {
        return OH_NNCompilation_SetCache(get(), folder, version);
    }
    Status set_config(const char *name, const char *value) {
        std::size_t length = 0;
        while (value != nullptr && value[length] != '\0') length++;
        return OH_NNCompilation_AddExtensionConfig(get(), name, value, length);
    }
    Status build() { return OH_NNCompilation_Build(get()); }
};

class Executor : public Handle<OH_NNExecutor, detail::destroy> {
  public:
    Executor() {}
    explicit Executor(OH_NNExecutor *raw) : Handle(raw) {}
    /* Of a compilation that is built, and may go afterwards. Empty: nnrt_last_error() says why. */
    static Executor of(const Compilation &compilation) {
        return Executor(compilation ? OH_NNExecutor_Construct(compilation.get()) : nullptr);
    }

    std::size_t input_count() const {
        std::size_t count = 0;
        if (get() != nullptr) (void)OH_NNExecutor_GetInputCount(get(), &count);
        return count;
    }
    std::size_t output_count() const {
        std::size_t count = 0;
        if (get() != nullptr) (void)OH_NNExecutor_GetOutputCount(get(), &count);
        return count;
    }
    TensorDesc input_desc(std::size_t i) const {
        return TensorDesc(get() != nullptr ? OH_NNExecutor_CreateInputTensorDesc(get(), i) : nullptr);
    }
    TensorDesc output_desc(std::size_t i) const {
        return TensorDesc(get() != nullptr ? OH_NNExecutor_CreateOutputTensorDesc(get(), i) : nullptr);
    }
    Status run(NN_Tensor *inputs[], std::size_t inputs_given, NN_Tensor *outputs[], std::size_t outputs_given) {
        return OH_NNExecutor_RunSync(get(), inputs, inputs_given, outputs, outputs_given);
    }
    /* The state of a recurrent model is zero again. */
    Status reset_state() { return nnrt_executor_reset(get()); }
};

/* --------------------------------------------------------------------------------- a model and its tensors */

/* What most programs need: a model, an executor, and a tensor for each input and output. */
class Session {
  public:
    Session() : tensors_(nullptr), raw_(nullptr), inputs_(0), outputs_(0) {}
    ~Session() { clear(); }
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    /* Opens a file with the defaults of nnrt. A session that is open already begins anew. */
    Status open(const char *path) { return open(Compilation::of_file(path)); }

    /* With settings of yours: a compilation that is not built yet. */
    Status open(Compilation compilation) {
        clear();
        if (!compilation) return OH_NN_INVALID_PARAMETER; /* its construction has left the sentence */
        Status built = compilation.build();
        if (!built) return built;
        executor_ = Executor::of(compilation);
        if (!executor_) return OH_NN_FAILED;
        return make_tensors();
    }

    std::size_t input_count() const { return inputs_; }
    std::size_t output_count() const { return outputs_; }
    /* An empty handle when there is no such input (output). */
    Tensor &input(std::size_t i) { return i < inputs_ ? tensors_[i].tensor : none_; }
    Tensor &output(std::size_t i) { return i < outputs_ ? tensors_[inputs_ + i].tensor : none_; }
    Executor &executor() { return executor_; }

    /* count real numbers become input i, in its type and scale: nnrt_quantize. count is that of the input. */
    Status write(std::size_t i, const float *numbers, std::size_t count) {
        Tensor &to = input(i);
        if (!to || count != to.count())
            return nnrt_backend_fail(OH_NN_INVALID_PARAMETER, "nnrt::Session::write: no such input, or another count");
        return nnrt_quantize(numbers, count, to.type(), tensors_[i].scale, tensors_[i].zero_point,
                             OH_NNTensor_GetDataBuffer(to.get()));
    }
    /* Output i as real numbers: nnrt_dequantize. count is that of the output. */
    Status read(std::size_t i, float *numbers, std::size_t count) {
        Tensor &from = output(i);
        if (!from || count != from.count())
            return nnrt_backend_fail(OH_NN_INVALID_PARAMETER, "nnrt::Session::read: no such output, or another count");
        return nnrt_dequantize(OH_NNTensor_GetDataBuffer(from.get()), count, from.type(), tensors_[inputs_ + i].scale,
                               tensors_[inputs_ + i].zero_point, numbers);
    }

    Status run() {
        if (tensors_ == nullptr)
            return nnrt_backend_fail(OH_NN_INVALID_PARAMETER, "nnrt::Session::run: no model is open");
        return executor_.run(raw_, inputs_, raw_ + inputs_, outputs_);
    }

  private:
    struct Port {
        Port() : scale(0.0), zero_point(0) {}
        Tensor tensor;
        double scale;
        std::int32_t zero_point;
    };

    void clear() {
        delete[] tensors_;
        delete[] raw_;
        tensors_ = nullptr;
        raw_ = nullptr;
        inputs_ = outputs_ = 0;
        executor_ = Executor();
    }

    Status make_tensors() {
        const std::size_t in = executor_.input_count(), out = executor_.output_count();
        std::size_t device = 0;
        Status found = nnrt_executor_get_device(executor_.get(), &device);
        if (!found) return found;
        tensors_ = new (std::nothrow) Port[in + out];
        raw_ = new (std::nothrow) NN_Tensor *[in + out];
        if (tensors_ == nullptr || raw_ == nullptr) {
            clear();
            return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "out of memory");
        }
        for (std::size_t i = 0; i < in + out; i++) {
            Port &port = tensors_[i];
            port.tensor = Tensor::create(device, i < in ? executor_.input_desc(i) : executor_.output_desc(i - in));
            raw_[i] = port.tensor.get();
            if (!port.tensor) {
                clear();
                return OH_NN_FAILED;
            }
            Status told = i < in
                              ? nnrt_executor_get_input_quant(executor_.get(), i, &port.scale, &port.zero_point)
                              : nnrt_executor_get_output_quant(executor_.get(), i - in, &port.scale, &port.zero_point);
            if (!told) {
                clear();
                return told;
            }
        }
        inputs_ = in;
        outputs_ = out;
        return OH_NN_SUCCESS;
    }

    Executor executor_;
    Port *tensors_;   /* inputs, then outputs */
    NN_Tensor **raw_; /* of tensors_, as runs take them */
    std::size_t inputs_, outputs_;
    Tensor none_;
};

} // namespace nnrt

#endif /* NNRT_HPP */
