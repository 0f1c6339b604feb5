#ifdef QUIC

#include "CNGTCP2.h"

#include "Versions.h"

#include <gnutls/crypto.h>
#include <ngtcp2/ngtcp2_crypto_gnutls.h>
#include <stdlib.h>

/// Bytes of a stream. They are kept until the stream is closed, because ngtcp2 retransmits lost bytes from
/// them.
struct cq_chunk {
    struct cq_chunk *next;
    int64_t stream;
    size_t count;
    size_t written;
    int end;
    int is_written;
    uint8_t bytes[];
};

/// The maximum number of unread bytes on a stream.
enum { stream_window = 128 * 1024 };

struct cq_connection {
    ngtcp2_conn *conn;
    ngtcp2_crypto_conn_ref reference;
    struct cq_handlers handlers;
    ngtcp2_path path;
    ngtcp2_sockaddr_union local;
    ngtcp2_sockaddr_union remote;
    /// The bytes in the order of sending.
    struct cq_chunk *chunks;
    uint32_t common_version;
    /// The latest time that was passed to ngtcp2.
    ngtcp2_tstamp moment;
    /// The number of bytes on the server's own streams since a stream of the client was closed.
    uint64_t unasked;
    int has_early_data;
    /// Whether the last ticket allows early data in a later session.
    int grants_early_data;
    int was_reset;
};

static void free_chunks(struct cq_connection *connection) {
    while (connection->chunks != NULL) {
        struct cq_chunk *chunk = connection->chunks;
        connection->chunks = chunk->next;
        free(chunk);
    }
}

// MARK: Callbacks of ngtcp2

static ngtcp2_conn *connection_of(ngtcp2_crypto_conn_ref *reference) {
    return ((struct cq_connection *)reference->user_data)->conn;
}

static void fill_random(uint8_t *bytes, size_t count, const ngtcp2_rand_ctx *context) {
    // Not for secrets, so weak random numbers suffice if no others are available.
    (void)gnutls_rnd(GNUTLS_RND_NONCE, bytes, count);
}

static int make_connection_id(
    ngtcp2_conn *conn, ngtcp2_cid *id, uint8_t *token, size_t length, void *data) {
    if (gnutls_rnd(GNUTLS_RND_RANDOM, id->data, length) != 0) return NGTCP2_ERR_CALLBACK_FAILURE;
    id->datalen = length;
    if (gnutls_rnd(GNUTLS_RND_RANDOM, token, NGTCP2_STATELESS_RESET_TOKENLEN) != 0)
        return NGTCP2_ERR_CALLBACK_FAILURE;
    return 0;
}

static int handshake_completed(ngtcp2_conn *conn, void *data) {
    struct cq_connection *connection = data;
    gnutls_session_t session = ngtcp2_conn_get_tls_native_handle(conn);
    if (connection->has_early_data &&
        !(gnutls_session_get_flags(session) & GNUTLS_SFLAGS_EARLY_DATA)) {
        int error = ngtcp2_conn_tls_early_data_rejected(conn);
        if (error != 0) return error;
    }
    connection->handlers.completed(connection->handlers.context);
    return 0;
}

static int crypto_received(
    ngtcp2_conn *conn, ngtcp2_encryption_level level, uint64_t offset, const uint8_t *bytes, size_t count,
    void *data) {
    int error = ngtcp2_crypto_recv_crypto_data_cb(conn, level, offset, bytes, count, data);
    if (error != 0) return error;
    // Transport parameters arrive with the first encrypted message (RFC 9001 §8.2). ngtcp2 0.12 continues
    // without them, and reads them even if they are missing.
    gnutls_session_t session = ngtcp2_conn_get_tls_native_handle(conn);
    if (level != NGTCP2_ENCRYPTION_LEVEL_HANDSHAKE ||
        gnutls_handshake_get_last_in(session) == GNUTLS_HANDSHAKE_SERVER_HELLO ||
        ngtcp2_conn_get_remote_transport_params(conn) != NULL)
        return 0;
    ngtcp2_conn_set_tls_alert(conn, GNUTLS_A_MISSING_EXTENSION);
    return NGTCP2_ERR_CRYPTO;
}

static int early_data_rejected(ngtcp2_conn *conn, void *data) {
    struct cq_connection *connection = data;
    connection->has_early_data = 0;
    free_chunks(connection);
    connection->handlers.rejected(connection->handlers.context);
    return 0;
}

