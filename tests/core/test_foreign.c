/* SPDX-License-Identifier: Apache-2.0 */
/* test_foreign.c - files that are no model of any device: the refusal says what they look like and what to do, in
   nnrt_inspect_model and in Build, and always has room for both.

   Bytes are malloc'd to their exact size, so that a sanitizer sees the first byte behind them. */
#define NNRT_NO_SIMD /* what these tests look at is the same with every kernel: half of the time to compile */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "graph_builder.h"
#include "offline_runner.h"

#include <stdio.h>

#define SAYS(part) cr_assert_not_null(strstr(nnrt_last_error(), part), "not \"%s\": %s", part, nnrt_last_error())

enum {
    LARGE = 2048
};

typedef struct sample {
    const char *begin;
    size_t size;
    const char *looks, *advice;
} sample;

#define SAMPLE(begin, looks, advice) \
    { begin, sizeof(begin) - 1, looks, advice }

static const sample samples[] = {
    SAMPLE("\x08\x07\x12\x07pytorch\x1a\x06", "an ONNX model", "convert it to .tflite"),
    SAMPLE("\x08\x08\x3a\x80\x01\x0a\x02\x0a", "an ONNX model", "convert it to .tflite"),
    SAMPLE("\x08\x01\x12\x9a\x02\x0a\x1a\x12", "a saved_model.pb of TensorFlow", "export the model"),
    SAMPLE("RKNN\0\0\0\0\6\0\0\0\0\0\0\0", "a .rknn model", "NNRT_BACKEND_RKNPU"),
    SAMPLE("CYPTRKNN\1\2", "an encrypted .rknn model", "NNRT_BACKEND_RKNPU"),
    SAMPLE("\x08\x01\x10\x01\x2a\x9c\x01\x0a", "a .bin model of Horizon", "NPU of Horizon"),
    SAMPLE("#B25hbm#########", "a .hbm model of Horizon", "NPU of Horizon"),
    SAMPLE("\x11\x22\x33\x44\x55\x66\x77\x88\xc0\0\0\0\1\2\3\4\1\1\1\2", "a .wk model of HiSilicon",
           "a build with NNRT_BACKEND_NNIE"),
    SAMPLE("IMOD\0\0\0\0\x10\0\0\0", "a .om model of Ascend", "nnie_mapper"),
    SAMPLE("RKLLM\0\0\0\1\0\0\0", "a .rkllm language model of Rockchip", "librkllmrt runs it"),
    SAMPLE("\x01\0\0\0\x20\0\0\0rkllm_config", "a .rkllm language model of Rockchip", "librkllmrt runs it"),
    SAMPLE("\x7f"
           "ELF\2\1\1\0"
           "12345678901234567890123456789012345678901234567890123456\0.horizon.hbm_info\0.shstrtab\0",
           "a .hbm model of Horizon's S100 or S600", "NNRT_BACKEND_BPU"),
    SAMPLE("\x08\x07\x12\x06Pulsar\x1a\x06", "an .axmodel", "a chip of Axera only"),
    SAMPLE("\xdd\x85\x76\0\x4b\0\0\0", "an ncnn model (.param.bin)", "export the model"),
    SAMPLE("\x47\x6b\x30\x01\x11\x22\x33\x44", "the weights of an ncnn model (.bin)", "export the model"),
    SAMPLE("\x38\x4b\x0d\0\x11\x22\x33\x44", "the weights of an ncnn model (.bin)", "export the model"),
    SAMPLE("VPMN\x0e\0\1\0\0\0", "a network binary of VeriSilicon's NPU", "no device for it"),
    SAMPLE("ftrt\0\0\0\0\1\2", "an engine of TensorRT", "export the model"),
    SAMPLE("\x0a\x05LeNet\xa2\x06\x20\x0a", "the weights of a Caffe model (.caffemodel)", "export the model"),
    SAMPLE("\x0a\x07"
           "AlexNet\x12\x20\x0a\x04",
           "the weights of a Caffe model (.caffemodel)", "export the model"),
    SAMPLE("\x1c\0\0\0MSL2\0\0\0\0", "a .ms model of MindSpore Lite", ".tflite"),
    SAMPLE("\x10\x20\0\0\x1c\0\0\0TFL3\x14\0", "a .tflite model with its size in front", "first 4 bytes"),
    SAMPLE("NLP1NNRT\0\0\0\1", "a plan of nnrt for the CPU device of a big-endian machine", "compile the model again"),
    SAMPLE("\x7f"
           "ELF\2\1\1\0\0",
           "an ELF file", "a program or a library"),
    SAMPLE("\x89PNG\r\n\x1a\n\0\0", "a PNG picture", "an input, not a model"),
    SAMPLE("\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG picture", "an input, not a model"),
    SAMPLE("P5\n120 32\n255\n\1\2\3", "a PGM picture", "an input, not a model"),
    SAMPLE("RIFF\x24\x08\0\0WAVEfmt ", "a sound", "an input, not a model"),
    SAMPLE("P6\n120 32\n255\n\1\2\3", "a PPM picture", "an input, not a model"),
    SAMPLE("GIF89a\x20\0\x20\0", "a GIF picture", "an input, not a model"),
    SAMPLE("BM\x36\x10\0\0\0\0\0\0\x36\0", "a BMP picture", "an input, not a model"),
    SAMPLE("RIFF\x24\x08\0\0WEBPVP8 ", "a WebP picture", "an input, not a model"),
    SAMPLE("\x93NUMPY\1\0\x76\0", "an array of NumPy", "an input, not a model"),
    SAMPLE("MZ\x90\0\3\0\0\0\4\0", "an executable of Windows", "a program or a library"),
    SAMPLE("BZh91AY&SY", "a bzip2 archive", "unpack it first"),
    SAMPLE("\xfd"
           "7zXZ\0\0\4",
           "an xz archive", "unpack it first"),
    SAMPLE("7z\xbc\xaf\x27\x1c\0\4", "a 7z archive", "unpack it first"),
    SAMPLE("\x28\xb5\x2f\xfd\4\0\1\0", "a zstd archive", "unpack it first"),
    SAMPLE("Rar!\x1a\7\1\0", "a RAR archive", "unpack it first"),
    SAMPLE("GGUF\3\0\0\0\0\0", "a GGUF language model", "cannot run it"),
    SAMPLE("\x40\1\0\0\0\0\0\0{\"", "a list of weights (safetensors)", "export the model"),
    SAMPLE("\x80\4\x95\x1f\0\0\0\0", "a pickle of Python", "export the model"),
    SAMPLE("<?xml version=\"1.0\"?>", "an XML text", "export the model"),
    SAMPLE("7767517\n", "the text of an ncnn model", "export the model"), /* nothing but its beginning */
    SAMPLE("PK\3\4\x14\0\0\0\x08\0", "a zip archive", "PyTorch and Keras"),
    SAMPLE("\x89HDF\r\n\x1a\n\0", "an HDF5 file", "export the model"),
    SAMPLE("\x80\2\x8a\x0a\x6c\xfc\x9c\x46", "a pickle of PyTorch", "export the model"),
    SAMPLE("\x1f\x8b\x08\0\0\0\0\0", "a gzip archive", "unpack it first"),
    SAMPLE("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "a pointer of git-lfs",
           "git lfs pull"),
    SAMPLE("\n\n<!DOCTYPE html>\n<html lang=\"en\">\n<head>", "an HTML page", "fetch the file itself"),
    SAMPLE("moved: <html", "an HTML page", "fetch the file itself"), /* at the very end */
    SAMPLE("/* made by xxd */\n#include \"m.h\"\nconst unsigned char g_model[] = {0x1c, 0x00,",
           "the source of a C array", "the array itself"),
    SAMPLE("alignas(16) const uint8_t model[] = {\n", "the source of a C array", "the array itself"),
    SAMPLE("name: \"LeNet\"\nlayer {\n", "the text of a Caffe model (.prototxt)", "export the model"),
    SAMPLE("name: \"LeNet\"\nversion 2\n", "a text", "models are no text"),
    SAMPLE("\0\0\0\0\0\0\0\0\0\0\0\0", "an unwritten file, all 0", "transfer the model again"),
    SAMPLE("\xff\xff\xff\xff\xff\xff\xff\xff\xff", "an unwritten file, all 0xff", "transfer the model again"),
    SAMPLE("\x01\x02\xab\xcd\xef\x06\x07\x08", "the bytes 0102abcd", "no model that nnrt knows"),
    SAMPLE("\x0a\x3f\x0a\5input\x12\x0bPlaceholder*", "a frozen graph of TensorFlow", "export the model"),
    SAMPLE("\x01\x02\x03", "3 bytes are no model", "transfer the model again"),
    SAMPLE("", "0 bytes are no model", "transfer the model again")};

