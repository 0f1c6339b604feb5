/* The functions that the program calls, by library. A function that is missing here links its library at the start. */
#ifndef CLIBRARIES_FUNCTIONS_H
#define CLIBRARIES_FUNCTIONS_H

#define CURL(F) \
    F(curl_easy_cleanup) F(curl_easy_getinfo) F(curl_easy_init) F(curl_easy_setopt) F(curl_easy_strerror) \
    F(curl_global_init) F(curl_multi_add_handle) F(curl_multi_cleanup) F(curl_multi_info_read) \
    F(curl_multi_init) F(curl_multi_perform) F(curl_multi_poll) F(curl_multi_remove_handle) F(curl_multi_wait) F(curl_slist_append) \
    F(curl_slist_free_all)

#define FSTRM(F) \
    F(fstrm_file_options_destroy) F(fstrm_file_options_init) F(fstrm_file_options_set_file_path) \
    F(fstrm_file_writer_init) F(fstrm_rdwr_destroy) F(fstrm_rdwr_init) F(fstrm_rdwr_set_close) \
    F(fstrm_rdwr_set_destroy) F(fstrm_rdwr_set_open) F(fstrm_rdwr_set_read) F(fstrm_reader_destroy) \
    F(fstrm_reader_get_control) F(fstrm_reader_init) F(fstrm_reader_open) F(fstrm_reader_options_add_content_type) \
    F(fstrm_reader_options_destroy) F(fstrm_reader_options_init) F(fstrm_reader_read) F(fstrm_writer_close) \
    F(fstrm_writer_destroy) F(fstrm_writer_open) F(fstrm_writer_options_add_content_type) \
    F(fstrm_writer_options_destroy) F(fstrm_writer_options_init) F(fstrm_writer_write)

#define GNUTLS(F) \
    F(gnutls_alert_get) F(gnutls_alert_get_name) F(gnutls_alpn_get_selected_protocol) F(gnutls_alpn_set_protocols) \
    F(gnutls_bye) F(gnutls_certificate_allocate_credentials) F(gnutls_certificate_free_credentials) \
    F(gnutls_certificate_get_issuer) F(gnutls_certificate_get_peers) F(gnutls_certificate_set_x509_system_trust) \
    F(gnutls_certificate_set_x509_trust_file) F(gnutls_certificate_verify_peers) F(gnutls_credentials_set) \
    F(gnutls_db_get_ptr) F(gnutls_db_set_ptr) F(gnutls_deinit) F(gnutls_error_is_fatal) F(gnutls_handshake) \
    F(gnutls_handshake_get_last_in) F(gnutls_handshake_set_hook_function) F(gnutls_init) \
    F(gnutls_priority_set_direct) F(gnutls_pubkey_deinit) F(gnutls_pubkey_import_ecc_raw) F(gnutls_pubkey_init) \
    F(gnutls_pubkey_verify_data2) F(gnutls_record_get_max_early_data_size) F(gnutls_record_recv) \
    F(gnutls_record_send) F(gnutls_record_send_early_data) F(gnutls_rnd) F(gnutls_server_name_set) \
    F(gnutls_session_get_data) F(gnutls_session_get_flags) F(gnutls_session_is_resumed) \
    F(gnutls_session_set_data) F(gnutls_session_set_ptr) F(gnutls_session_set_verify_function) F(gnutls_strerror) \
    F(gnutls_transport_set_ptr) F(gnutls_transport_set_pull_function) F(gnutls_transport_set_pull_timeout_function) \
    F(gnutls_transport_set_push_function) F(gnutls_x509_crt_check_ip) F(gnutls_x509_crt_check_issuer) \
    F(gnutls_x509_crt_deinit) F(gnutls_x509_crt_export) F(gnutls_x509_crt_get_activation_time) \
    F(gnutls_x509_crt_get_dn_by_oid) F(gnutls_x509_crt_get_expiration_time) F(gnutls_x509_crt_get_issuer_dn) \
    F(gnutls_x509_crt_get_key_id) F(gnutls_x509_crt_get_pk_algorithm) F(gnutls_x509_crt_get_pk_rsa_raw) \
    F(gnutls_x509_crt_get_subject_alt_name) F(gnutls_x509_crt_import) \
    F(gnutls_x509_crt_init) F(gnutls_x509_crt_verify)

