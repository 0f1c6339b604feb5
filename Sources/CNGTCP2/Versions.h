/// What differs between ngtcp2 0.12 (Debian 12) and 1.x, under one name each.
#ifndef CQ_VERSIONS_H
#define CQ_VERSIONS_H

#include "CNGTCP2.h"

#include <netinet/in.h>
#include <ngtcp2/ngtcp2.h>
#include <ngtcp2/ngtcp2_crypto.h>
#include <string.h>

/// In the order of preference. ngtcp2 0.12 knows version 2 (RFC 9369) only by its draft's number.
static const uint32_t versions[] = {
    NGTCP2_PROTO_VER_V1,
#ifdef NGTCP2_PROTO_VER_V2
    NGTCP2_PROTO_VER_V2,
#endif
};
static const size_t version_count = sizeof versions / sizeof *versions;

#if NGTCP2_VERSION_NUM >= 0x010000

#define CQ_EARLY_DATA_REJECTED tls_early_data_rejected
#define CQ_LEVEL ngtcp2_encryption_level
#define CQ_HANDSHAKE_LEVEL NGTCP2_ENCRYPTION_LEVEL_HANDSHAKE
#define CQ_TOKEN_PARAMETERS const uint8_t *token_start, size_t token_count
#define CQ_TOKEN_OCTETS {token_start, token_count}

static inline int cq_reject_early_data(ngtcp2_conn *conn) {
    return ngtcp2_conn_tls_early_data_rejected(conn);
}

static inline void cq_set_versions(ngtcp2_settings *settings) {
    settings->preferred_versions = versions;
    settings->preferred_versionslen = version_count;
    settings->available_versions = versions;
    settings->available_versionslen = version_count;
}

static inline void cq_set_token(ngtcp2_settings *settings, struct cq_octets token) {
    settings->token = token.start;
    settings->tokenlen = token.count;
    if (token.count > 0) settings->token_type = NGTCP2_TOKEN_TYPE_NEW_TOKEN;
}

static inline int cq_use_grants(ngtcp2_conn *conn, struct cq_octets grants) {
    return ngtcp2_conn_decode_and_set_0rtt_transport_params(conn, grants.start, grants.count);
}

static inline size_t cq_copy_grants(ngtcp2_conn *conn, uint8_t *octets, size_t capacity) {
    ngtcp2_ssize count = ngtcp2_conn_encode_0rtt_transport_params(conn, octets, capacity);
    return count < 0 ? 0 : (size_t)count;
}

static inline void cq_shut_stream(ngtcp2_conn *conn, int64_t stream, uint64_t code) {
    ngtcp2_conn_shutdown_stream(conn, 0, stream, code);
}

typedef ngtcp2_ccerr cq_close_reason;

static inline cq_close_reason cq_close_reason_of(int error, uint8_t alert, uint64_t code) {
    ngtcp2_ccerr reason;
    ngtcp2_ccerr_default(&reason);
    if (error == 0)
        ngtcp2_ccerr_set_application_error(&reason, code, NULL, 0);
    else if (alert != 0)
        ngtcp2_ccerr_set_tls_alert(&reason, alert, NULL, 0);
    else
        ngtcp2_ccerr_set_liberr(&reason, error, NULL, 0);
    return reason;
}

static inline struct cq_end cq_close_of(ngtcp2_conn *conn) {
    const ngtcp2_ccerr *error = ngtcp2_conn_get_ccerr(conn);
    return (struct cq_end){
        .kind = error->type == NGTCP2_CCERR_TYPE_APPLICATION ? CQ_END_CLOSED_BY_APPLICATION
                                                             : CQ_END_CLOSED,
        .code = error->error_code,
        .reason = {error->reason, error->reasonlen},
    };
}

#else

#define CQ_EARLY_DATA_REJECTED early_data_rejected
#define CQ_LEVEL ngtcp2_crypto_level
#define CQ_HANDSHAKE_LEVEL NGTCP2_CRYPTO_LEVEL_HANDSHAKE
#define CQ_TOKEN_PARAMETERS const ngtcp2_vec *token
#define CQ_TOKEN_OCTETS {token->base, token->len}

static inline int cq_reject_early_data(ngtcp2_conn *conn) {
    return ngtcp2_conn_early_data_rejected(conn);
}

static inline void cq_set_versions(ngtcp2_settings *settings) {
    settings->preferred_versions = (uint32_t *)versions;
    settings->preferred_versionslen = version_count;
    settings->other_versions = (uint32_t *)versions;
    settings->other_versionslen = version_count;
}

static inline void cq_set_token(ngtcp2_settings *settings, struct cq_octets token) {
    settings->token.base = (uint8_t *)token.start;
    settings->token.len = token.count;
}

static inline int cq_use_grants(ngtcp2_conn *conn, struct cq_octets grants) {
    ngtcp2_transport_params params;
    if (grants.count != sizeof params) return NGTCP2_ERR_INVALID_ARGUMENT;
    memcpy(&params, grants.start, sizeof params);
    ngtcp2_conn_set_early_remote_transport_params(conn, &params);
    return 0;
}

static inline size_t cq_copy_grants(ngtcp2_conn *conn, uint8_t *octets, size_t capacity) {
    const ngtcp2_transport_params *known = ngtcp2_conn_get_remote_transport_params(conn);
    if (known == NULL || capacity < sizeof *known) return 0;
    ngtcp2_transport_params params = *known;
    // They point into the connection, and say nothing of what is granted.
    memset(&params.version_info, 0, sizeof params.version_info);
    params.version_info_present = 0;
    memcpy(octets, &params, sizeof params);
    return sizeof params;
}

static inline void cq_shut_stream(ngtcp2_conn *conn, int64_t stream, uint64_t code) {
    ngtcp2_conn_shutdown_stream(conn, stream, code);
}

typedef ngtcp2_connection_close_error cq_close_reason;

static inline cq_close_reason cq_close_reason_of(int error, uint8_t alert, uint64_t code) {
    ngtcp2_connection_close_error reason;
    ngtcp2_connection_close_error_default(&reason);
    if (error == 0)
        ngtcp2_connection_close_error_set_application_error(&reason, code, NULL, 0);
    else if (alert != 0)
        ngtcp2_connection_close_error_set_transport_error_tls_alert(&reason, alert, NULL, 0);
    else
        ngtcp2_connection_close_error_set_transport_error_liberr(&reason, error, NULL, 0);
    return reason;
}

static inline struct cq_end cq_close_of(ngtcp2_conn *conn) {
    ngtcp2_connection_close_error error;
    ngtcp2_conn_get_connection_close_error(conn, &error);
    return (struct cq_end){
        .kind = error.type == NGTCP2_CONNECTION_CLOSE_ERROR_CODE_TYPE_APPLICATION
                    ? CQ_END_CLOSED_BY_APPLICATION
                    : CQ_END_CLOSED,
        .code = error.error_code,
        .reason = {error.reason, error.reasonlen},
    };
}

#endif

#endif
