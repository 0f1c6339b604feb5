#ifndef CTOML_H
#define CTOML_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    ctoml_table,
    ctoml_array,
    /// The values of a table or an array precede its end.
    ctoml_end,
    ctoml_text,
    ctoml_integer,
    ctoml_number,
    ctoml_boolean,
    /// A date or a time.
    ctoml_moment,
} ctoml_kind;

/// A value of a document, in the order of its keys. Its text is UTF-8, and is valid during the call.
typedef struct {
    ctoml_kind kind;
    /// The line of its key, or of the value itself in an array; from 1.
    uint32_t line;
    /// The key, for values in a table.
    const char *key;
    size_t key_length;
    /// A text, or a date or time as written in the file.
    const char *text;
    size_t text_length;
    int64_t integer;
    double number;
    int is_true;
} ctoml_value;

#ifdef __cplusplus
extern "C" {
#endif

/// Parses a document with toml++ and calls `visit` for each of its values. Returns 0. For an invalid
/// document, it returns the line of the error, with its text in `fault`, and does not call `visit`.
int ctoml_parse(
    const char *text, size_t length, void (*visit)(void *context, const ctoml_value *value), void *context,
    char *fault, size_t fault_length);

#ifdef __cplusplus
}
#endif

#endif
