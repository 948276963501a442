/* The hot path of scoring, compiled: what one plain reference and one trajectory have in common, the only number of an
 * answer, and counts by task that are added up.
 *
 * It decides nothing that the Python modules do not decide (matchers/single.py, answers/quick.py): whatever is not
 * plain gives None, and they are asked. Tests hold the two together. It calls no Python code and keeps the GIL, so its
 * buffers, which grow and are used again, are its own for the length of a call.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <structmember.h>

#ifndef SOURCE_CHECKSUM
#define SOURCE_CHECKSUM 0u /* of this file, so that what was built from another one is told */
#endif

#define MOST_CALLS 256
#define MOST_PAIRS 10000
#define MOST_DEPTH 64
#define MOST_MEMBERS 64
#define MOST_NODES (1u << 18)
#define MOST_DIGITS 300
#define MOST_EXPONENT 100000
#define KEPT_BYTES (1 << 20)
#define NONE UINT32_MAX

/* ---- Values: JSON read so that equal values are equal nodes ---------------------------------------------------- */

enum kind { WORD_NULL = 1, WORD_TRUE, WORD_FALSE, NUMBER, STRING, ARRAY, OBJECT };

typedef struct {
    uint64_t hash;
    const char *text; /* STRING: its UTF-8; NUMBER: its significant digits */
    const char *key;  /* of a member of an object: UTF-8 */
    uint64_t key_hash;
    int64_t exponent; /* NUMBER: of ten */
    uint32_t size, key_size;
    uint32_t first, next; /* nodes by number: first child, next sibling */
    uint8_t kind, negative;
} Node;

static Node *nodes;
static uint32_t nodes_used, nodes_there;

/* Spelt-out strings and digits lie in blocks that never move while they are in use. */
typedef struct Block {
    struct Block *before;
    size_t used, there;
    char bytes[];
} Block;
static Block *block;

static char *take(size_t size) {
    if (block == NULL || block->there - block->used < size) {
        size_t there = size > 65536 ? size : 65536;
        Block *next = malloc(sizeof(Block) + there);
        if (next == NULL) return NULL;
        next->before = block, next->used = 0, next->there = there;
        block = next;
    }
    char *taken = block->bytes + block->used;
    block->used += size;
    return taken;
}

static void forget_values(void) {
    nodes_used = 0;
    while (block != NULL && (block->before != NULL || block->there > KEPT_BYTES)) {
        Block *before = block->before;
        free(block);
        block = before;
    }
    if (block != NULL) block->used = 0;
    if ((size_t)nodes_there * sizeof(Node) > KEPT_BYTES) {
        free(nodes);
        nodes = NULL, nodes_there = 0;
    }
}

static uint32_t new_node(uint8_t kind) {
    if (nodes_used == nodes_there) {
        if (nodes_there >= MOST_NODES) return NONE;
        uint32_t there = nodes_there ? nodes_there * 2 : 1024;
        Node *grown = realloc(nodes, there * sizeof(Node));
        if (grown == NULL) return NONE;
        nodes = grown, nodes_there = there;
    }
    Node *node = &nodes[nodes_used];
    memset(node, 0, sizeof *node);
    node->kind = kind, node->first = node->next = NONE;
    return nodes_used++;
}