Test(foreign, inspection_says_what_a_file_looks_like_and_what_to_do) {
    size_t i;
    for (i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        const char *name = "stale";
        void *block;
        uint8_t *bytes = off_copy(samples[i].begin, samples[i].size, 0, &block);
        cr_assert_eq((int)nnrt_inspect_model(bytes, samples[i].size, &name, NULL, NULL), (int)OH_NN_UNSUPPORTED, "%s",
                     samples[i].looks);
        cr_assert_null(name);
        SAYS(samples[i].looks);
        SAYS(samples[i].advice);
        free(block);
    }
}

/* The same from a buffer and from a file, with the device named and without: there is always room. */
Test(foreign, build_says_the_same_of_buffers_and_files) {
    char path[64];
    size_t i, k;
    snprintf(path, sizeof(path), "/tmp/nnrt_foreign_%d", (int)getpid());
    for (i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        for (k = 0; k < 4 && samples[i].size != 0; k++) {
            FILE *file = fopen(path, "wb");
            OH_NNCompilation *compilation =
                k % 2 == 0 ? OH_NNCompilation_ConstructWithOfflineModelBuffer(samples[i].begin, samples[i].size)
                           : OH_NNCompilation_ConstructWithOfflineModelFile(path);
            cr_assert_not_null(file);
            cr_assert_eq(fwrite(samples[i].begin, 1, samples[i].size, file), samples[i].size);
            fclose(file);
            if (k >= 2) cr_assert_eq((int)OH_NNCompilation_SetDevice(compilation, gb_device()), (int)OH_NN_SUCCESS);
            cr_assert_eq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_INVALID_FILE, "%s", samples[i].looks);
            SAYS(samples[i].looks);
            SAYS(samples[i].advice);
            cr_assert_lt(strlen(nnrt_last_error()), (size_t)NNRT__SENTENCE_SIZE - 1);
            OH_NNCompilation_Destroy(&compilation);
        }
    }
    unlink(path);
}

