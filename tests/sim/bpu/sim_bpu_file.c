/* SPDX-License-Identifier: Apache-2.0 */
/* sim_bpu_file.c - takes the outside of a model file off, hostile bytes or not: .bin (a protobuf message with an .hbm
   image inside), .hbm of 1.x ('#', three letters, "hbm#########") and of UCP (an ELF). make_files.py writes the
   outside, make_hbm.py describes what stands where real ones have the BPU's instructions. */
#include "sim_bpu.h"

#include <stdlib.h>
#include <string.h>

typedef struct sim_bpu_reader {
    const uint8_t *at;
    size_t left;
    bool bad;
} sim_bpu_reader;

static const uint8_t *sim_bpu_take(sim_bpu_reader *r, size_t size) {
    const uint8_t *at = r->at;
    if (r->bad || size > r->left) {
        r->bad = true;
        return NULL;
    }
    r->at += size;
    r->left -= size;
    return at;
}

static uint64_t sim_bpu_number(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    while (at && bytes-- > 0) value = value << 8 | at[bytes];
    return value;
}

static uint32_t sim_bpu_u32(sim_bpu_reader *r) { return (uint32_t)sim_bpu_number(sim_bpu_take(r, 4), 4); }

static int64_t sim_bpu_i64(sim_bpu_reader *r) { return (int64_t)sim_bpu_number(sim_bpu_take(r, 8), 8); }

static uint32_t sim_bpu_up_to(sim_bpu_reader *r, uint32_t most) {
    const uint32_t value = sim_bpu_u32(r);
    if (value > most) r->bad = true;
    return r->bad ? 0 : value;
}

static void sim_bpu_text(sim_bpu_reader *r, char *text, size_t room) {
    const uint32_t length = sim_bpu_up_to(r, (uint32_t)room - 1);
    const uint8_t *bytes = sim_bpu_take(r, length);
    if (bytes) memcpy(text, bytes, length);
    text[bytes ? length : 0] = 0;
}

/* polynomial: turned round, as of CRC-32 or CRC32C. */
static uint32_t sim_bpu_crc(uint32_t polynomial, const uint8_t *bytes, size_t size) {
    uint32_t crc = 0xffffffffu;
    size_t i;
    unsigned bit;
    for (i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
    }
    return ~crc;
}

/* ----------------------------------------------------------------------------------------------------------- models */

/* count numbers, and as many words of its own; NULL: none, or bad. */
static int32_t *sim_bpu_words(sim_bpu_reader *r, uint32_t *count) {
    int32_t *words = NULL;
    uint32_t i;
    *count = sim_bpu_up_to(r, 1u << 16);
    if (*count && *count <= r->left / 4) words = (int32_t *)calloc(*count, sizeof(*words));
    if (*count && !words) r->bad = true;
    for (i = 0; words && i < *count; i++) words[i] = (int32_t)sim_bpu_u32(r);
    return words;
}

static void sim_bpu_read_quantities(sim_bpu_reader *r, sim_bpu_port *port) {
    uint32_t i;
    int32_t *shift = sim_bpu_words(r, &port->shifts), *scale = sim_bpu_words(r, &port->scales);
    port->wide_zero = sim_bpu_words(r, &port->zeros);
    port->factor = sim_bpu_words(r, &port->factors);
    port->shift = (uint8_t *)calloc(port->shifts + 1, 1);
    port->zero = (int8_t *)calloc(port->zeros + 1, 1);
    port->scale = (float *)calloc(port->scales + 1, sizeof(float));
    if (!port->shift || !port->zero || !port->scale) r->bad = true;
    for (i = 0; !r->bad && i < port->shifts; i++) port->shift[i] = (uint8_t)shift[i];
    for (i = 0; !r->bad && i < port->zeros; i++) port->zero[i] = (int8_t)port->wide_zero[i];
    if (!r->bad && port->scales) memcpy(port->scale, scale, port->scales * sizeof(float));
    free(shift);
    free(scale);
}