static uint64_t mixed(uint64_t hash, uint64_t more) {
    hash = (hash ^ more) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

static uint64_t hash_of(const char *text, size_t size) {
    uint64_t hash = mixed(0x51ED270B, size), part;
    for (; size >= 8; text += 8, size -= 8) {
        memcpy(&part, text, 8);
        hash = mixed(hash, part);
    }
    part = 0;
    memcpy(&part, text, size);
    return mixed(hash, part);
}

typedef struct {
    const char *at, *end;
} Reader;

static int skip_blank(Reader *in) {
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\n' || *in->at == '\r' || *in->at == '\t')) in->at++;
    return in->at < in->end;
}

/* Whether bytes are UTF-8 as Python takes it: shortest forms, no surrogates. */
static int is_utf8(const unsigned char *at, const unsigned char *end) {
    while (at < end) {
        unsigned char lead = *at;
        if (lead < 0x80) {
            at++;
            continue;
        }
        int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        if (lead < 0xC2 || lead > 0xF4 || end - at <= more) return 0;
        for (int k = 1; k <= more; k++)
            if ((at[k] & 0xC0) != 0x80) return 0;
        if ((lead == 0xE0 && at[1] < 0xA0) || (lead == 0xED && at[1] > 0x9F) || (lead == 0xF0 && at[1] < 0x90) ||
            (lead == 0xF4 && at[1] > 0x8F))
            return 0;
        at += more + 1;
    }
    return 1;
}

static int hex4(const char *at, const char *end, uint32_t *code) {
    if (end - at < 4) return 0;
    *code = 0;
    for (int k = 0; k < 4; k++) {
        char c = at[k];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;
        if (digit == 16) return 0;
        *code = *code * 16 + digit;
    }
    return 1;
}

static char *put_utf8(char *out, uint32_t code) {
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

/* What a string between quotes spells; 0: it is no JSON, or has a lone surrogate. No spelling is longer written out. */
static int spell_out(const char *from, const char *end, const char **text, uint32_t *size) {
    char *out = take((size_t)(end - from)), *first = out;
    if (out == NULL) return 0;
    while (from < end) {
        if (*from != '\\') {
            *out++ = *from++;
            continue;
        }
        if (++from == end) return 0;
        char c = *from++;
        uint32_t code, low;
        switch (c) {
        case '"':
        case '\\':
        case '/': *out++ = c; break;
        case 'b': *out++ = '\b'; break;
        case 'f': *out++ = '\f'; break;
        case 'n': *out++ = '\n'; break;
        case 'r': *out++ = '\r'; break;
        case 't': *out++ = '\t'; break;
        case 'u':
            if (!hex4(from, end, &code)) return 0;
            from += 4;
            if (code >= 0xDC00 && code <= 0xDFFF) return 0;
            if (code >= 0xD800 && code <= 0xDBFF) {
                if (end - from < 6 || from[0] != '\\' || from[1] != 'u' || !hex4(from + 2, end, &low)) return 0;
                if (low < 0xDC00 || low > 0xDFFF) return 0;
                from += 6;
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            }
            out = put_utf8(out, code);
            break;
        default: return 0;
        }
    }
    *text = first, *size = (uint32_t)(out - first);
    return 1;
}

/* Of eight bytes: whether one is a quote, a backslash or a control character. */
static int has_special(uint64_t bytes) {
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t quote = bytes ^ (ones * '"'), backslash = bytes ^ (ones * '\\');
    uint64_t special = ((bytes - ones * 0x20) & ~bytes) | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash);
    return (special & tops) != 0;
}

static int read_string(Reader *in, const char **text, uint32_t *size) {
    const char *from = ++in->at, *at = from, *end = in->end;
    int escaped = 0;
    uint64_t seen = 0, part;
    for (;;) {
        for (; end - at >= 8; at += 8) {
            memcpy(&part, at, 8);
            if (has_special(part)) break;
            seen |= part;
        }
        unsigned char c = 0;
        for (; at < end; at++) {
            c = (unsigned char)*at;
            if (c == '"' || c == '\\' || c < 0x20) break;
            seen |= (uint64_t)c;
        }
        if (at < end && c == '"') break;
        if (end - at < 2 || c != '\\') return 0;
        escaped = 1;
        at += 2;
    }
    in->at = at + 1;
    if (at - from > INT32_MAX) return 0;
    if (seen & 0x8080808080808080u && !is_utf8((const unsigned char *)from, (const unsigned char *)at)) return 0;
    if (escaped) return spell_out(from, at, text, size);
    *text = from, *size = (uint32_t)(at - from);
    return 1;
}

static int is_digit(const Reader *in) { return in->at < in->end && *in->at >= '0' && *in->at <= '9'; }

/* A number by value: its digits without zeros at either end, and the exponent of the last one. */
static uint32_t read_number(Reader *in) {
    int negative = *in->at == '-';
    if (negative) in->at++;
    const char *whole = in->at;
    while (is_digit(in)) in->at++;
    size_t before = (size_t)(in->at - whole), after = 0;
    if (before == 0 || before > MOST_DIGITS || (before > 1 && *whole == '0')) return NONE;
    const char *part = in->at;
    if (in->at < in->end && *in->at == '.') {
        part = ++in->at;
        while (is_digit(in)) in->at++;
        after = (size_t)(in->at - part);
        if (after == 0 || after > MOST_DIGITS) return NONE;
    }
    int64_t exponent = 0;
    if (in->at < in->end && (*in->at == 'e' || *in->at == 'E')) {
        int down = 0;
        if (++in->at < in->end && (*in->at == '+' || *in->at == '-')) down = *in->at++ == '-';
        if (!is_digit(in)) return NONE;
        for (; is_digit(in); in->at++) {
            exponent = exponent * 10 + (*in->at - '0');
            if (exponent > MOST_EXPONENT) return NONE;
        }
        if (down) exponent = -exponent;
    }
    char *digits = take(before + after);
    uint32_t at = new_node(NUMBER);
    if (digits == NULL || at == NONE) return NONE;
    memcpy(digits, whole, before);
    memcpy(digits + before, part, after);
    size_t size = before + after;
    exponent -= (int64_t)after;
    for (; size && digits[size - 1] == '0'; size--) exponent++;
    for (; size && *digits == '0'; size--) digits++;
    Node *node = &nodes[at];
    node->text = digits, node->size = (uint32_t)size;
    node->negative = (uint8_t)(size && negative), node->exponent = size ? exponent : 0;
    node->hash = mixed(hash_of(digits, size) + node->negative + NUMBER, (uint64_t)node->exponent);
    return at;
}

static int is_word(Reader *in, const char *word, size_t size) {
    if ((size_t)(in->end - in->at) < size || memcmp(in->at, word, size)) return 0;
    in->at += size;
    return 1;
}

static uint32_t read_word(Reader *in) {
    uint8_t kind = is_word(in, "true", 4) ? WORD_TRUE : is_word(in, "false", 5) ? WORD_FALSE : 0;
    if (kind == 0) kind = is_word(in, "null", 4) ? WORD_NULL : 0;
    uint32_t at = kind ? new_node(kind) : NONE;
    if (at != NONE) nodes[at].hash = mixed(kind, kind);
    return at;
}

/* Whether a key stands in an object twice; one that does is left to Python, where the last one counts. */
static int has_key_twice(uint32_t object) {
    for (uint32_t one = nodes[object].first; one != NONE; one = nodes[one].next)
        for (uint32_t other = nodes[one].next; other != NONE; other = nodes[other].next)
            if (nodes[one].key_hash == nodes[other].key_hash) return 1;
    return 0;
}

static uint32_t read_value(Reader *in, int depth);

static uint32_t read_many(Reader *in, int depth, uint8_t kind) {
    char close = kind == OBJECT ? '}' : ']';
    uint32_t at = new_node(kind), last = NONE, count = 0;
    uint64_t hash = 0;
    in->at++;
    if (at == NONE || depth >= MOST_DEPTH || !skip_blank(in)) return NONE;
    if (*in->at == close) {
        in->at++;
        nodes[at].hash = mixed(kind, 0);
        return at;
    }
    for (;;) {
        const char *key = NULL;
        uint32_t key_size = 0;
        uint64_t key_hash = 0;
        if (!skip_blank(in)) return NONE;
        if (kind == OBJECT) {
            if (*in->at != '"' || !read_string(in, &key, &key_size)) return NONE;
            if (!skip_blank(in) || *in->at++ != ':' || !skip_blank(in)) return NONE;
            key_hash = hash_of(key, key_size);
        }
        uint32_t child = read_value(in, depth + 1);
        if (child == NONE || !skip_blank(in)) return NONE;
        nodes[child].key = key, nodes[child].key_size = key_size, nodes[child].key_hash = key_hash;
        hash = kind == OBJECT ? hash + mixed(key_hash, nodes[child].hash) : mixed(hash, nodes[child].hash);
        if (last == NONE)
            nodes[at].first = child;
        else
            nodes[last].next = child;
        last = child;
        count++;
        char c = *in->at++;
        if (c == close) break;
        if (c != ',') return NONE;
    }
    if (kind == OBJECT && (count > MOST_MEMBERS || has_key_twice(at))) return NONE;
    nodes[at].size = count;
    nodes[at].hash = mixed(mixed(kind, hash), count);
    return at;
}

static uint32_t read_value(Reader *in, int depth) {
    if (!skip_blank(in)) return NONE;
    char c = *in->at;
    if (c == '{') return read_many(in, depth, OBJECT);
    if (c == '[') return read_many(in, depth, ARRAY);
    if (c == '-' || (c >= '0' && c <= '9')) return read_number(in);
    if (c != '"') return read_word(in);
    const char *text;
    uint32_t size;
    if (!read_string(in, &text, &size)) return NONE;
    uint32_t at = new_node(STRING);
    if (at == NONE) return NONE;
    nodes[at].text = text, nodes[at].size = size;
    nodes[at].hash = mixed(hash_of(text, size), STRING);
    return at;
}

static uint32_t read_whole(const char *text, size_t size) {
    Reader in = {text, text + size};
    uint32_t at = read_value(&in, 0);
    return at != NONE && skip_blank(&in) ? NONE : at;
}

/* Arguments: a text that holds JSON is that JSON. NONE: it takes Python to tell. */
static uint32_t read_args(const char *text, size_t size) {
    uint32_t at = read_whole(text, size);
    return at != NONE && nodes[at].kind == STRING ? read_whole(nodes[at].text, nodes[at].size) : at;
}

static int same_text(const char *one, uint32_t size, const char *other, uint32_t other_size) {
    return size == other_size && !memcmp(one, other, size);
}

static uint32_t member(uint32_t object, uint32_t like) {
    for (uint32_t at = nodes[object].first; at != NONE; at = nodes[at].next)
        if (nodes[at].key_hash == nodes[like].key_hash &&
            same_text(nodes[at].key, nodes[at].key_size, nodes[like].key, nodes[like].key_size))
            return at;
    return NONE;
}

static int equal(uint32_t one, uint32_t other) {
    const Node *left = &nodes[one], *right = &nodes[other];
    if (left->hash != right->hash || left->kind != right->kind || left->size != right->size) return 0;
    if (left->kind == STRING) return !memcmp(left->text, right->text, left->size);
    if (left->kind == NUMBER)
        return left->negative == right->negative && left->exponent == right->exponent &&
               !memcmp(left->text, right->text, left->size);
    uint32_t b = right->first;
    for (uint32_t a = left->first; a != NONE; a = nodes[a].next) {
        uint32_t partner = left->kind == ARRAY ? b : member(other, a);
        if (partner == NONE || !equal(a, partner)) return 0;
        if (left->kind == ARRAY) b = nodes[b].next;
    }
    return 1;
}

/* ---- Calls ---------------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject *name;
    const char *args;
    Py_ssize_t size;
    uint32_t value; /* NONE: not read yet */
    int kind;       /* the first of all calls that it equals, by number; -1: not looked for */
} Call;