static int stream_received(
    ngtcp2_conn *conn, uint32_t flags, int64_t stream, uint64_t offset, const uint8_t *bytes,
    size_t count, void *data, void *stream_data) {
    struct cq_connection *connection = data;
    int is_asked = ngtcp2_conn_is_local_stream(conn, stream);
    if (!is_asked) connection->unasked += count;
    // The server's own streams may use one window, and one more window per answer.
    if (is_asked || connection->unasked <= stream_window)
        ngtcp2_conn_extend_max_stream_offset(conn, stream, count);
    ngtcp2_conn_extend_max_offset(conn, count);
    int end = (flags & NGTCP2_STREAM_DATA_FLAG_FIN) != 0;
    connection->handlers.received(connection->handlers.context, stream, bytes, count, end);
    return 0;
}

static int stream_reset(
    ngtcp2_conn *conn, int64_t stream, uint64_t size, uint64_t code, void *data,
    void *stream_data) {
    struct cq_connection *connection = data;
    connection->handlers.reset(connection->handlers.context, stream, code);
    return 0;
}

static int stream_closed(
    ngtcp2_conn *conn, uint32_t flags, int64_t stream, uint64_t code, void *data,
    void *stream_data) {
    struct cq_connection *connection = data;
    struct cq_chunk **link = &connection->chunks;
    while (*link != NULL) {
        struct cq_chunk *chunk = *link;
        if (chunk->stream == stream) {
            *link = chunk->next;
            free(chunk);
        } else {
            link = &chunk->next;
        }
    }
    // A closed stream of the server allows no further stream: the server needs no more than it was granted.
    if (ngtcp2_conn_is_local_stream(conn, stream)) connection->unasked = 0;
    connection->handlers.closed(connection->handlers.context, stream);
    return 0;
}

static int versions_received(
    ngtcp2_conn *conn, const ngtcp2_pkt_hd *header, const uint32_t *offered, size_t count,
    void *data) {
    struct cq_connection *connection = data;
    connection->common_version = ngtcp2_select_version(versions, version_count, offered, count);
    return 0;
}

static int reset_received(ngtcp2_conn *conn, const ngtcp2_pkt_stateless_reset *reset, void *data) {
    ((struct cq_connection *)data)->was_reset = 1;
    return 0;
}

static int token_received(ngtcp2_conn *conn, CQ_TOKEN_PARAMETERS, void *data) {
    struct cq_connection *connection = data;
    struct cq_bytes bytes = CQ_TOKEN_OCTETS;
    connection->handlers.token(connection->handlers.context, bytes.start, bytes.count);
    return 0;
}

void cq_note_ticket(struct cq_connection *connection, int allows_early_data) {
    connection->grants_early_data = allows_early_data;
}

static const ngtcp2_callbacks callbacks = {
    .client_initial = ngtcp2_crypto_client_initial_cb,
    .recv_crypto_data = crypto_received,
    .handshake_completed = handshake_completed,
    .recv_version_negotiation = versions_received,
    .encrypt = ngtcp2_crypto_encrypt_cb,
    .decrypt = ngtcp2_crypto_decrypt_cb,
    .hp_mask = ngtcp2_crypto_hp_mask_cb,
    .recv_stream_data = stream_received,
    .stream_close = stream_closed,
    .recv_stateless_reset = reset_received,
    .recv_retry = ngtcp2_crypto_recv_retry_cb,
    .rand = fill_random,
    .get_new_connection_id = make_connection_id,
    .update_key = ngtcp2_crypto_update_key_cb,
    .stream_reset = stream_reset,
    .recv_new_token = token_received,
    .delete_crypto_aead_ctx = ngtcp2_crypto_delete_crypto_aead_ctx_cb,
    .delete_crypto_cipher_ctx = ngtcp2_crypto_delete_crypto_cipher_ctx_cb,
    .get_path_challenge_data = ngtcp2_crypto_get_path_challenge_data_cb,
    .version_negotiation = ngtcp2_crypto_version_negotiation_cb,
    .tls_early_data_rejected = early_data_rejected,
};

// MARK: Beginning and ending

/// Returns `now`, but never a time before an earlier one, for which ngtcp2 1.x aborts the process.
static ngtcp2_tstamp moment_of(struct cq_connection *connection, int64_t now) {
    if ((ngtcp2_tstamp)now > connection->moment) connection->moment = (ngtcp2_tstamp)now;
    return connection->moment;
}

/// The addresses of both ends of a connected socket.
static int describe_path(struct cq_connection *connection, int descriptor) {
    socklen_t local = sizeof connection->local, remote = sizeof connection->remote;
    if (getsockname(descriptor, &connection->local.sa, &local) != 0 ||
        getpeername(descriptor, &connection->remote.sa, &remote) != 0 ||
        local > sizeof connection->local || remote > sizeof connection->remote)
        return -1;
    connection->path.local.addr = &connection->local.sa;
    connection->path.local.addrlen = local;
    connection->path.remote.addr = &connection->remote.sa;
    connection->path.remote.addrlen = remote;
    return 0;
}

