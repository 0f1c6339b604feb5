#if QUIC
package import DNSWire

/// DNS over QUIC (RFC 9250), padded (RFC 8467), over connections that are kept, resumed or fresh.
///
/// QUIC connects and shakes hands in one: that time is the handshake's alone.
@EventLoopActor
package final class QUICTransport: Transport {
    let connection: KeptConnection<QUICConnection>

    package nonisolated init(to service: EncryptedService) {
        connection = KeptConnection(to: service) { ticket in
            QUICConnection(to: service, carrying: DNSStreams(), ticket: ticket)
        }
    }

    package func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        await connection.exchange(timeout: timeout) { _ in
            // RFC 9250 §4.2.1: the stream tells queries apart.
            Attempt(query.padded, id: 0)
        }
    }
}
#endif