typedef struct {
    Call *calls;
    Py_ssize_t count;
} Calls;

static Call expected_calls[MOST_CALLS], made_calls[MOST_CALLS];

static PyObject *unset;
static PyTypeObject *run_type, *expected_type, *wanted_type, *made_type;
static struct {
    Py_ssize_t expected, calls, status;                        /* Run */
    Py_ssize_t reference, any, required, forbidden;            /* Expected */
    Py_ssize_t name, args, rules, optional, times, group, parallel; /* ExpectedCall */
    Py_ssize_t made_name, made_args, result, error;            /* ToolCall */
} slot;

static PyObject *held(PyObject *object, Py_ssize_t offset) { return *(PyObject **)((char *)object + offset); }

static int same_name(const Call *one, const Call *other) {
    PyObject *a = one->name, *b = other->name;
    if (a == b) return 1;
    Py_ssize_t size = PyUnicode_GET_LENGTH(a);
    return size == PyUnicode_GET_LENGTH(b) && PyUnicode_KIND(a) == PyUnicode_KIND(b) &&
           !memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b), (size_t)size * PyUnicode_KIND(a));
}

static int written_alike(const Call *one, const Call *other) {
    return one->size == other->size && same_name(one, other) && !memcmp(one->args, other->args, (size_t)one->size);
}

/* Name and arguments; the bytes stay where they are as long as the call does. */
static int take_call(Call *call, PyObject *name, PyObject *args) {
    Py_buffer view;
    if (name == NULL || args == NULL || !PyUnicode_CheckExact(name) || PyObject_GetBuffer(args, &view, PyBUF_SIMPLE)) {
        PyErr_Clear();
        return 0;
    }
    call->name = name, call->args = view.buf, call->size = view.len, call->value = NONE, call->kind = -1;
    PyBuffer_Release(&view);
    return call->size > 0;
}

