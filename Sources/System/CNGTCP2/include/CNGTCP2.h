/// The client's side of QUIC (RFC 9000) for the event loop: octets of datagrams in and out, no
/// socket, no clock. What differs between ngtcp2 0.12 and 1.x stays behind these functions.
/// Moments are nanoseconds of CLOCK_MONOTONIC. A negative result is an error of ngtcp2.
#ifndef CNGTCP2_H
#define CNGTCP2_H

#include <gnutls/gnutls.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/// One connection and what it has to send.
struct cq_connection;

/// Reports of a connection while it is driven; none of these may drive it in turn. They get
/// `context`, and are not called for streams that the other end opens and resets.
struct cq_handlers {
    void *context;
    /// The handshake is complete.
    void (*completed)(void *context);
    /// The other end takes none of what was sent before the handshake: all streams are gone.
    void (*rejected)(void *context);
    /// The last octet of what was to be sent on a stream is in the datagram being written.
    void (*sent)(void *context, int64_t stream);
    /// Octets of a stream, in their order; `end` with the last of them.
    void (*received)(void *context, int64_t stream, const uint8_t *octets, size_t count, int end);
    /// The other end will send no more on a stream and says why.
    void (*reset)(void *context, int64_t stream, uint64_t code);
    /// A stream is done for, in both directions.
    void (*closed)(void *context, int64_t stream);
    /// A token for a later connection to the same address.
    void (*token)(void *context, const uint8_t *octets, size_t count);
};

/// Octets that are lent.
struct cq_octets {
    const uint8_t *start;
    size_t count;
};

/// How a connection begins.
struct cq_beginning {
    /// The session that speaks TLS for it; outlives the connection.
    gnutls_session_t session;
    /// The connected socket that the datagrams go through.
    int descriptor;
    /// The version that the other end chose of those it knows (RFC 9368), or 0.
    uint32_t version;
    /// From an earlier connection, or empty.
    struct cq_octets token;
    /// Grants of the other end in the session that is gone on with; empty to send nothing
    /// before the handshake is complete.
    struct cq_octets grants;
    /// How long nothing may come before the connection is dropped, in nanoseconds.
    uint64_t idle;
};

/// Begins a connection; NULL where memory is short.
struct cq_connection *cq_begin(
    const struct cq_beginning *beginning, const struct cq_handlers *handlers, int64_t now);

void cq_free(struct cq_connection *connection);

/// Takes one datagram.
int cq_receive(
    struct cq_connection *connection, const uint8_t *datagram, size_t count, int64_t now);

/// Writes the next datagram and returns its size; 0 where there is nothing to send now.
ssize_t cq_write(
    struct cq_connection *connection, uint8_t *datagram, size_t capacity, int64_t now);

/// When ``cq_expire`` is to be called; INT64_MAX for never.
int64_t cq_expiry(struct cq_connection *connection);

/// Does what is due.
int cq_expire(struct cq_connection *connection, int64_t now);

/// Opens a stream, in both directions or only from here; -1 where the other end grants no more.
int64_t cq_open_stream(struct cq_connection *connection, int both_directions);

/// Has a copy of octets sent on a stream, the last of it if `end`.
int cq_send(
    struct cq_connection *connection, int64_t stream, const uint8_t *octets, size_t count, int end);

/// Sends and takes no more on a stream, for a reason of the application's.
void cq_abandon(struct cq_connection *connection, int64_t stream, uint64_t code);

/// Writes the datagram that says that the connection is over: for a reason of the application's,
/// or, where `error` is not 0, for that error of ngtcp2.
ssize_t cq_close(
    struct cq_connection *connection, uint8_t *datagram, size_t capacity, int error, uint64_t code,
    int64_t now);

/// Notes what a NewSessionTicket (RFC 8446 §4.6.1) of the session says, before GnuTLS cuts it up.
void cq_read_ticket(struct cq_connection *connection, struct cq_octets message);

/// Grants of the other end to a later connection before its handshake is complete, to be kept with
/// the session's ticket; returns its size, or 0 for nothing.
size_t cq_grants(struct cq_connection *connection, uint8_t *octets, size_t capacity);

/// A version that both ends know, after CQ_END_VERSIONS; 0 for none.
uint32_t cq_common_version(struct cq_connection *connection);

/// Why a connection is over.
enum cq_end_kind {
    /// Because of an error at this end.
    CQ_END_ERROR,
    /// Nothing came for too long.
    CQ_END_IDLE,
    /// The TLS handshake failed at this end: `code` is the alert, or 0.
    CQ_END_TLS,
    /// The other end does not know the version.
    CQ_END_VERSIONS,
    /// The other end closed it: `code` is QUIC's (RFC 9000 §20.1).
    CQ_END_CLOSED,
    /// The other end closed it: `code` is the application's.
    CQ_END_CLOSED_BY_APPLICATION,
    /// The other end knows nothing of it (RFC 9000 §10.3).
    CQ_END_RESET,
};

struct cq_end {
    enum cq_end_kind kind;
    uint64_t code;
    /// The other end's words, as long as the connection lives; not to be trusted.
    struct cq_octets reason;
};

/// The meaning of `error`, returned by one of the functions above.
struct cq_end cq_end(struct cq_connection *connection, int error);

/// The error that says that the other end's certificate is not accepted.
extern const int cq_tls_error;

/// ngtcp2's words for its error.
const char *cq_error_text(int error);

#endif