/* What is known of a .wk of the first mappers: a checksum, and somewhere in its header the mapper's name. */
Test(foreign, a_wk_of_an_early_mapper_is_known_by_the_mapper_in_its_header) {
    char text[NNRT__FOREIGN_SIZE];
    uint8_t *bytes = (uint8_t *)malloc(192);
    memset(bytes, 0x9a, 192);
    memcpy(bytes + 192 - 16, "V100R001C003B003", 16);
    cr_assert_not_null(
        strstr(nnrt__foreign_say(bytes, 192, text), "a .wk model of an early mapper: libraries of today"));
    cr_assert_not_null(strstr(nnrt__foreign_say(bytes, 191, text), "the bytes 9a9a9a9a"), "%s", text);
    bytes[191] = 0;
    cr_assert_not_null(strstr(nnrt__foreign_say(bytes, 192, text), "early mapper"));
    bytes[183] = 0;
    cr_assert_null(strstr(nnrt__foreign_say(bytes, 192, text), "early mapper"));
    free(bytes);
}

Test(foreign, a_cut_off_tflite_says_so_with_the_byte) {
    size_t size, kept;
    uint8_t *file = off_read("examples/meter/meter.tflite", &size);
    for (kept = 8; kept < size; kept += size / 16) {
        void *block;
        uint8_t *bytes = off_copy(file, kept, 0, &block);
        OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, kept);
        cr_assert_eq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_INVALID_FILE, "%zu bytes", kept);
        SAYS("byte");
        SAYS("cut off");
        OH_NNCompilation_Destroy(&compilation);
        free(block);
    }
    free(file);
}

/* No magic is read behind the end, and none is found in too few bytes: every length of every beginning. */
Test(foreign, any_length_of_any_beginning_is_looked_at_within_its_bytes) {
    size_t i, size;
    for (i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        for (size = 0; size <= samples[i].size; size++) {
            char text[NNRT__FOREIGN_SIZE];
            void *block;
            uint8_t *bytes = off_copy(samples[i].begin, size, 0, &block);
            cr_assert_str_eq(nnrt__foreign_say(bytes, size, text), text);
            cr_assert_lt(strlen(text), sizeof(text) - 1);
            free(block);
        }
    }
}

/* A text is looked at where it begins only: what comes later may be anything. */
Test(foreign, only_the_beginning_of_a_long_file_is_looked_at) {
    char text[NNRT__FOREIGN_SIZE];
    uint8_t *bytes = (uint8_t *)malloc(LARGE);
    memset(bytes, 'a', LARGE);
    bytes[LARGE - 1] = 1;
    cr_assert_not_null(strstr(nnrt__foreign_say(bytes, LARGE, text), "a text"));
    bytes[100] = 1;
    cr_assert_null(strstr(nnrt__foreign_say(bytes, LARGE, text), "a text"));
    memcpy(bytes + 257, "ustar", 5);
    cr_assert_not_null(strstr(nnrt__foreign_say(bytes, LARGE, text), "a tar archive"));
    free(bytes);
}