static int take_expected(PyObject *list, Calls *into) {
    if (list == NULL || !PyList_CheckExact(list) || PyList_GET_SIZE(list) > MOST_CALLS) return 0;
    into->calls = expected_calls, into->count = PyList_GET_SIZE(list);
    for (Py_ssize_t k = 0; k < into->count; k++) {
        PyObject *call = PyList_GET_ITEM(list, k);
        if (Py_TYPE(call) != wanted_type || held(call, slot.optional) != Py_False ||
            held(call, slot.times) != Py_None || held(call, slot.group) != Py_None ||
            held(call, slot.parallel) != Py_None || held(call, slot.rules) != unset)
            return 0;
        if (!take_call(&into->calls[k], held(call, slot.name), held(call, slot.args))) return 0;
    }
    return 1;
}

static int take_made(PyObject *list, Calls *into) {
    if (list == NULL || !PyList_CheckExact(list) || PyList_GET_SIZE(list) > MOST_CALLS) return 0;
    into->calls = made_calls, into->count = PyList_GET_SIZE(list);
    for (Py_ssize_t k = 0; k < into->count; k++) {
        PyObject *call = PyList_GET_ITEM(list, k);
        if (Py_TYPE(call) != made_type) return 0;
        if (!take_call(&into->calls[k], held(call, slot.made_name), held(call, slot.made_args))) return 0;
    }
    return 1;
}

static int read_call(Call *call) {
    if (call->value == NONE) call->value = read_args(call->args, (size_t)call->size);
    return call->value != NONE;
}

/* Whether calls of one tool are equal; -1: it takes Python to tell. */
static int equal_calls(Call *one, Call *other) {
    if (one->size == other->size && !memcmp(one->args, other->args, (size_t)one->size)) return 1;
    if (!read_call(one) || !read_call(other)) return -1;
    return equal(one->value, other->value);
}

/* Number calls by what they equal, those of `into` by the first of `among` or of themselves; 0: Python must tell. */
static int classify(Calls among, Py_ssize_t from, Py_ssize_t upto, Calls into, Py_ssize_t start, Py_ssize_t stop,
                    int first) {
    for (Py_ssize_t j = start; j < stop; j++) {
        Call *call = &into.calls[j];
        call->kind = first + (int)j;
        int found = 0;
        for (Py_ssize_t k = from; k < upto && !found; k++) {
            if (!same_name(call, &among.calls[k])) continue;
            found = equal_calls(&among.calls[k], call);
            if (found < 0) return 0;
            if (found) call->kind = among.calls[k].kind;
        }
        for (Py_ssize_t k = start; k < j && !found; k++) {
            if (!same_name(call, &into.calls[k])) continue;
            found = equal_calls(&into.calls[k], call);
            if (found < 0) return 0;
            if (found) call->kind = into.calls[k].kind;
        }
    }
    return 1;
}

/* ---- One reference against one trajectory --------------------------------------------------------------------- */

enum cause { EXACT, ORDER, WRONG_ARGS, REPEATED, EXTRA, MISSING, WRONG_TOOL, MIXED };
enum {
    IS_EXACT = 1,
    NAME_ONLY = 2,
    ORDER_IGNORED = 4,
    IN_ORDER = 8,
    ANY_ORDER = 16,
    SUBSET = 32,
    SUFFICE = 64,
    NO_REFERENCE = 128,
};

typedef struct {
    uint16_t flags, cause, wanted, made, matched, redundant;
    uint32_t nothing; /* always 0, so that no byte of it is left to chance */
    double alignment;
} Found; /* "=6H4xd" to Python's struct */

static PyObject *packed(const Found *found) { return PyBytes_FromStringAndSize((const char *)found, sizeof *found); }

static int is_part(const Call *part, Py_ssize_t parts, const Call *whole, Py_ssize_t wholes) {
    Py_ssize_t at = 0;
    for (Py_ssize_t k = 0; k < wholes && at < parts; k++) at += part[at].kind == whole[k].kind;
    return at == parts;
}

static Py_ssize_t shared(const Call *left, Py_ssize_t lefts, const Call *right, Py_ssize_t rights) {
    char used[MOST_CALLS] = {0};
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < lefts; i++)
        for (Py_ssize_t j = 0; j < rights; j++)
            if (!used[j] && left[i].kind == right[j].kind) {
                used[j] = 1, count++;
                break;
            }
    return count;
}

/* The credit of a pair: equal 1, of one tool the share of equal arguments; -1: it takes Python to tell. */
static double credit(Call *wanted, Call *made) {
    if (wanted->kind == made->kind) return 1.0;
    if (!same_name(wanted, made)) return 0.0;
    if (!read_call(wanted) || !read_call(made)) return -1.0;
    uint32_t one = wanted->value, other = made->value;
    if (nodes[one].kind != OBJECT || nodes[other].kind != OBJECT) return 0.0;
    uint32_t agreed = 0, counted = nodes[other].size;
    for (uint32_t at = nodes[one].first; at != NONE; at = nodes[at].next) {
        uint32_t partner = member(other, at);
        if (partner == NONE)
            counted++;
        else
            agreed += (uint32_t)equal(at, partner);
    }
    return (double)agreed / (double)counted;
}