static int open_connection(
    struct cq_connection *connection, const struct cq_beginning *beginning, int64_t now) {
    ngtcp2_settings settings;
    ngtcp2_settings_default(&settings);
    settings.initial_ts = moment_of(connection, now);
    // Queries are small, so probes for larger datagrams would only delay them.
    settings.no_pmtud = 1;
    settings.max_tx_udp_payload_size = NGTCP2_MAX_UDP_PAYLOAD_SIZE;
    settings.original_version = NGTCP2_PROTO_VER_V1;
    cq_set_token(&settings, beginning->token);
    settings.preferred_versions = settings.available_versions = versions;
    settings.preferred_versionslen = settings.available_versionslen = version_count;
    ngtcp2_transport_params params;
    ngtcp2_transport_params_default(&params);
    params.initial_max_stream_data_bidi_local = stream_window;
    params.initial_max_stream_data_uni = stream_window;
    params.initial_max_data = 1024 * 1024;
    // HTTP/3 has three streams of the server (RFC 9114 §6.2).
    params.initial_max_streams_uni = 8;
    params.max_idle_timeout = beginning->idle;
    params.disable_active_migration = 1;
    uint32_t version = beginning->version != 0 ? beginning->version : NGTCP2_PROTO_VER_V1;
    ngtcp2_cid destination = {.datalen = NGTCP2_MIN_INITIAL_DCIDLEN};
    ngtcp2_cid source = {.datalen = 8};
    if (gnutls_rnd(GNUTLS_RND_RANDOM, destination.data, destination.datalen) != 0 ||
        gnutls_rnd(GNUTLS_RND_RANDOM, source.data, source.datalen) != 0)
        return NGTCP2_ERR_INTERNAL;
    return ngtcp2_conn_client_new(
        &connection->conn, &destination, &source, &connection->path, version, &callbacks,
        &settings, &params, NULL, connection);
}

struct cq_connection *cq_begin(
    const struct cq_beginning *beginning, const struct cq_handlers *handlers, int64_t now) {
    struct cq_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) return NULL;
    connection->handlers = *handlers;
    connection->reference.get_conn = connection_of;
    connection->reference.user_data = connection;
    if (describe_path(connection, beginning->descriptor) != 0 ||
        open_connection(connection, beginning, now) != 0 ||
        ngtcp2_crypto_gnutls_configure_client_session(beginning->session) != 0) {
        cq_free(connection);
        return NULL;
    }
    gnutls_session_set_ptr(beginning->session, &connection->reference);
    ngtcp2_conn_set_tls_native_handle(connection->conn, beginning->session);
    connection->has_early_data =
        beginning->grants.count > 0 && cq_use_grants(connection->conn, beginning->grants) == 0;
    return connection;
}

void cq_free(struct cq_connection *connection) {
    if (connection->conn != NULL) ngtcp2_conn_del(connection->conn);
    free_chunks(connection);
    free(connection);
}

ssize_t cq_close(
    struct cq_connection *connection, uint8_t *datagram, size_t capacity, int error, uint64_t code,
    int64_t now) {
    uint8_t alert = ngtcp2_conn_get_tls_alert(connection->conn);
    ngtcp2_ccerr reason;
    ngtcp2_ccerr_default(&reason);
    if (error == 0)
        ngtcp2_ccerr_set_application_error(&reason, code, NULL, 0);
    else if (alert != 0)
        ngtcp2_ccerr_set_tls_alert(&reason, alert, NULL, 0);
    else
        ngtcp2_ccerr_set_liberr(&reason, error, NULL, 0);
    return ngtcp2_conn_write_connection_close(
        connection->conn, NULL, NULL, datagram, capacity, &reason, moment_of(connection, now));
}

// MARK: Datagrams

int cq_receive(
    struct cq_connection *connection, const uint8_t *datagram, size_t count, int64_t now) {
    ngtcp2_pkt_info info = {0};
    return ngtcp2_conn_read_pkt(
        connection->conn, &connection->path, &info, datagram, count, moment_of(connection, now));
}

