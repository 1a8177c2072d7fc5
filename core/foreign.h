/* SPDX-License-Identifier: Apache-2.0 */
/* core/foreign.h - recognises files that no device takes, and says what to do about them.   >>foreign

   Only for the sentence of a refusal: nothing is decided here. The formats of devices belong to their backends
   (nnrt_backend.inspect). Other files of a vendor, and its models when its backend is not compiled in, are in
   VENDOR/relatives.h, which is always included and listed in core/registry.h. This room has the files of everyone
   else. */
#ifndef NNRT_CORE_FOREIGN_H
#define NNRT_CORE_FOREIGN_H

#include "error.h"

#define NNRT__FOREIGN_SIZE 176 /* bytes of text that nnrt__foreign_say may need */

#ifdef NNRT_NO_STDIO

/* A target without files does not need it, and has no flash to spare. */
NNRT__FN const char *nnrt__foreign_name(const uint8_t *bytes, size_t size, const char **advice) {
    (void)bytes;
    (void)size;
    *advice = "";
    return NULL;
}

#else

typedef struct nnrt__magic {
    uint16_t at;
    uint16_t length; /* 0: matches everything */
    const char *bytes;
} nnrt__magic;

typedef struct nnrt__foreign {
    nnrt__magic first, second; /* both have to match */
    const char *name;
    const char *advice;
} nnrt__foreign;

#define NNRT__MAGIC(at, bytes) \
    { at, (uint16_t)(sizeof(bytes) - 1), bytes }
#define NNRT__ANY_MAGIC NNRT__MAGIC(0, "")

NNRT__FN bool nnrt__magic_matches(const nnrt__magic *magic, const uint8_t *bytes, size_t size) {
    return size >= (size_t)magic->at + magic->length && memcmp(bytes + magic->at, magic->bytes, magic->length) == 0;
}

/* Whether needle occurs within size bytes. */
NNRT__FN bool nnrt__foreign_has(const uint8_t *bytes, size_t size, const char *needle) {
    const size_t length = strlen(needle);
    size_t i;
    for (i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, needle, length) == 0) return true;
    return false;
}

/* ASCII without control characters other than line ends. */
NNRT__FN bool nnrt__foreign_is_text(const uint8_t *bytes, size_t size) {
    size_t i;
    for (i = 0; i < size; i++)
        if ((bytes[i] < ' ' && (bytes[i] < '\t' || bytes[i] > '\r')) || bytes[i] >= 0x7f) return false;
    return true;
}

NNRT__FN bool nnrt__foreign_is_all(const uint8_t *bytes, size_t size, uint8_t value) {
    size_t i;
    for (i = 0; i < size; i++)
        if (bytes[i] != value) return false;
    return true;
}

/* The first matching row of count; NULL: none. */
NNRT__FN const nnrt__foreign *nnrt__foreign_find(const nnrt__foreign *rows, size_t count, const uint8_t *bytes,
                                                 size_t size) {
    size_t i;
    for (i = 0; i < count; i++)
        if (nnrt__magic_matches(&rows[i].first, bytes, size) && nnrt__magic_matches(&rows[i].second, bytes, size))
            return &rows[i];
    return NULL;
}

/* The vendor's file that size bytes, 8 at least, look like; NULL: none. registry.h has the list. */
NNRT__FN const nnrt__foreign *nnrt__relative_find(const uint8_t *bytes, size_t size);

/* A NetParameter of protobuf as Caffe writes it: a name, then the first layer, of which there are two kinds. */
NNRT__FN bool nnrt__foreign_is_caffe(const uint8_t *bytes, size_t size) {
    size_t at;
    if (bytes[0] != 0x0a || bytes[1] == 0 || bytes[1] >= 0x80) return false;
    at = (size_t)2 + bytes[1];
    if (size < at + 2 || !nnrt__foreign_is_text(bytes + 2, bytes[1])) return false;
    return bytes[at] == 0x12 || (bytes[at] == 0xa2 && bytes[at + 1] == 0x06);
}

/* What size bytes look like, with an article, or NULL; and what to do about it. The first matching row counts, so
   longer magics come before shorter ones. */
