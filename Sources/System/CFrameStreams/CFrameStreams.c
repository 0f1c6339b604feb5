#include "CFrameStreams.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Results of fstrm.h, which never change within libfstrm.so.0. */
enum { result_success = 0, result_failure = 1, result_stop = 4, control_stop = 3 };

struct options;
struct file_options;

static struct {
    struct file_options *(*new_file)(void);
    void (*set_path)(struct file_options *, const char *);
    void (*free_file)(struct file_options **);
    struct options *(*new_writing)(void);
    int (*add_written)(struct options *, const void *, size_t);
    void (*free_writing)(struct options **);
    void *(*create)(const struct file_options *, const struct options *);
    int (*begin)(void *);
    int (*write)(void *, const void *, size_t);
    int (*end)(void *);
    int (*free_writer)(void **);
    struct options *(*new_reading)(void);
    int (*add_read)(struct options *, const void *, size_t);
    void (*free_reading)(struct options **);
    void *(*new_stream)(void *);
    void (*set_open)(void *, int (*)(void *));
    void (*set_close)(void *, int (*)(void *));
    void (*set_read)(void *, int (*)(void *, void *, size_t));
    int (*free_stream)(void **);
    void *(*open)(const struct options *, void **);
    int (*begin_reading)(void *);
    int (*read)(void *, const uint8_t **, size_t *);
    int (*get_control)(void *, int, const void **);
    int (*free_reader)(void **);
} functions;

static int is_loaded;

static void load(void) {
#ifdef __APPLE__
    static const char *const names[] = {"libfstrm.0.dylib", "/opt/homebrew/opt/fstrm/lib/libfstrm.0.dylib", NULL};
#else
    static const char *const names[] = {"libfstrm.so.0", NULL};
#endif
    const struct {
        const char *name;
        void *function;
    } symbols[] = {
        {"fstrm_file_options_init", &functions.new_file},
        {"fstrm_file_options_set_file_path", &functions.set_path},
        {"fstrm_file_options_destroy", &functions.free_file},
        {"fstrm_writer_options_init", &functions.new_writing},
        {"fstrm_writer_options_add_content_type", &functions.add_written},
        {"fstrm_writer_options_destroy", &functions.free_writing},
        {"fstrm_file_writer_init", &functions.create},
        {"fstrm_writer_open", &functions.begin},
        {"fstrm_writer_write", &functions.write},
        {"fstrm_writer_close", &functions.end},
        {"fstrm_writer_destroy", &functions.free_writer},
        {"fstrm_reader_options_init", &functions.new_reading},
        {"fstrm_reader_options_add_content_type", &functions.add_read},
        {"fstrm_reader_options_destroy", &functions.free_reading},
        {"fstrm_rdwr_init", &functions.new_stream},
        {"fstrm_rdwr_set_open", &functions.set_open},
        {"fstrm_rdwr_set_close", &functions.set_close},
        {"fstrm_rdwr_set_read", &functions.set_read},
        {"fstrm_rdwr_destroy", &functions.free_stream},
        {"fstrm_reader_init", &functions.open},
        {"fstrm_reader_open", &functions.begin_reading},
        {"fstrm_reader_read", &functions.read},
        {"fstrm_reader_get_control", &functions.get_control},
        {"fstrm_reader_destroy", &functions.free_reader},
    };
    void *library = NULL;
    for (const char *const *name = names; !library && *name; name++) library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
        void *function = dlsym(library, symbols[index].name);
        if (!function) return;
        *(void **)symbols[index].function = function;
    }
    is_loaded = 1;
}

int cframestreams_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

struct cframestreams_writer {
    void *handle;
};

struct cframestreams_reader {
    void *handle;
    FILE *file;
};

/* The writer of a file at `path`. */
static void *created(const char *path, const struct options *options) {
    struct file_options *file = functions.new_file();
    if (!file) return NULL;
    functions.set_path(file, path);
    void *handle = functions.create(file, options);
    functions.free_file(&file);
    return handle;
}

static int do_nothing(void *file) {
    (void)file;
    return result_success;
}

static int read_octets(void *file, void *octets, size_t count) {
    if (fread(octets, 1, count, file) == count) return result_success;
    return ferror(file) ? result_failure : result_stop;
}

/* The reader of a file that is open: the library would open it again by its name, and wait for a FIFO. */
static void *opened(FILE *file, const struct options *options) {
    void *stream = functions.new_stream(file);
    if (!stream) return NULL;
    functions.set_open(stream, do_nothing);
    functions.set_close(stream, do_nothing);
    functions.set_read(stream, read_octets);
    void *handle = functions.open(options, &stream);
    /* The reader has it from then on. */
    if (!handle) functions.free_stream(&stream);
    return handle;
}

cframestreams_writer *cframestreams_create(const char *path, const char *content_type) {
    cframestreams_writer *writer = calloc(1, sizeof *writer);
    struct options *options = functions.new_writing();
    if (writer && options && functions.add_written(options, content_type, strlen(content_type)) == result_success)
        writer->handle = created(path, options);
    if (options) functions.free_writing(&options);
    if (writer && writer->handle && functions.begin(writer->handle) == result_success) return writer;
    if (writer && writer->handle) functions.free_writer(&writer->handle);
    free(writer);
    return NULL;
}

int cframestreams_write(cframestreams_writer *writer, const void *frame, size_t length) {
    return functions.write(writer->handle, frame, length) == result_success;
}

int cframestreams_finish(cframestreams_writer *writer) {
    int is_whole = functions.end(writer->handle) == result_success;
    /* Says of a writer that is closed already that it could not be. */
    functions.free_writer(&writer->handle);
    free(writer);
    return is_whole;
}

cframestreams_reader *cframestreams_open(int descriptor, const char *content_type) {
    cframestreams_reader *reader = calloc(1, sizeof *reader);
    struct options *options = functions.new_reading();
    FILE *file = fdopen(descriptor, "r");
    if (reader && options && file
        && functions.add_read(options, content_type, strlen(content_type)) == result_success) {
        reader->file = file;
        reader->handle = opened(file, options);
    }
    if (options) functions.free_reading(&options);
    if (reader && reader->handle && functions.begin_reading(reader->handle) == result_success) return reader;
    if (reader && reader->handle) functions.free_reader(&reader->handle);
    free(reader);
    if (file) fclose(file);
    else close(descriptor);
    return NULL;
}

int cframestreams_read(cframestreams_reader *reader, const uint8_t **frame, size_t *length) {
    int result = functions.read(reader->handle, frame, length);
    if (result == result_success) return 1;
    /* Stops where the file does, too, within a frame or not: a whole one ends with a frame that says so. */
    const void *end = NULL;
    int is_known = functions.get_control(reader->handle, control_stop, &end) == result_success;
    return result == result_stop && is_known && end ? 0 : -1;
}

void cframestreams_close(cframestreams_reader *reader) {
    functions.free_reader(&reader->handle);
    fclose(reader->file);
    free(reader);
}
