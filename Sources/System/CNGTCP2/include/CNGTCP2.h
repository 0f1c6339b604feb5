/// The client side of QUIC (RFC 9000) for the event loop. It reads and writes the bytes of datagrams, without
/// a socket or a clock. These functions hide the differences between ngtcp2 0.12 and 1.x. Times are
/// nanoseconds of CLOCK_MONOTONIC. A negative result is an ngtcp2 error.
#ifndef CNGTCP2_H
#define CNGTCP2_H

#include <gnutls/gnutls.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/// A connection and its outgoing data.
struct cq_connection;

/// Callbacks of a connection. They must not call functions of the connection. They receive `context`, and are
/// not called for streams that the server opens and resets.
struct cq_handlers {
    void *context;
    /// The handshake is complete.
    void (*completed)(void *context);
    /// The server rejected the early data: all its streams no longer exist.
    void (*rejected)(void *context);
    /// The last outgoing byte of a stream is in the datagram that is being written.
    void (*sent)(void *context, int64_t stream);
    /// Bytes of a stream, in their order; `end` is set with the last byte.
    void (*received)(void *context, int64_t stream, const uint8_t *bytes, size_t count, int end);
    /// The server will send no more on a stream, and gives the reason.
    void (*reset)(void *context, int64_t stream, uint64_t code);
    /// A stream is closed in both directions.
    void (*closed)(void *context, int64_t stream);
    /// A token for a later connection to the same address.
    void (*token)(void *context, const uint8_t *bytes, size_t count);
};

/// Borrowed bytes.
struct cq_bytes {
    const uint8_t *start;
    size_t count;
};

/// The parameters of a new connection.
struct cq_beginning {
    /// The TLS session of the connection, which outlives the connection.
    gnutls_session_t session;
    /// The connected socket of the datagrams.
    int descriptor;
    /// The version that the server selected from the known versions (RFC 9368), or 0.
    uint32_t version;
    /// The token of an earlier connection, or empty.
    struct cq_bytes token;
    /// The server's transport parameters in the resumed session; empty to send no early data.
    struct cq_bytes grants;
    /// The idle time after which the connection is dropped, in nanoseconds.
    uint64_t idle;
};

/// Starts a connection; NULL if memory is exhausted.
struct cq_connection *cq_begin(
    const struct cq_beginning *beginning, const struct cq_handlers *handlers, int64_t now);

void cq_free(struct cq_connection *connection);

/// Processes one received datagram.
int cq_receive(
    struct cq_connection *connection, const uint8_t *datagram, size_t count, int64_t now);

/// Writes the next datagram and returns its size; 0 if there is nothing to send now.
ssize_t cq_write(
    struct cq_connection *connection, uint8_t *datagram, size_t capacity, int64_t now);

/// The time at which ``cq_expire`` must be called; INT64_MAX for never.
int64_t cq_expiry(struct cq_connection *connection);

/// The idle timeout that the server states (RFC 9000 §18.2), in nanoseconds; 0 if it is unknown or none.
uint64_t cq_stated_idle(struct cq_connection *connection);

/// Processes expired timers.
int cq_expire(struct cq_connection *connection, int64_t now);

/// Opens a bidirectional or a unidirectional stream; -1 if the server grants no more streams.
int64_t cq_open_stream(struct cq_connection *connection, int both_directions);

/// Queues a copy of bytes on a stream. With `end`, they are the stream's last bytes.
int cq_send(
    struct cq_connection *connection, int64_t stream, const uint8_t *bytes, size_t count, int end);

/// Stops sending and receiving on a stream, with an error code of the application.
void cq_abandon(struct cq_connection *connection, int64_t stream, uint64_t code);

/// Writes the datagram that closes the connection: with a code of the application or, if `error` is not 0,
/// for that ngtcp2 error.
ssize_t cq_close(
    struct cq_connection *connection, uint8_t *datagram, size_t capacity, int error, uint64_t code,
    int64_t now);

/// Records whether the session's last ticket allows early data.
void cq_note_ticket(struct cq_connection *connection, int allows_early_data);

/// Writes the server's transport parameters for early data of a later connection. Keep them with the
/// session's ticket. Returns their size, or 0 without any.
size_t cq_grants(struct cq_connection *connection, uint8_t *bytes, size_t capacity);

/// A version that both ends support, after CQ_END_VERSIONS; 0 for none.
uint32_t cq_common_version(struct cq_connection *connection);

/// The reason why a connection ended.
enum cq_end_kind {
    /// An error at the client.
    CQ_END_ERROR,
    /// The idle timeout.
    CQ_END_IDLE,
    /// The TLS handshake failed at the client: `code` is the alert, or 0.
    CQ_END_TLS,
    /// The server does not support the version.
    CQ_END_VERSIONS,
    /// The server closed the connection: `code` is QUIC's (RFC 9000 §20.1).
    CQ_END_CLOSED,
    /// The server closed the connection: `code` is the application's.
    CQ_END_CLOSED_BY_APPLICATION,
    /// The server does not know the connection (RFC 9000 §10.3).
    CQ_END_RESET,
};

struct cq_end {
    enum cq_end_kind kind;
    uint64_t code;
    /// The server's reason phrase, valid as long as the connection; it is untrusted.
    struct cq_bytes reason;
};

/// The reason for `error`, a result of one of the functions above.
struct cq_end cq_end(struct cq_connection *connection, int error);

/// The error code for a rejected server certificate.
extern const int cq_tls_error;

/// ngtcp2's text for its error.
const char *cq_error_text(int error);

#endif