#define LDNS(F) \
    F(ldns_buffer_free) F(ldns_buffer_new) F(ldns_dname_new_frm_data) F(ldns_get_errorstr_by_id) \
    F(ldns_pkt2buffer_wire) F(ldns_pkt_free) F(ldns_pkt_query_new) F(ldns_pkt_set_edns_data) F(ldns_pkt_set_edns_do) \
    F(ldns_pkt_set_edns_udp_size) F(ldns_pkt_set_id) F(ldns_rdf2str) F(ldns_rdf_data) F(ldns_rdf_new_frm_data) \
    F(ldns_rdf_size) F(ldns_rr2canonical) F(ldns_rr_descript) F(ldns_rr_descriptor_field_type) \
    F(ldns_rr_descriptor_maximum) F(ldns_rr_descriptor_minimum) F(ldns_rr_free) F(ldns_rr_get_class) \
    F(ldns_rr_new_frm_str) F(ldns_rr_rd_count) F(ldns_rr_rdf) F(ldns_sha256) F(ldns_wire2rr)

#define MOSQUITTO(F) \
    F(mosquitto_connack_string) F(mosquitto_connect_async) F(mosquitto_connect_callback_set) F(mosquitto_destroy) \
    F(mosquitto_disconnect) F(mosquitto_int_option) F(mosquitto_lib_init) F(mosquitto_loop) F(mosquitto_new) \
    F(mosquitto_publish) F(mosquitto_publish_callback_set) F(mosquitto_strerror) F(mosquitto_tls_opts_set) F(mosquitto_tls_set) \
    F(mosquitto_username_pw_set)

#define NGHTTP2(F) \
    F(nghttp2_http2_strerror) F(nghttp2_session_callbacks_del) F(nghttp2_session_callbacks_new) \
    F(nghttp2_session_callbacks_set_before_frame_send_callback) F(nghttp2_session_callbacks_set_error_callback2) \
    F(nghttp2_session_callbacks_set_on_data_chunk_recv_callback) \
    F(nghttp2_session_callbacks_set_on_frame_not_send_callback) \
    F(nghttp2_session_callbacks_set_on_frame_recv_callback) F(nghttp2_session_callbacks_set_on_header_callback) \
    F(nghttp2_session_callbacks_set_on_stream_close_callback) F(nghttp2_session_check_request_allowed) \
    F(nghttp2_session_client_new) F(nghttp2_session_del) F(nghttp2_session_mem_recv) F(nghttp2_session_mem_send) \
    F(nghttp2_session_set_local_window_size) F(nghttp2_session_terminate_session) F(nghttp2_session_want_read) \
    F(nghttp2_session_want_write) F(nghttp2_strerror) F(nghttp2_submit_request) F(nghttp2_submit_rst_stream) \
    F(nghttp2_submit_settings)

#define PQ(F) \
    F(PQclear) F(PQconnectPoll) F(PQconnectStartParams) F(PQconnectionNeedsPassword) F(PQconninfoFree) \
    F(PQconninfoParse) F(PQconsumeInput) F(PQerrorMessage) F(PQfinish) F(PQflush) F(PQfreemem) F(PQgetResult) \
    F(PQgetisnull) F(PQgetlength) F(PQgetvalue) F(PQisBusy) F(PQnfields) F(PQnotifies) F(PQntuples) \
    F(PQresultErrorField) F(PQresultErrorMessage) F(PQresultStatus) F(PQsendQueryParams) F(PQsetNoticeProcessor) \
    F(PQsetSingleRowMode) F(PQsetnonblocking) F(PQsocket)

#define PSL(F) \
    F(psl_free) F(psl_is_public_suffix2) F(psl_latest) F(psl_registrable_domain) F(psl_unregistrable_domain)

#define SNAPPY(F) F(snappy_compress) F(snappy_max_compressed_length)

#define SQLITE(F) \
    F(sqlite3_backup_finish) F(sqlite3_backup_init) F(sqlite3_backup_step) F(sqlite3_bind_blob) \
    F(sqlite3_bind_double) F(sqlite3_bind_int64) F(sqlite3_bind_null) F(sqlite3_bind_text) F(sqlite3_busy_timeout) \
    F(sqlite3_changes) F(sqlite3_close_v2) F(sqlite3_column_blob) F(sqlite3_column_bytes) F(sqlite3_column_double) \
    F(sqlite3_column_int64) F(sqlite3_column_name) F(sqlite3_column_text) F(sqlite3_column_type) \
    F(sqlite3_db_config) F(sqlite3_db_handle) F(sqlite3_db_release_memory) F(sqlite3_errmsg) F(sqlite3_errstr) \
    F(sqlite3_exec) F(sqlite3_extended_result_codes) F(sqlite3_file_control) F(sqlite3_finalize) \
    F(sqlite3_get_autocommit) F(sqlite3_last_insert_rowid) F(sqlite3_limit) F(sqlite3_mutex_alloc) \
    F(sqlite3_mutex_enter) F(sqlite3_mutex_free) F(sqlite3_mutex_leave) F(sqlite3_open_v2) F(sqlite3_prepare_v3) \
    F(sqlite3_reset) F(sqlite3_step) F(sqlite3_system_errno) F(sqlite3_wal_checkpoint_v2)