static void sim_bpu_read_port(sim_bpu_reader *r, sim_bpu_port *port) {
    uint32_t i;
    sim_bpu_text(r, port->name, sizeof(port->name));
    sim_bpu_text(r, port->text, sizeof(port->text));
    port->type = sim_bpu_up_to(r, 19);
    port->layout = sim_bpu_up_to(r, 255);
    port->rank = sim_bpu_up_to(r, SIM_BPU_MAX_RANK);
    for (i = 0; i < port->rank; i++) port->valid[i] = (int32_t)sim_bpu_u32(r);
    for (i = 0; i < port->rank; i++) port->aligned[i] = (int32_t)sim_bpu_u32(r);
    for (i = 0; i < port->rank; i++) port->shown[i] = sim_bpu_i64(r);
    for (i = 0; i < port->rank; i++) port->stride[i] = sim_bpu_i64(r);
    port->bytes = sim_bpu_i64(r);
    port->quant = sim_bpu_up_to(r, VENDOR_SCALE);
    port->axis = (int32_t)sim_bpu_u32(r);
    sim_bpu_read_quantities(r, port);
    port->source = sim_bpu_up_to(r, VENDOR_FROM_PYRAMID);
    port->tensor = sim_bpu_u32(r);
    port->role = sim_bpu_up_to(r, SIM_BPU_ROLES - 1);
    if (port->rank == 0) r->bad = true;
}

void sim_bpu_model_free(sim_bpu_model *model) {
    uint32_t side, i;
    for (side = 0; side < 2; side++) {
        for (i = 0; model->ports[side] && i < model->count[side]; i++) {
            sim_bpu_port *port = &model->ports[side][i];
            free(port->shift);
            free(port->scale);
            free(port->zero);
            free(port->wide_zero);
            free(port->factor);
        }
        free(model->ports[side]);
    }
    sim_model_free(model->network);
    free(model);
}

/* Do the ports fit the network? */
static bool sim_bpu_ports_fit(const sim_bpu_model *model) {
    uint32_t side, i;
    for (side = 0; side < 2; side++)
        for (i = 0; i < model->count[side]; i++)
            if (model->ports[side][i].tensor >=
                (side ? sim_model_outputs(model->network) : sim_model_inputs(model->network)))
                return false;
    return true;
}

static sim_bpu_model *sim_bpu_read_model(sim_bpu_reader *r) {
    sim_bpu_model *model = (sim_bpu_model *)calloc(1, sizeof(*model));
    const char *error = NULL;
    const uint8_t *body;
    uint32_t side, i, size;
    if (!model) return NULL;
    sim_bpu_text(r, model->name, sizeof(model->name));
    sim_bpu_text(r, model->text, sizeof(model->text));
    sim_bpu_text(r, model->march, sizeof(model->march));
    model->cores = sim_bpu_up_to(r, 4);
    model->calls = sim_bpu_up_to(r, 1000);
    model->latency = sim_bpu_u32(r);
    for (side = 0; side < 2; side++) {
        model->count[side] = sim_bpu_up_to(r, SIM_BPU_MAX_PORTS);
        model->ports[side] = (sim_bpu_port *)calloc(model->count[side] + 1, sizeof(*model->ports[side]));
        if (!model->ports[side]) r->bad = true;
        for (i = 0; !r->bad && i < model->count[side]; i++) sim_bpu_read_port(r, &model->ports[side][i]);
    }
    size = sim_bpu_u32(r);
    body = sim_bpu_take(r, size);
    if (body) model->network = sim_model_load(body, size, &error);
    if (error) sim_log("%s", error);
    if (model->network && model->cores && model->calls && sim_bpu_ports_fit(model)) return model;
    r->bad = true;
    sim_bpu_model_free(model);
    return NULL;
}

static bool sim_bpu_knows(const sim_bpu_packed *packed, const char *name) {
    uint32_t i;
    for (i = 0; i < packed->models; i++)
        if (strcmp(packed->model[i]->name, name) == 0) return true;
    return false;
}

