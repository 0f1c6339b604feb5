#if QUIC
package import Catalogue
package import DNSWire

/// DNS over HTTPS (RFC 8484) in HTTP/3, padded (RFC 8467), over connections that are kept, resumed
/// or fresh.
///
/// QUIC connects and shakes hands in one: that time is the handshake's alone. The round trip ends
/// with the datagram that carries the last octet of the answer's content.
@EventLoopActor
package final class HTTP3Transport: Transport {
    let connection: KeptConnection<QUICConnection>

    /// A transport to `path` of `service`.
    package nonisolated init(
        to service: EncryptedService,
        path: String? = nil,
        method: HTTPMethod = .post
    ) {
        let web = HTTPService(service, path: path, method: method)
        connection = KeptConnection(to: service) { ticket in
            QUICConnection(to: service, carrying: HTTP3Streams(web), ticket: ticket)
        }
    }

    package func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        await connection.exchange(timeout: timeout) { _ in .overHTTP(query) }
    }
}
#endif
