#ifndef CTOML_H
#define CTOML_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    ctoml_table,
    ctoml_array,
    /// What is in a table or an array stands before its end.
    ctoml_end,
    ctoml_text,
    ctoml_integer,
    ctoml_number,
    ctoml_boolean,
    /// A date or a time.
    ctoml_moment,
} ctoml_kind;

/// A value of a document, in the order of its keys. Octets are UTF-8, and last as long as the call.
typedef struct {
    ctoml_kind kind;
    /// Where its key is written, or in an array itself; from 1.
    uint32_t line;
    /// Within a table.
    const char *key;
    size_t key_length;
    /// A text, or a date or time as it is written.
    const char *text;
    size_t text_length;
    int64_t integer;
    double number;
    int is_true;
} ctoml_value;

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a document by toml++ and calls `visit` with each of its values. Returns 0, or the line of what is
/// wrong and in `fault` what that is, before anything was visited.
int ctoml_parse(
    const char *text, size_t length, void (*visit)(void *context, const ctoml_value *value), void *context,
    char *fault, size_t fault_length);

#ifdef __cplusplus
}
#endif

#endif
