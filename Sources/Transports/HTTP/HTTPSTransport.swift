package import Catalogue
package import DNSWire

/// DNS over HTTPS (RFC 8484) in HTTP/2, padded (RFC 8467), over connections that are kept, resumed
/// or fresh.
///
/// The round trip ends with the segment that carries the last octet of the answer's content.
@EventLoopActor
package final class HTTPSTransport: Transport {
    let connection: KeptConnection<TLSConnection>

    /// A transport to `path` of `service`.
    package nonisolated init(
        to service: EncryptedService,
        path: String? = nil,
        method: HTTPMethod = .post
    ) {
        let web = HTTPService(service, path: path, method: method)
        connection = KeptConnection(to: service) { ticket in
            TLSConnection(to: service, carrying: HTTP2Framing(web), ticket: ticket)
        }
    }

    package func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        await connection.exchange(timeout: timeout) { _ in .overHTTP(query) }
    }
}