/* Takes the model. UCP drops a second one of a name, 1.x refuses it. */
static int32_t sim_bpu_add(sim_bpu_packed *packed, sim_bpu_model *model) {
    const bool again = sim_bpu_knows(packed, model->name);
    sim_bpu_model **more;
    if (again) {
        sim_log("a model %s is there already", model->name);
        sim_bpu_model_free(model);
        return packed->release->ucp ? SIM_BPU_OK : SIM_BPU_INVALID_MODEL;
    }
    more = (sim_bpu_model **)realloc(packed->model, (packed->models + 1) * sizeof(*more));
    if (!more) {
        sim_bpu_model_free(model);
        return SIM_BPU_NO_MEMORY;
    }
    packed->model = more;
    more[packed->models++] = model;
    packed->context.bytes += sim_model_weight_bytes(model->network) + sim_model_internal_bytes(model->network) + 4096;
    return SIM_BPU_OK;
}

/* "SIMB", the number of models, and the models. name: of the only one, NULL: its own. */
static int32_t sim_bpu_read_body(sim_bpu_packed *packed, const sim_bpu_chip *chip, const uint8_t *bytes, size_t size,
                                 const char *name) {
    sim_bpu_reader r = {NULL, 0, false};
    int32_t answer = SIM_BPU_OK;
    const uint8_t *magic;
    uint32_t count, i;
    r.at = bytes;
    r.left = size;
    magic = sim_bpu_take(&r, 4);
    if (!magic || memcmp(magic, "SIMB", 4) != 0) return SIM_BPU_INVALID_MODEL;
    count = sim_bpu_up_to(&r, 16);
    if (count == 0) return SIM_BPU_INVALID_MODEL;
    for (i = 0; i < count && answer == SIM_BPU_OK; i++) {
        sim_bpu_model *model = sim_bpu_read_model(&r);
        if (!model) return SIM_BPU_INVALID_MODEL;
        if (name) {
            memset(model->name, 0, sizeof(model->name));
            strncpy(model->name, name, sizeof(model->name) - 1);
        }
        if (packed->release->ucp && strcmp(model->march, chip->march) != 0) {
            sim_log("a model for %s, and this is %s", model->march, chip->march);
            sim_bpu_model_free(model);
            answer = SIM_BPU_INCOMPATIBLE;
        } else answer = sim_bpu_add(packed, model);
    }
    return answer;
}

/* ------------------------------------------------------------------------------------------------------ .hbm of 1.x */

static char sim_bpu_first_march[4]; /* of the first image that this process loaded */

/* What hbrt of the chip takes: images of its own letters; of the two marches of Bayes either, but not both. */
static bool sim_bpu_takes_letters(const sim_bpu_chip *chip, const uint8_t *letters) {
    const bool bayes = memcmp(letters, "B25", 3) == 0 || memcmp(letters, "B2E", 3) == 0;
    if (chip->letters[0] != 'B' ? memcmp(letters, chip->letters, 3) != 0 : !bayes) return false;
    if (sim_bpu_first_march[0] && memcmp(sim_bpu_first_march, letters, 3) != 0) return false;
    memcpy(sim_bpu_first_march, letters, 3);
    return true;
}

/* One model of an image: its instructions are the body. base: where offsets count from. */
static int32_t sim_bpu_read_part(sim_bpu_packed *packed, const sim_bpu_chip *chip, const uint8_t *base, size_t size,
                                 uint64_t at, const char *name) {
    uint64_t offset, length;
    if (at > size || size - at < 288) return SIM_BPU_INVALID_MODEL;
    offset = sim_bpu_number(base + at + 164, 4);
    length = sim_bpu_number(base + at + 172, 4);
    if (offset > size - at || length > size - at - offset ||
        sim_bpu_crc(0xedb88320u, base + at + offset, (size_t)length) != sim_bpu_number(base + at + 176, 4))
        return SIM_BPU_INVALID_MODEL;
    return sim_bpu_read_body(packed, chip, base + at + offset, (size_t)length, name);
}