/* The greatest sum of credits in order; negative: it takes Python to tell. */
static double greatest_credit(Call *left, Py_ssize_t lefts, Call *right, Py_ssize_t rights) {
    double rows[2][MOST_CALLS + 1], *best = rows[0], *before = rows[1];
    for (Py_ssize_t j = 0; j <= rights; j++) best[j] = 0.0;
    for (Py_ssize_t i = 0; i < lefts; i++) {
        double *swap = before;
        before = best, best = swap;
        best[0] = 0.0;
        for (Py_ssize_t j = 0; j < rights; j++) {
            double paired = credit(&left[i], &right[j]);
            if (paired < 0) return -1.0;
            double most = best[j] > before[j + 1] ? best[j] : before[j + 1];
            best[j + 1] = most > before[j] + paired ? most : before[j] + paired;
        }
    }
    return best[rights];
}

static int names_suffice(Calls wanted, Calls made) {
    for (Py_ssize_t i = 0; i < wanted.count; i++) {
        Py_ssize_t asked = 0, done = 0;
        for (Py_ssize_t k = 0; k < wanted.count; k++) asked += same_name(&wanted.calls[i], &wanted.calls[k]);
        for (Py_ssize_t k = 0; k < made.count; k++) done += same_name(&wanted.calls[i], &made.calls[k]);
        if (done < asked) return 0;
    }
    return 1;
}

/* Whether call `j` of a tool equals another one, or where `j` is negative any two do; -1: Python must tell. */
static int one_repeats(Calls made, const Call *tool, Py_ssize_t j) {
    for (Py_ssize_t i = 0; i < made.count; i++) {
        if (j >= 0 ? i != j : !same_name(tool, &made.calls[i])) continue;
        for (Py_ssize_t k = j >= 0 ? 0 : i + 1; k < made.count; k++) {
            if (k == i || !same_name(tool, &made.calls[k])) continue;
            int same = equal_calls(&made.calls[i], &made.calls[k]);
            if (same) return same;
        }
    }
    return 0;
}

static int stands_before(const Call *call, Calls calls, Py_ssize_t start, Py_ssize_t stop) {
    for (Py_ssize_t k = start; k < stop; k++)
        if (same_name(call, &calls.calls[k])) return 1;
    return 0;
}

/* Mark the tools of which a call between `start` and `stop` may equal another one: a call that stands there alone is
 * held against the others of its tool, of more all are held against each other; -1: it takes Python to tell. */
static int mark_repeating(Calls made, Py_ssize_t start, Py_ssize_t stop, char *in_doubt) {
    int any = 0;
    for (Py_ssize_t j = start; j < stop; j++) {
        Call *call = &made.calls[j];
        if (stands_before(call, made, start, j)) continue;
        int repeats = one_repeats(made, call, stop - start == 1 ? j : -1);
        if (repeats < 0) return -1;
        for (Py_ssize_t k = 0; repeats && k < made.count; k++)
            if (same_name(call, &made.calls[k])) in_doubt[k] = 1;
        any |= repeats;
    }
    return any;
}

static int holds(const char *text, Py_ssize_t size, const char *part, Py_ssize_t length) {
    for (const char *end = text + size; end - text >= length;) {
        const char *at = memchr(text, part[0], (size_t)(end - text - length + 1));
        if (at == NULL) return 0;
        if (!memcmp(at, part, (size_t)length)) return 1;
        text = at + 1;
    }
    return 0;
}

/* Whether a call is known to have failed: 0 it is not, -1 it takes Python to tell. */
static int failed(PyObject *call) {
    if (held(call, slot.error) != unset) return -1;
    PyObject *result = held(call, slot.result);
    Py_buffer view;
    if (result == unset) return 0;
    if (result == NULL || PyObject_GetBuffer(result, &view, PyBUF_SIMPLE)) {
        PyErr_Clear();
        return -1;
    }
    int said = holds(view.buf, view.len, "\"error\"", 7);
    PyBuffer_Release(&view);
    return said ? -1 : 0;
}

/* Count repeats, retries, and repeats nobody asked for, among the tools in doubt; 0: it takes Python to tell. */
static int count_repeats(PyObject *list, Calls wanted, Calls made, const char *in_doubt, Found *found) {
    int latest[MOST_CALLS];
    uint16_t repeats[MOST_CALLS] = {0};
    for (Py_ssize_t j = 0; j < made.count; j++) {
        made.calls[j].kind = (int)j;
        latest[j] = (int)j;
        for (Py_ssize_t k = 0; in_doubt[j] && k < j && made.calls[j].kind == j; k++)
            if (in_doubt[k] && made.calls[k].kind == k && same_name(&made.calls[k], &made.calls[j])) {
                int same = equal_calls(&made.calls[k], &made.calls[j]);
                if (same < 0) return 0;
                if (same) made.calls[j].kind = (int)k;
            }
    }
    for (int j = 0; j < made.count; j++) {
        int kind = made.calls[j].kind, before;
        if (kind == j) continue;
        before = latest[kind];
        latest[kind] = j;
        if (before == j - 1 && failed(PyList_GET_ITEM(list, before))) return 0;
        repeats[kind]++;
    }
    for (Py_ssize_t j = 0; j < made.count; j++) {
        if (!repeats[j]) continue;
        int asked = 0;
        for (Py_ssize_t i = 0; i < wanted.count; i++) {
            if (!same_name(&wanted.calls[i], &made.calls[j])) continue;
            int same = equal_calls(&wanted.calls[i], &made.calls[j]);
            if (same < 0) return 0;
            asked += same;
        }
        int beyond = repeats[j] - (asked > 1 ? asked - 1 : 0);
        if (beyond > 0) found->redundant = (uint16_t)(found->redundant + beyond);
    }
    return 1;
}

