#ifndef CFRAMESTREAMS_H
#define CFRAMESTREAMS_H

#include <stddef.h>
#include <stdint.h>

/* Files of Frame Streams by libfstrm, which is loaded when it is first asked for: linked, it would slow every
   start down. The interface is that of libfstrm.so.0. */

/* Whether the library is there. */
int cframestreams_load(void);

typedef struct cframestreams_writer cframestreams_writer;

/* A new file of frames of one content type; NULL where it cannot be made. */
cframestreams_writer *cframestreams_create(const char *path, const char *content_type);

/* 0 where the frame could not be written. */
int cframestreams_write(cframestreams_writer *writer, const void *frame, size_t length);

/* Ends the file; 0 where its last frames could not be written. */
int cframestreams_finish(cframestreams_writer *writer);

typedef struct cframestreams_reader cframestreams_reader;

/* The file of such frames behind a descriptor, which is closed with it; NULL, and closed, where it is none. */
cframestreams_reader *cframestreams_open(int descriptor, const char *content_type);

/* The next frame, valid until the next call: 1, or 0 at the end of the file, or -1 where that is broken. */
int cframestreams_read(cframestreams_reader *reader, const uint8_t **frame, size_t *length);
void cframestreams_close(cframestreams_reader *reader);

#endif