/* name: of the model that its parts are of; NULL: each is one. */
static int32_t sim_bpu_read_image(sim_bpu_packed *packed, const sim_bpu_chip *chip, const uint8_t *bytes, size_t size,
                                  const char *name) {
    int32_t answer = SIM_BPU_INVALID_MODEL;
    uint64_t models, i;
    if (size < 0x1000 || bytes[0] != '#' || memcmp(bytes + 4, "hbm#########", 12) != 0 ||
        sim_bpu_number(bytes + 108, 4) + 16 > size)
        return SIM_BPU_INVALID_MODEL;
    models = sim_bpu_number(bytes + 112, 4);
    if (sim_bpu_number(bytes + 16, 4) != 3 || sim_bpu_number(bytes + 20, 4) < chip->oldest ||
        !sim_bpu_takes_letters(chip, bytes + 1))
        return SIM_BPU_INCOMPATIBLE;
    if (models > 64) return SIM_BPU_INVALID_MODEL;
    for (i = 0; i < models; i++) {
        answer = sim_bpu_read_part(packed, chip, bytes + 16, size - 16, sim_bpu_number(bytes + 184 + 8 * i, 8), name);
        if (answer != SIM_BPU_OK || name) break;
    }
    return answer;
}

/* ------------------------------------------------------------------------------------------------------------- .bin */

typedef struct sim_bpu_field {
    uint32_t number;
    const uint8_t *data; /* NULL: a number */
    size_t size;
} sim_bpu_field;

static uint64_t sim_bpu_varint(sim_bpu_reader *r) {
    uint64_t value = 0;
    unsigned shift;
    for (shift = 0; shift < 63; shift += 7) {
        const uint8_t *byte = sim_bpu_take(r, 1);
        if (!byte) return 0;
        value |= (uint64_t)(*byte & 127u) << shift;
        if (*byte < 128) return value;
    }
    r->bad = true;
    return 0;
}

/* The next field of a message; false: the end, or r->bad. */
static bool sim_bpu_next(sim_bpu_reader *r, sim_bpu_field *field) {
    static const size_t fixed[8] = {0, 8, 0, 0, 0, 4, 0, 0};
    uint64_t tag;
    if (r->bad || r->left == 0) return false;
    tag = sim_bpu_varint(r);
    field->number = (uint32_t)(tag >> 3);
    field->data = NULL;
    field->size = fixed[tag & 7];
    if ((tag & 7) == 0) (void)sim_bpu_varint(r);
    else if ((tag & 7) == 2) field->size = (size_t)sim_bpu_varint(r);
    else if (field->size == 0) r->bad = true;
    if ((tag & 7) != 0) field->data = sim_bpu_take(r, field->size);
    return !r->bad;
}

static sim_bpu_reader sim_bpu_inside(const sim_bpu_field *field) {
    sim_bpu_reader r = {NULL, 0, false};
    r.at = field->data;
    r.left = field->data ? field->size : 0;
    return r;
}

static bool sim_bpu_is(const sim_bpu_field *field, const char *text) {
    return field->data && field->size == strlen(text) && memcmp(field->data, text, field->size) == 0;
}

/* The bytes of a constant of that name. */
static bool sim_bpu_constant(const sim_bpu_field *constant, const char *name, sim_bpu_field *bytes) {
    sim_bpu_reader r = sim_bpu_inside(constant);
    sim_bpu_field field;
    bool named = false;
    memset(bytes, 0, sizeof(*bytes));
    while (sim_bpu_next(&r, &field)) {
        if (field.number == 8) named = sim_bpu_is(&field, name);
        if (field.number == 5) *bytes = field;
    }
    return named && bytes->data && !r.bad;
}

static int32_t sim_bpu_read_graph(sim_bpu_packed *packed, const sim_bpu_chip *chip, const sim_bpu_field *graph) {
    sim_bpu_reader r = sim_bpu_inside(graph);
    sim_bpu_field field, image = {0, NULL, 0}, bytes;
    char name[SIM_MAX_NAME] = "";
    while (sim_bpu_next(&r, &field)) {
        if (field.number == 2 && field.data && field.size < sizeof(name)) {
            memcpy(name, field.data, field.size);
            name[field.size] = 0;
        }
        if (field.number == 3 && sim_bpu_constant(&field, "PACKED_HBM_MODEL", &bytes)) image = bytes;
    }
    if (r.bad || !image.data || !name[0]) return SIM_BPU_INVALID_MODEL;
    return sim_bpu_read_image(packed, chip, image.data, image.size, name);
}

