/// Maps the names of ngtcp2 1.x to ngtcp2 0.12 (Debian 12), and hides further differences.
#ifndef CQ_VERSIONS_H
#define CQ_VERSIONS_H

#include "CNGTCP2.h"

#include <netinet/in.h>
#include <ngtcp2/ngtcp2.h>
#include <ngtcp2/ngtcp2_crypto.h>
#include <string.h>

/// The versions in the order of preference. ngtcp2 0.12 knows version 2 (RFC 9369) only by its draft's
/// number. The array is never written to, although 0.12 takes a pointer to mutable data.
static uint32_t versions[] = {
    NGTCP2_PROTO_VER_V1,
#ifdef NGTCP2_PROTO_VER_V2
    NGTCP2_PROTO_VER_V2,
#endif
};
static const size_t version_count = sizeof versions / sizeof *versions;

#if NGTCP2_VERSION_NUM >= 0x010000

#define CQ_TOKEN_PARAMETERS const uint8_t *token_start, size_t token_count
#define CQ_TOKEN_OCTETS {token_start, token_count}

static inline void cq_set_token(ngtcp2_settings *settings, struct cq_bytes token) {
    settings->token = token.start;
    settings->tokenlen = token.count;
    if (token.count > 0) settings->token_type = NGTCP2_TOKEN_TYPE_NEW_TOKEN;
}

static inline int cq_use_grants(ngtcp2_conn *conn, struct cq_bytes grants) {
    return ngtcp2_conn_decode_and_set_0rtt_transport_params(conn, grants.start, grants.count);
}

static inline size_t cq_copy_grants(ngtcp2_conn *conn, uint8_t *bytes, size_t capacity) {
    ngtcp2_ssize count = ngtcp2_conn_encode_0rtt_transport_params(conn, bytes, capacity);
    return count < 0 ? 0 : (size_t)count;
}

static inline ngtcp2_ccerr cq_close_error(ngtcp2_conn *conn) {
    return *ngtcp2_conn_get_ccerr(conn);
}

#else

#define available_versions other_versions
#define available_versionslen other_versionslen
#define tls_early_data_rejected early_data_rejected
#define ngtcp2_conn_tls_early_data_rejected ngtcp2_conn_early_data_rejected
#define ngtcp2_encryption_level ngtcp2_crypto_level
#define NGTCP2_ENCRYPTION_LEVEL_HANDSHAKE NGTCP2_CRYPTO_LEVEL_HANDSHAKE
#define ngtcp2_conn_shutdown_stream(conn, flags, stream, code) \
    ngtcp2_conn_shutdown_stream(conn, stream, code)

#define ngtcp2_ccerr ngtcp2_connection_close_error
#define ngtcp2_ccerr_default ngtcp2_connection_close_error_default
#define ngtcp2_ccerr_set_application_error ngtcp2_connection_close_error_set_application_error
#define ngtcp2_ccerr_set_tls_alert ngtcp2_connection_close_error_set_transport_error_tls_alert
#define ngtcp2_ccerr_set_liberr ngtcp2_connection_close_error_set_transport_error_liberr
#define NGTCP2_CCERR_TYPE_APPLICATION NGTCP2_CONNECTION_CLOSE_ERROR_CODE_TYPE_APPLICATION

#define CQ_TOKEN_PARAMETERS const ngtcp2_vec *token
#define CQ_TOKEN_OCTETS {token->base, token->len}

static inline void cq_set_token(ngtcp2_settings *settings, struct cq_bytes token) {
    settings->token.base = (uint8_t *)token.start;
    settings->token.len = token.count;
}

static inline int cq_use_grants(ngtcp2_conn *conn, struct cq_bytes grants) {
    ngtcp2_transport_params params;
    if (grants.count != sizeof params) return NGTCP2_ERR_INVALID_ARGUMENT;
    memcpy(&params, grants.start, sizeof params);
    ngtcp2_conn_set_early_remote_transport_params(conn, &params);
    return 0;
}

static inline size_t cq_copy_grants(ngtcp2_conn *conn, uint8_t *bytes, size_t capacity) {
    const ngtcp2_transport_params *known = ngtcp2_conn_get_remote_transport_params(conn);
    if (known == NULL || capacity < sizeof *known) return 0;
    ngtcp2_transport_params params = *known;
    // The version information points into the connection, and contains no grants.
    memset(&params.version_info, 0, sizeof params.version_info);
    params.version_info_present = 0;
    memcpy(bytes, &params, sizeof params);
    return sizeof params;
}

static inline ngtcp2_ccerr cq_close_error(ngtcp2_conn *conn) {
    ngtcp2_ccerr error;
    ngtcp2_conn_get_connection_close_error(conn, &error);
    return error;
}

#endif

#endif