#ifdef QUIC

#define NGHTTP3(F) \
    F(nghttp3_conn_add_ack_offset) F(nghttp3_conn_add_write_offset) F(nghttp3_conn_bind_control_stream) \
    F(nghttp3_conn_bind_qpack_streams) F(nghttp3_conn_client_new_versioned) F(nghttp3_conn_close_stream) \
    F(nghttp3_conn_del) F(nghttp3_conn_read_stream) F(nghttp3_conn_shutdown_stream_read) \
    F(nghttp3_conn_shutdown_stream_write) F(nghttp3_conn_submit_request) F(nghttp3_conn_writev_stream) \
    F(nghttp3_err_infer_quic_app_error_code) F(nghttp3_rcbuf_get_buf) F(nghttp3_settings_default_versioned) \
    F(nghttp3_strerror)

#define NGTCP2(F) \
    F(ngtcp2_conn_client_new_versioned) F(ngtcp2_conn_del) F(ngtcp2_conn_extend_max_offset) \
    F(ngtcp2_conn_extend_max_stream_offset) F(ngtcp2_conn_get_expiry) F(ngtcp2_conn_get_remote_transport_params) \
    F(ngtcp2_conn_get_tls_alert) F(ngtcp2_conn_get_tls_native_handle) F(ngtcp2_conn_handle_expiry) \
    F(ngtcp2_conn_is_local_stream) F(ngtcp2_conn_open_bidi_stream) F(ngtcp2_conn_open_uni_stream) \
    F(ngtcp2_conn_read_pkt_versioned) F(ngtcp2_conn_set_tls_alert) F(ngtcp2_conn_set_tls_native_handle) \
    F(ngtcp2_conn_shutdown_stream) F(ngtcp2_conn_write_connection_close_versioned) \
    F(ngtcp2_conn_writev_stream_versioned) F(ngtcp2_select_version) F(ngtcp2_settings_default_versioned) \
    F(ngtcp2_strerror) F(ngtcp2_transport_params_default_versioned) NGTCP2_OF_VERSION(F)

#if NGTCP2_VERSION_NUM >= 0x010000
#define NGTCP2_OF_VERSION(F) \
    F(ngtcp2_conn_tls_early_data_rejected) F(ngtcp2_conn_get_ccerr) \
    F(ngtcp2_conn_decode_and_set_0rtt_transport_params) F(ngtcp2_conn_encode_0rtt_transport_params) \
    F(ngtcp2_ccerr_default) F(ngtcp2_ccerr_set_application_error) F(ngtcp2_ccerr_set_tls_alert) \
    F(ngtcp2_ccerr_set_liberr)
#else
#define NGTCP2_OF_VERSION(F) \
    F(ngtcp2_conn_early_data_rejected) F(ngtcp2_conn_get_connection_close_error) \
    F(ngtcp2_conn_set_early_remote_transport_params_versioned) F(ngtcp2_connection_close_error_default) \
    F(ngtcp2_connection_close_error_set_application_error) \
    F(ngtcp2_connection_close_error_set_transport_error_liberr) \
    F(ngtcp2_connection_close_error_set_transport_error_tls_alert)
#endif

#define NGTCP2_CRYPTO(F) \
    F(ngtcp2_crypto_client_initial_cb) F(ngtcp2_crypto_decrypt_cb) F(ngtcp2_crypto_delete_crypto_aead_ctx_cb) \
    F(ngtcp2_crypto_delete_crypto_cipher_ctx_cb) F(ngtcp2_crypto_encrypt_cb) \
    F(ngtcp2_crypto_get_path_challenge_data_cb) F(ngtcp2_crypto_gnutls_configure_client_session) \
    F(ngtcp2_crypto_hp_mask_cb) F(ngtcp2_crypto_recv_crypto_data_cb) F(ngtcp2_crypto_recv_retry_cb) \
    F(ngtcp2_crypto_update_key_cb) F(ngtcp2_crypto_version_negotiation_cb)

#endif

#endif