/* Whether each call beyond the reference, found earliest in order, equals an earlier one; -1: Python must tell. */
static int extras_repeat(Calls wanted, Calls made, Py_ssize_t start) {
    Py_ssize_t at = start;
    for (Py_ssize_t j = start; j < made.count; j++) {
        int same = 0;
        if (at < wanted.count && same_name(&wanted.calls[at], &made.calls[j])) {
            same = equal_calls(&wanted.calls[at], &made.calls[j]);
            if (same < 0) return -1;
        }
        if (same)
            at++;
        else if (made.calls[j].kind == j)
            return 0;
    }
    return 1;
}

static int only_names_differ(const Call *left, const Call *right, Py_ssize_t count) {
    for (Py_ssize_t k = 0; k < count; k++)
        if (left[k].kind != right[k].kind && same_name(&left[k], &right[k])) return 0;
    return 1;
}

/* What both sides have in common; 0: it takes Python to tell. */
static int compare_calls(PyObject *list, Calls wanted, Calls made, int writes, Found *found) {
    Py_ssize_t n = wanted.count, m = made.count, less = n < m ? n : m, start = 0, end = 0;
    while (start < less && written_alike(&wanted.calls[start], &made.calls[start])) start++;
    while (end < less - start && written_alike(&wanted.calls[n - 1 - end], &made.calls[m - 1 - end])) end++;
    Py_ssize_t lefts = n - start - end, rights = m - start - end, matched = start + end;
    Call *left = wanted.calls + start, *right = made.calls + start;
    int names_agree = n == m;
    if (lefts * rights > MOST_PAIRS) return 0;
    for (Py_ssize_t k = 0; k < lefts && names_agree; k++) names_agree = same_name(&left[k], &right[k]);
    int all_equal = names_agree;
    for (Py_ssize_t k = 0; k < lefts && all_equal; k++) {
        all_equal = equal_calls(&left[k], &right[k]);
        if (all_equal < 0) return 0;
    }
    found->wanted = (uint16_t)n, found->made = (uint16_t)m;
    if (all_equal) {
        found->matched = (uint16_t)n, found->alignment = 1.0, found->cause = EXACT;
        found->flags = IS_EXACT | NAME_ONLY | ORDER_IGNORED | IN_ORDER | ANY_ORDER | SUBSET | SUFFICE;
        return 1;
    }
    int done_in_order = 1, wanted_in_order = 1;
    double sum = 0.0;
    if (lefts && rights) {
        Calls nothing = {NULL, 0};
        if (!classify(nothing, 0, 0, wanted, start, n - end, 0)) return 0;
        if (!classify(wanted, start, n - end, made, start, m - end, MOST_CALLS)) return 0;
        matched += shared(left, lefts, right, rights);
        wanted_in_order = is_part(left, lefts, right, rights);
        done_in_order = is_part(right, rights, left, lefts);
        sum = greatest_credit(left, lefts, right, rights);
        if (sum < 0) return 0;
    } else {
        wanted_in_order = lefts == 0, done_in_order = rights == 0;
    }
    Py_ssize_t longer = n > m ? n : m;
    int order_ignored = matched == n && n == m, in_order = matched == n && wanted_in_order, repeating = 0;
    int tools_only = n == m && only_names_differ(left, right, lefts);
    found->matched = (uint16_t)matched;
    found->alignment = ((double)(start + end) + sum) / (double)longer;
    if (rights && !order_ignored) {
        char in_doubt[MOST_CALLS] = {0};
        int doubtful = mark_repeating(made, start, m - end, in_doubt);
        if (doubtful < 0 || (doubtful && writes)) return 0;
        if (doubtful) {
            if (!count_repeats(list, wanted, made, in_doubt, found)) return 0;
            repeating = in_order ? extras_repeat(wanted, made, start) : 0;
            if (repeating < 0) return 0;
        }
    }
    found->cause = (uint16_t)(order_ignored                          ? ORDER
                             : names_agree                          ? WRONG_ARGS
                             : in_order                             ? (repeating ? REPEATED : EXTRA)
                             : matched == m && done_in_order        ? MISSING
                             : tools_only                           ? WRONG_TOOL
                                                                    : MIXED);
    int any_order = matched == n;
    found->flags |= (uint16_t)((names_agree ? NAME_ONLY : 0) | (order_ignored ? ORDER_IGNORED : 0) |
                              (in_order ? IN_ORDER : 0) | (any_order ? ANY_ORDER : 0) | (matched == m ? SUBSET : 0) |
                              (names_agree || any_order || names_suffice(wanted, made) ? SUFFICE : 0));
    return 1;
}

/* Arguments recorded as text must hold JSON, or the run is one whose calls are not all valid. */
static int all_parsed(Calls made) {
    for (Py_ssize_t k = 0; k < made.count; k++)
        if (made.calls[k].args[0] == '"' && !read_call(&made.calls[k])) return 0;
    return 1;
}

static int is_done(PyObject *status) {
    return status != NULL && PyUnicode_CheckExact(status) && PyUnicode_GET_LENGTH(status) == 4 &&
           PyUnicode_KIND(status) == PyUnicode_1BYTE_KIND && !memcmp(PyUnicode_DATA(status), "done", 4);
}

/* The calls of a finished run that made some, and of its reference, if it has one and nothing else is expected. */
static int take_run(PyObject *run, Calls *wanted, Calls *made, int *has_reference) {
    if (run_type == NULL || Py_TYPE(run) != run_type || !is_done(held(run, slot.status))) return 0;
    if (!take_made(held(run, slot.calls), made) || made->count == 0) return 0;
    PyObject *expected = held(run, slot.expected);
    *has_reference = 0;
    if (expected == Py_None) return 1;
    if (expected == NULL || Py_TYPE(expected) != expected_type || held(expected, slot.any) != Py_None ||
        held(expected, slot.required) != Py_None || held(expected, slot.forbidden) != Py_None)
        return 0;
    *has_reference = held(expected, slot.reference) != Py_None;
    return !*has_reference || take_expected(held(expected, slot.reference), wanted);
}