NNRT__FN const char *nnrt__foreign_name(const uint8_t *bytes, size_t size, const char **advice) {
    static const char convert[] = "convert it to .tflite, or with the NPU's toolkit to its format";
    static const char export_it[] = "export the model from its framework as .tflite, or as ONNX for an NPU's toolkit";
    static const char input[] = "that is an input, not a model";
    static const char unpack[] = "unpack it first";
    static const char program[] = "that is a program or a library, not a model";
    static const char transfer[] = "transfer the model again";
    static const nnrt__foreign rows[] = {
        {NNRT__MAGIC(4, "TFL3"), NNRT__ANY_MAGIC, "a .tflite model",
         "the CPU device takes it; NNRT_NO_CPU leaves that out"},
        {NNRT__MAGIC(8, "TFL3"), NNRT__ANY_MAGIC, "a .tflite model with its size in front",
         "leave out the first 4 bytes"},
        {NNRT__MAGIC(0, "TRNN1PLN"), NNRT__ANY_MAGIC, "a plan of nnrt for the CPU device of a little-endian machine",
         "compile the model again where it runs"},
        {NNRT__MAGIC(0, "NLP1NNRT"), NNRT__ANY_MAGIC, "a plan of nnrt for the CPU device of a big-endian machine",
         "compile the model again where it runs"},
        {NNRT__MAGIC(0, "\x08\x01\x12"), NNRT__ANY_MAGIC, "a saved_model.pb of TensorFlow", export_it},
        {NNRT__MAGIC(0, "\x08"), NNRT__MAGIC(2, "\x12"), "an ONNX model", convert}, /* version, producer */
        {NNRT__MAGIC(0, "\x08"), NNRT__MAGIC(2, "\x3a"), "an ONNX model", convert}, /* version, graph */
        {NNRT__MAGIC(4, "MSL"), NNRT__ANY_MAGIC, "a .ms model of MindSpore Lite", export_it},
        {NNRT__MAGIC(0, "GGUF"), NNRT__ANY_MAGIC, "a GGUF language model", "nnrt cannot run it"},
        {NNRT__MAGIC(8, "{\""), NNRT__ANY_MAGIC, "a list of weights (safetensors)", export_it},
        {NNRT__MAGIC(0, "7767517\n"), NNRT__ANY_MAGIC, "the text of an ncnn model (.param)", export_it},
        {NNRT__MAGIC(0, "\xdd\x85\x76\0"), NNRT__ANY_MAGIC, "an ncnn model (.param.bin)", export_it},
        {NNRT__MAGIC(0, "\x47\x6b\x30\x01"), NNRT__ANY_MAGIC, "the weights of an ncnn model (.bin), float16",
         export_it},
        {NNRT__MAGIC(0, "\x38\x4b\x0d\0"), NNRT__ANY_MAGIC, "the weights of an ncnn model (.bin), int8", export_it},
        {NNRT__MAGIC(0, "VPMN"), NNRT__ANY_MAGIC, "a network binary of VeriSilicon's NPU (.nb)",
         "nnrt has no device for it: export the model it was made of"},
        {NNRT__MAGIC(0, "ftrt"), NNRT__ANY_MAGIC, "an engine of TensorRT",
         "it runs on one kind of GPU only: export the model it was made of"},
        {NNRT__MAGIC(0, "\x89HDF\r\n"), NNRT__ANY_MAGIC, "an HDF5 file, as Keras saves models", export_it},
        {NNRT__MAGIC(0, "PK\3\4"), NNRT__ANY_MAGIC, "a zip archive, as PyTorch and Keras save models", export_it},
        {NNRT__MAGIC(0, "\x80"), NNRT__MAGIC(2, "\x8a\x0a"), "a pickle of PyTorch", export_it},
        {NNRT__MAGIC(0, "\x80\4\x95"), NNRT__ANY_MAGIC, "a pickle of Python", export_it},
        {NNRT__MAGIC(0, "\x93NUMPY"), NNRT__ANY_MAGIC, "an array of NumPy", input},
        {NNRT__MAGIC(0, "\x89PNG"), NNRT__ANY_MAGIC, "a PNG picture", input},
        {NNRT__MAGIC(0, "\xff\xd8\xff"), NNRT__ANY_MAGIC, "a JPEG picture", input},
        {NNRT__MAGIC(0, "GIF8"), NNRT__ANY_MAGIC, "a GIF picture", input},
        {NNRT__MAGIC(0, "BM"), NNRT__MAGIC(6, "\0\0\0\0"), "a BMP picture", input},
        {NNRT__MAGIC(0, "P5"), NNRT__ANY_MAGIC, "a PGM picture", input},
        {NNRT__MAGIC(0, "P6"), NNRT__ANY_MAGIC, "a PPM picture", input},
        {NNRT__MAGIC(0, "RIFF"), NNRT__MAGIC(8, "WEBP"), "a WebP picture", input},
        {NNRT__MAGIC(0, "RIFF"), NNRT__MAGIC(8, "WAVE"), "a sound", input},
        {NNRT__MAGIC(0, "\x7f"
                        "ELF"),
         NNRT__ANY_MAGIC, "an ELF file", program},
        {NNRT__MAGIC(0, "MZ"), NNRT__ANY_MAGIC, "an executable of Windows", program},
        {NNRT__MAGIC(0, "\x1f\x8b"), NNRT__ANY_MAGIC, "a gzip archive", unpack},
        {NNRT__MAGIC(0, "BZh"), NNRT__ANY_MAGIC, "a bzip2 archive", unpack},
        {NNRT__MAGIC(0, "\xfd"
                        "7zXZ"),
         NNRT__ANY_MAGIC, "an xz archive", unpack},
        {NNRT__MAGIC(0, "7z\xbc\xaf"), NNRT__ANY_MAGIC, "a 7z archive", unpack},
        {NNRT__MAGIC(0, "\x28\xb5\x2f\xfd"), NNRT__ANY_MAGIC, "a zstd archive", unpack},
        {NNRT__MAGIC(0, "Rar!"), NNRT__ANY_MAGIC, "a RAR archive", unpack},
        {NNRT__MAGIC(257, "ustar"), NNRT__ANY_MAGIC, "a tar archive", unpack},
        {NNRT__MAGIC(0, "version https://git-lfs"), NNRT__ANY_MAGIC, "a pointer of git-lfs to the model",
         "fetch the model: git lfs pull"},
        {NNRT__MAGIC(0, "<?xml"), NNRT__ANY_MAGIC, "an XML text, as OpenVINO describes models", export_it}};
    const size_t begin = size < 1024 ? size : 1024;
    const nnrt__foreign *row = nnrt__relative_find(bytes, size);
    if (row == NULL) row = nnrt__foreign_find(rows, NNRT__COUNT_OF(rows), bytes, size);
    if (row != NULL && row->advice == convert && nnrt__foreign_has(bytes, begin, "Pulsar")) {
        *advice = "it runs on a chip of Axera only: export the model it was made of";
        return "an .axmodel";
    }
    if (row != NULL) {
        *advice = row->advice;
        return row->name;
    }
    *advice = export_it;
    if (nnrt__foreign_is_caffe(bytes, size)) return "the weights of a Caffe model (.caffemodel)";
    if (bytes[0] == 0x0a && nnrt__foreign_has(bytes, begin, "Placeholder")) return "a frozen graph of TensorFlow (.pb)";
    *advice = transfer;
    if (nnrt__foreign_is_all(bytes, begin, 0)) return "an unwritten file, all 0 where it begins";
    if (nnrt__foreign_is_all(bytes, begin, 0xff)) return "an unwritten file, all 0xff where it begins";
    if (!nnrt__foreign_is_text(bytes, begin)) return NULL;
    *advice = "the link was that of a page: fetch the file itself";
    if (nnrt__foreign_has(bytes, begin, "<html") || nnrt__foreign_has(bytes, begin, "<!DOCTYPE") ||
        nnrt__foreign_has(bytes, begin, "<!doctype"))
        return "an HTML page";
    *advice = "give nnrt the array itself, or write its bytes into a file";
    if (nnrt__foreign_has(bytes, begin, "unsigned char") || nnrt__foreign_has(bytes, begin, "uint8_t"))
        return "the source of a C array, as xxd -i writes it";
    *advice = export_it;
    if (nnrt__foreign_has(bytes, begin, "layer {") || nnrt__foreign_has(bytes, begin, "layers {"))
        return "the text of a Caffe model (.prototxt)";
    *advice = "models are no text";
    return "a text";
}

#endif

/* "it looks like a PNG picture: that is an input, not a model" or the like of size bytes, to text (NNRT__FOREIGN_SIZE),
   which is returned. */
NNRT__FN const char *nnrt__foreign_say(const void *data, size_t size, char *text) {
    const uint8_t *bytes = (const uint8_t *)data;
    const char *advice, *name;
    char hex[9];
    uint32_t i;
    if (size < 8) {
        nnrt__format(text, NNRT__FOREIGN_SIZE, "%zu bytes are no model: transfer the model again", size);
        return text;
    }
    name = nnrt__foreign_name(bytes, size, &advice);
    if (name != NULL) {
        nnrt__format(text, NNRT__FOREIGN_SIZE, "it looks like %s: %s", name, advice);
        return text;
    }
    for (i = 0; i < 8; i++) hex[i] = "0123456789abcdef"[bytes[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
    hex[8] = '\0';
    nnrt__format(text, NNRT__FOREIGN_SIZE, "it begins with the bytes %s, as no model that nnrt knows", hex);
    return text;
}

#endif /* NNRT_CORE_FOREIGN_H */