static int32_t sim_bpu_read_bin(sim_bpu_packed *packed, const sim_bpu_chip *chip, const uint8_t *bytes, size_t size) {
    sim_bpu_reader r = {NULL, 0, false};
    sim_bpu_field field;
    int32_t answer = SIM_BPU_INVALID_MODEL;
    bool good = true;
    r.at = bytes;
    r.left = size;
    while (sim_bpu_next(&r, &field)) continue; /* all of it, before anything is loaded */
    if (r.bad) return SIM_BPU_INVALID_MODEL;
    r.at = bytes;
    r.left = size;
    while (good && sim_bpu_next(&r, &field)) {
        if (field.number != 5 || !field.data) continue;
        answer = sim_bpu_read_graph(packed, chip, &field);
        good = answer == SIM_BPU_OK;
    }
    return answer;
}

/* ------------------------------------------------------------------------------------------------------ .hbm of UCP */

typedef struct sim_bpu_section {
    const uint8_t *data;
    size_t size;
} sim_bpu_section;

/* The section of that name of an ELF of 64 bits; data NULL: it is not there. */
static sim_bpu_section sim_bpu_elf(const uint8_t *bytes, size_t size, const char *name) {
    const uint64_t table = sim_bpu_number(bytes + 40, 8), count = sim_bpu_number(bytes + 60, 2);
    const uint64_t names = sim_bpu_number(bytes + 62, 2);
    sim_bpu_section found = {NULL, 0};
    uint64_t i, text, offset, length;
    if (table > size || count * 64 > size - table || names >= count) return found;
    text = sim_bpu_number(bytes + table + names * 64 + 24, 8);
    for (i = 0; i < count; i++) {
        const uint8_t *section = bytes + table + i * 64;
        const uint64_t at = text + sim_bpu_number(section, 4), room = strlen(name) + 1;
        offset = sim_bpu_number(section + 24, 8);
        length = sim_bpu_number(section + 32, 8);
        if (at < text || at > size || room > size - at || memcmp(bytes + at, name, (size_t)room) != 0) continue;
        if (offset > size || length > size - offset) continue;
        found.data = bytes + offset;
        found.size = (size_t)length;
    }
    return found;
}

static int32_t sim_bpu_read_elf(sim_bpu_packed *packed, const sim_bpu_chip *chip, const uint8_t *bytes, size_t size) {
    static const char *const checked[] = {".horizon.hbm_info", ".horizon.string_info", ".horizon.binary_info"};
    sim_bpu_section sums, section = {NULL, 0};
    uint32_t i;
    if (size < 64 || bytes[4] != 2 || bytes[5] != 1) return SIM_BPU_INVALID_MODEL;
    sums = sim_bpu_elf(bytes, size, ".horizon.hbm_checksum");
    if (!sums.data || sums.size < 12) return SIM_BPU_INVALID_MODEL;
    for (i = 0; i < 3; i++) {
        section = sim_bpu_elf(bytes, size, checked[i]);
        if (!section.data ||
            sim_bpu_crc(0x82f63b78u, section.data, section.size) != sim_bpu_number(sums.data + 4 * i, 4))
            return SIM_BPU_INVALID_MODEL;
    }
    return sim_bpu_read_body(packed, chip, section.data, section.size, NULL);
}

int32_t sim_bpu_read(sim_bpu_packed *packed, const sim_bpu_chip *chip, const uint8_t *bytes, size_t size) {
    const bool elf = size >= 4 && memcmp(bytes, "\177ELF", 4) == 0;
    if (size < 16) return SIM_BPU_INVALID_MODEL;
    if (packed->release->ucp || elf)
        return packed->release->ucp && elf ? sim_bpu_read_elf(packed, chip, bytes, size) : SIM_BPU_INVALID_MODEL;
    if (bytes[0] == '#') return sim_bpu_read_image(packed, chip, bytes, size, NULL);
    if (bytes[0] == 0x2a || memcmp(bytes, "\x08\x01\x10\x01\x2a", 5) == 0)
        return sim_bpu_read_bin(packed, chip, bytes, size);
    return SIM_BPU_INVALID_MODEL;
}