/* What is known of a trajectory without a reference: its repeats, which nobody asked for; 0: Python must tell. */
static int look_alone(PyObject *list, Calls made, int writes, Found *found) {
    char in_doubt[MOST_CALLS];
    Calls nothing = {NULL, 0};
    memset(in_doubt, 1, sizeof in_doubt);
    found->flags = NO_REFERENCE, found->made = (uint16_t)made.count;
    if (!count_repeats(list, nothing, made, in_doubt, found)) return 0;
    return !(writes && found->redundant);
}

PyDoc_STRVAR(compare_doc, "compare(run, writes) -> bytes | None\n\nWhat reference and trajectory of a run have in common, "
                          "packed as six uint16, four bytes and a double; None: it is not plain.");

static PyObject *compare(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "compare takes a run, and whether some tools change state");
        return NULL;
    }
    int writes = PyObject_IsTrue(args[1]);
    if (writes < 0) return NULL;
    Calls wanted = {NULL, 0}, made = {NULL, 0};
    Found found;
    int has_reference = 0;
    memset(&found, 0, sizeof found);
    int told = take_run(args[0], &wanted, &made, &has_reference) && all_parsed(made);
    if (told) {
        PyObject *list = held(args[0], slot.calls);
        told = has_reference ? compare_calls(list, wanted, made, writes, &found) : look_alone(list, made, writes, &found);
    }
    forget_values();
    if (told) return packed(&found);
    Py_RETURN_NONE;
}

/* ---- Answers --------------------------------------------------------------------------------------------------- */

static PyObject *denying; /* words that may deny what follows, or that are skipped, as bytes */

static int is_harmless(char c) { return c == '.' || c == ',' || c == ';' || c == ':' || c == '!' || c == '?' || c == ')'; }

/* Where the only number of a text stands; 0: it has none, has more, or may have one of another script. */
static int only_number(const unsigned char *text, Py_ssize_t size, Py_ssize_t *from, Py_ssize_t *upto) {
    Py_ssize_t at = 0, digits = 0, first = -1;
    for (; at < size; at++) {
        unsigned char c = text[at];
        if (c >= '0' && c <= '9') {
            if (first < 0) first = at;
            digits++;
        } else if (c >= 0xD9) { /* first bytes of the digits of other scripts, and of much else */
            if (c == 0xD9 || c == 0xDB || c == 0xDF || c == 0xE0 || c == 0xE1 || c == 0xEA) return 0;
            if (c == 0xEF && at + 1 < size && text[at + 1] == 0xBC) return 0;
            if (c == 0xF0 && (at + 2 >= size || text[at + 1] != 0x9F || text[at + 2] == 0xAF)) return 0;
        }
    }
    if (first < 0) return 0;
    Py_ssize_t end = first;
    while (end < size && text[end] >= '0' && text[end] <= '9') end++, digits--;
    if (end + 1 < size && text[end] == '.' && text[end + 1] >= '0' && text[end + 1] <= '9')
        for (end++; end < size && text[end] >= '0' && text[end] <= '9'; end++) digits--;
    *from = first, *upto = end;
    return digits == 0;
}

/* Whether the word before `start`, a space between, is a plain one that does not deny; -1: an error is set. */
static int is_undenied(const char *text, Py_ssize_t start) {
    char word[80];
    Py_ssize_t size = 0, begin = start > 80 ? start - 80 : 0;
    for (Py_ssize_t at = start - 2; at >= begin && text[at] != ' '; at--) size++;
    if (size == 0) return 0;
    for (Py_ssize_t k = 0; k < size; k++) {
        char c = text[start - 1 - size + k];
        if (c >= 'A' && c <= 'Z') c = (char)(c + 32);
        if (c < 'a' || c > 'z') return 0;
        word[k] = c;
    }
    PyObject *key = PyBytes_FromStringAndSize(word, size);
    if (key == NULL) return -1;
    int found = PySet_Contains(denying, key);
    Py_DECREF(key);
    return found < 0 ? -1 : !found;
}

PyDoc_STRVAR(plain_number_doc, "plain_number(text) -> str | None\n\nThe only number of a text where it plainly stands "
                               "among words and is not denied; None: it takes more to tell.");