ssize_t cq_write(
    struct cq_connection *connection, uint8_t *datagram, size_t capacity, int64_t now) {
    struct cq_chunk *chunk = connection->chunks;
    for (;;) {
        while (chunk != NULL && chunk->is_written) chunk = chunk->next;
        ngtcp2_vec vector = {0};
        uint32_t flags = NGTCP2_WRITE_STREAM_FLAG_NONE;
        int64_t stream = -1;
        if (chunk != NULL) {
            vector.base = chunk->bytes + chunk->written;
            vector.len = chunk->count - chunk->written;
            // The next data may go into the same datagram.
            flags = NGTCP2_WRITE_STREAM_FLAG_MORE;
            if (chunk->end) flags |= NGTCP2_WRITE_STREAM_FLAG_FIN;
            stream = chunk->stream;
        }
        ngtcp2_ssize taken = -1;
        ngtcp2_ssize count = ngtcp2_conn_writev_stream(
            connection->conn, NULL, NULL, datagram, capacity, &taken, flags, stream, &vector,
            chunk != NULL, moment_of(connection, now));
        if (chunk != NULL && taken >= 0) {
            chunk->written += (size_t)taken;
            if (chunk->written == chunk->count) {
                chunk->is_written = 1;
                if (chunk->end) connection->handlers.sent(connection->handlers.context, stream);
            }
        }
        switch (count) {
        case NGTCP2_ERR_WRITE_MORE: continue;
        case NGTCP2_ERR_STREAM_DATA_BLOCKED:
            // The stream is blocked until the server grants more data; other streams may not be blocked.
            chunk = chunk->next;
            continue;
        case NGTCP2_ERR_STREAM_NOT_FOUND:
        case NGTCP2_ERR_STREAM_SHUT_WR:
            chunk->is_written = 1;
            continue;
        // ngtcp2_conn_update_pkt_tx_time is not called. With it, packets would be paced by the initial round
        // trip of 333 ms, which is assumed before a measurement. This delays the end of a handshake by 24 ms.
        // The client sends no bursts that need pacing.
        default: return count;
        }
    }
}

int64_t cq_expiry(struct cq_connection *connection) {
    ngtcp2_tstamp expiry = ngtcp2_conn_get_expiry(connection->conn);
    return expiry > INT64_MAX ? INT64_MAX : (int64_t)expiry;
}

uint64_t cq_stated_idle(struct cq_connection *connection) {
    const ngtcp2_transport_params *params = ngtcp2_conn_get_remote_transport_params(connection->conn);
    return params == NULL ? 0 : params->max_idle_timeout;
}

int cq_expire(struct cq_connection *connection, int64_t now) {
    return ngtcp2_conn_handle_expiry(connection->conn, moment_of(connection, now));
}

// MARK: Streams

int64_t cq_open_stream(struct cq_connection *connection, int both_directions) {
    int64_t stream;
    int error = both_directions ? ngtcp2_conn_open_bidi_stream(connection->conn, &stream, NULL)
                                : ngtcp2_conn_open_uni_stream(connection->conn, &stream, NULL);
    return error == 0 ? stream : -1;
}

int cq_send(
    struct cq_connection *connection, int64_t stream, const uint8_t *bytes, size_t count,
    int end) {
    struct cq_chunk *chunk = calloc(1, sizeof *chunk + count);
    if (chunk == NULL) return NGTCP2_ERR_NOMEM;
    chunk->stream = stream;
    chunk->count = count;
    chunk->end = end;
    if (count > 0) memcpy(chunk->bytes, bytes, count);
    struct cq_chunk **link = &connection->chunks;
    while (*link != NULL) link = &(*link)->next;
    *link = chunk;
    return 0;
}

void cq_abandon(struct cq_connection *connection, int64_t stream, uint64_t code) {
    ngtcp2_conn_shutdown_stream(connection->conn, 0, stream, code);
}

// MARK: State of a connection

size_t cq_grants(struct cq_connection *connection, uint8_t *bytes, size_t capacity) {
    return connection->grants_early_data ? cq_copy_grants(connection->conn, bytes, capacity) : 0;
}

uint32_t cq_common_version(struct cq_connection *connection) { return connection->common_version; }

struct cq_end cq_end(struct cq_connection *connection, int error) {
    switch (error) {
    case NGTCP2_ERR_IDLE_CLOSE:
    case NGTCP2_ERR_HANDSHAKE_TIMEOUT: return (struct cq_end){.kind = CQ_END_IDLE};
    case NGTCP2_ERR_CRYPTO:
    case NGTCP2_ERR_CALLBACK_FAILURE:
        return (struct cq_end){
            .kind = CQ_END_TLS, .code = ngtcp2_conn_get_tls_alert(connection->conn)};
    case NGTCP2_ERR_RECV_VERSION_NEGOTIATION: return (struct cq_end){.kind = CQ_END_VERSIONS};
    case NGTCP2_ERR_DRAINING: break;
    default: return (struct cq_end){.kind = CQ_END_ERROR};
    }
    if (connection->was_reset) return (struct cq_end){.kind = CQ_END_RESET};
    ngtcp2_ccerr close = cq_close_error(connection->conn);
    int is_application = close.type == NGTCP2_CCERR_TYPE_APPLICATION;
    return (struct cq_end){
        .kind = is_application ? CQ_END_CLOSED_BY_APPLICATION : CQ_END_CLOSED,
        .code = close.error_code,
        .reason = {close.reason, close.reasonlen},
    };
}

const int cq_tls_error = NGTCP2_ERR_CRYPTO;

const char *cq_error_text(int error) { return ngtcp2_strerror(error); }

#endif
