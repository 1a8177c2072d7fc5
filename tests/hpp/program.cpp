/* SPDX-License-Identifier: Apache-2.0 */
/* program.cpp - what nnrt.hpp promises, tried by a program that may be compiled with or without exceptions:
   tests/tools/test_hpp.py. Arguments: a model, its input, the output that it has to give. */
#include "nnrt.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

static int failures = 0;

#define EXPECT(condition)                                                              \
    do {                                                                               \
        if (!(condition)) {                                                            \
            std::printf("line %d: %s: %s\n", __LINE__, #condition, nnrt_last_error()); \
            failures++;                                                                \
        }                                                                              \
    } while (0)

#ifdef NNRT_HPP_EXCEPTIONS
#define FAILS(call, expected)                  \
    do {                                       \
        OH_NN_ReturnCode code = OH_NN_SUCCESS; \
        try {                                  \
            (void)(call);                      \
        } catch (const nnrt::Error &error) {   \
            code = error.code;                 \
            EXPECT(error.what()[0] != '\0');   \
        }                                      \
        EXPECT(code == (expected));            \
    } while (0)
#else
#define FAILS(call, expected) EXPECT((call).code() == (expected) && nnrt_last_error()[0] != '\0')
#endif

struct File {
    explicit File(const char *path) : bytes(nullptr), size(0) {
        std::FILE *file = std::fopen(path, "rb");
        if (file == nullptr) std::exit(2);
        (void)std::fseek(file, 0, SEEK_END);
        size = static_cast<std::size_t>(std::ftell(file));
        (void)std::fseek(file, 0, SEEK_SET);
        bytes = static_cast<std::uint8_t *>(std::malloc(size));
        if (std::fread(bytes, 1, size, file) != size) std::exit(2);
        (void)std::fclose(file);
    }
    ~File() { std::free(bytes); }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    std::uint8_t *bytes;
    std::size_t size;
};

static void a_file_runs_and_gives_the_golden_bytes(const char *model, const File &in, const File &out) {
    nnrt::Session session;
    EXPECT(session.open(model));
    EXPECT(session.input_count() == 1 && session.output_count() == 1);
    nnrt::Span<std::int8_t> to = session.input(0).data<std::int8_t>();
    EXPECT(to.size() == in.size);
    if (to.size() != in.size) return;
    std::memcpy(to.data(), in.bytes, in.size);
    EXPECT(session.run());
    nnrt::Span<std::int8_t> from = session.output(0).data<std::int8_t>();
    EXPECT(from.size() == out.size && std::memcmp(from.data(), out.bytes, out.size) == 0);
    EXPECT(session.output(0).shape().size() == 2 && session.output(0).count() == out.size);
    EXPECT(session.input(0).data<float>().empty()); /* another type */
    EXPECT(!session.input(1) && session.input(1).data<float>().empty() && session.input(1).shape().empty());
    EXPECT(session.executor().reset_state());
    EXPECT(session.open(model)); /* once more, in place of the first */
    EXPECT(session.run());
}

static void real_numbers_go_in_and_come_out(const char *model, const File &in, const File &out) {
    nnrt::Session session;
    EXPECT(session.open(model));
    double scale = 0.0;
    std::int32_t zero_point = 0;
    EXPECT(nnrt_executor_get_input_quant(session.executor().get(), 0, &scale, &zero_point) == OH_NN_SUCCESS);
    float *numbers = static_cast<float *>(std::malloc(in.size * sizeof(float)));
    for (std::size_t i = 0; i < in.size; i++)
        numbers[i] = static_cast<float>(scale) * static_cast<float>(static_cast<std::int8_t>(in.bytes[i]) - zero_point);
    EXPECT(session.write(0, numbers, in.size));
    EXPECT(session.run());
    EXPECT(std::memcmp(session.output(0).data<std::int8_t>().data(), out.bytes, out.size) == 0);
    EXPECT(session.read(0, numbers, out.size));
    float sum = 0.0f; /* of a softmax */
    for (std::size_t i = 0; i < out.size; i++) sum += numbers[i];
    EXPECT(sum > 0.95f && sum < 1.05f);
    FAILS(session.write(0, numbers, in.size - 1), OH_NN_INVALID_PARAMETER);
    FAILS(session.read(1, numbers, out.size), OH_NN_INVALID_PARAMETER);
    std::free(numbers);
}

static void settings_are_the_program_s(const File &model) {
    nnrt::Compilation compilation =
        nnrt::Compilation::of_memory(nnrt::Span<const std::uint8_t>(model.bytes, model.size));
    EXPECT(compilation);
    EXPECT(compilation.set_config("nnrt.isa", "scalar"));
    EXPECT(compilation.set_performance(OH_NN_PERFORMANCE_LOW));
    nnrt::Compilation moved(std::move(compilation));
    EXPECT(moved && !compilation); // NOLINT: what a moved handle is, is what is looked at
    nnrt::Session session;
    EXPECT(session.open(std::move(moved)));
    EXPECT(session.run());
}

static void what_fails_says_so() {
    nnrt::Session session;
    FAILS(session.run(), OH_NN_INVALID_PARAMETER);
    FAILS(session.open("/no/such/model"), OH_NN_INVALID_FILE);
    nnrt::Compilation empty;
    FAILS(empty.build(), OH_NN_INVALID_PARAMETER);
    FAILS(empty.set_config("nnrt.isa", "scalar"), OH_NN_INVALID_PARAMETER);
    FAILS(empty.set_config("nnrt.isa", nullptr), OH_NN_INVALID_PARAMETER);
    EXPECT(!nnrt::Executor::of(empty));
    nnrt::Executor none;
    EXPECT(none.input_count() == 0 && none.output_count() == 0 && !none.input_desc(0));
    FAILS(none.reset_state(), OH_NN_INVALID_PARAMETER);
    nnrt::Tensor tensor, other(std::move(tensor));
    EXPECT(other.count() == 0 && other.type() == OH_NN_UNKNOWN && other.data<float>().empty());
}

/* OpenHarmony declares it with a reference, and C++ calls it so. */
static void the_inner_functions_are_those_of_openharmony() {
    bool support = true;
    char id[13] = "";
    EXPECT(OH_NN_IsSupportAIPP(support) == OH_NN_FAILED);
    EXPECT(support);
    EXPECT(OH_NN_GetDeviceID(id, sizeof id) == OH_NN_SUCCESS && std::strcmp(id, "default_v5_0") == 0);
    EXPECT(!OH_NNModel_HasCache("/no/such/folder", "", 1));
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const File model(argv[1]), in(argv[2]), out(argv[3]);
    a_file_runs_and_gives_the_golden_bytes(argv[1], in, out);
    real_numbers_go_in_and_come_out(argv[1], in, out);
    settings_are_the_program_s(model);
    what_fails_says_so();
    the_inner_functions_are_those_of_openharmony();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