static PyObject *plain_number(PyObject *module, PyObject *given) {
    Py_ssize_t size, from, upto;
    if (denying == NULL || !PyUnicode_CheckExact(given)) Py_RETURN_NONE;
    const char *text = PyUnicode_AsUTF8AndSize(given, &size);
    if (text == NULL) { /* a lone surrogate */
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    if (!only_number((const unsigned char *)text, size, &from, &upto)) Py_RETURN_NONE;
    if (upto < size) {
        if (text[upto] == ' ' ? upto + 1 < size && text[upto + 1] == '%' : !is_harmless(text[upto])) Py_RETURN_NONE;
    }
    if (from) {
        if (text[from - 1] != ' ') Py_RETURN_NONE;
        int undenied = is_undenied(text, from);
        if (undenied < 0) return NULL;
        if (!undenied) Py_RETURN_NONE;
    }
    return PyUnicode_DecodeASCII(text + from, upto - from, NULL);
}

/* ---- The module ------------------------------------------------------------------------------------------------ */

/* Where a type keeps a field; -1 and an error where it keeps none that can be read without asking it. */
static Py_ssize_t offset_of(PyTypeObject *type, const char *field) {
    PyObject *found = PyObject_GetAttrString((PyObject *)type, field);
    if (found == NULL) return -1;
    Py_ssize_t offset = -1;
    if (Py_IS_TYPE(found, &PyMemberDescr_Type) && ((PyMemberDescrObject *)found)->d_member->type == T_OBJECT_EX)
        offset = ((PyMemberDescrObject *)found)->d_member->offset;
    Py_DECREF(found);
    if (offset < 0) PyErr_Format(PyExc_TypeError, "%s keeps no %s in a slot", type->tp_name, field);
    return offset;
}

static int find_slots(PyTypeObject *run, PyTypeObject *expected, PyTypeObject *wanted, PyTypeObject *made) {
    struct {
        PyTypeObject *type;
        const char *field;
        Py_ssize_t *offset;
    } fields[] = {
        {run, "expected", &slot.expected},         {run, "calls", &slot.calls},
        {run, "status", &slot.status},             {expected, "calls", &slot.reference},
        {expected, "any", &slot.any},              {expected, "required_tools", &slot.required},
        {expected, "forbidden_tools", &slot.forbidden}, {wanted, "name", &slot.name},
        {wanted, "args", &slot.args},              {wanted, "rules", &slot.rules},
        {wanted, "optional", &slot.optional},      {wanted, "times", &slot.times},
        {wanted, "group", &slot.group},            {wanted, "parallel", &slot.parallel},
        {made, "name", &slot.made_name},           {made, "args", &slot.made_args},
        {made, "result", &slot.result},            {made, "error", &slot.error},
    };
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        if ((*fields[k].offset = offset_of(fields[k].type, fields[k].field)) < 0) return 0;
    return 1;
}

PyDoc_STRVAR(learn_runs_doc, "learn_runs(Run, Expected, ExpectedCall, ToolCall, UNSET)\n\nSay what runs are made of. "
                             "Raises TypeError where their fields are not slots.");

static PyObject *learn_runs(PyObject *module, PyObject *args) {
    PyTypeObject *run, *expected, *wanted, *made;
    PyObject *nothing;
    if (!PyArg_ParseTuple(args, "O!O!O!O!O", &PyType_Type, &run, &PyType_Type, &expected, &PyType_Type, &wanted,
                          &PyType_Type, &made, &nothing))
        return NULL;
    if (!find_slots(run, expected, wanted, made)) return NULL;
    run_type = (PyTypeObject *)Py_NewRef(run), expected_type = (PyTypeObject *)Py_NewRef(expected);
    wanted_type = (PyTypeObject *)Py_NewRef(wanted), made_type = (PyTypeObject *)Py_NewRef(made);
    unset = Py_NewRef(nothing);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(learn_words_doc, "learn_words(words)\n\nSay which words may deny what follows them or are skipped "
                              "(a frozenset of bytes).");

static PyObject *learn_words(PyObject *module, PyObject *words) {
    if (!PyFrozenSet_CheckExact(words)) {
        PyErr_SetString(PyExc_TypeError, "words are a frozenset of bytes");
        return NULL;
    }
    Py_XSETREF(denying, Py_NewRef(words));
    Py_RETURN_NONE;
}

/* ---- Counts ---------------------------------------------------------------------------------------------------- */

PyDoc_STRVAR(add_at_doc, "add_at(counts, places, more)\n\nAdd each number of `more` to that of `counts` at the place that "
                         "`places` (a list) gives it; both hold numbers of 8 bytes. Raises IndexError.");

static int numbers_of(PyObject *object, Py_buffer *view, int flags) {
    if (PyObject_GetBuffer(object, view, flags)) return 0;
    if (view->itemsize == sizeof(uint64_t)) return 1;
    PyBuffer_Release(view);
    PyErr_SetString(PyExc_TypeError, "counts are numbers of 8 bytes");
    return 0;
}

static int add_each(uint64_t *counts, Py_ssize_t length, PyObject *places, const uint64_t *more, Py_ssize_t size) {
    for (Py_ssize_t k = 0; k < size && k < PyList_GET_SIZE(places); k++) {
        Py_ssize_t place = PyLong_AsSsize_t(PyList_GET_ITEM(places, k));
        if (place == -1 && PyErr_Occurred()) return 0;
        if (place < 0 || place >= length) {
            PyErr_SetString(PyExc_IndexError, "there is no count at this place");
            return 0;
        }
        counts[place] += more[k];
    }
    return 1;
}

static PyObject *add_at(PyObject *module, PyObject *args) {
    PyObject *counts, *places, *more;
    Py_buffer ours, theirs;
    if (!PyArg_ParseTuple(args, "OO!O", &counts, &PyList_Type, &places, &more)) return NULL;
    if (!numbers_of(counts, &ours, PyBUF_WRITABLE | PyBUF_ND)) return NULL;
    if (!numbers_of(more, &theirs, PyBUF_ND)) {
        PyBuffer_Release(&ours);
        return NULL;
    }
    int is_done = add_each(ours.buf, ours.len / 8, places, theirs.buf, theirs.len / 8);
    PyBuffer_Release(&theirs);
    PyBuffer_Release(&ours);
    if (!is_done) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"add_at", add_at, METH_VARARGS, add_at_doc},
    {"compare", (PyCFunction)(void (*)(void))compare, METH_FASTCALL, compare_doc},
    {"plain_number", plain_number, METH_O, plain_number_doc},
    {"learn_runs", learn_runs, METH_VARARGS, learn_runs_doc},
    {"learn_words", learn_words, METH_O, learn_words_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "agent_tui.native._core",
    .m_doc = "The hot path of scoring, compiled.",
    .m_size = -1,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__core(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) return NULL;
    PyObject *source = PyLong_FromUnsignedLong(SOURCE_CHECKSUM);
    if (source == NULL || PyModule_AddObjectRef(module, "SOURCE", source)) Py_CLEAR(module);
    Py_XDECREF(source);
    return module;
}
