package import DNSWire

/// DNS over TLS (RFC 7858), padded (RFC 8467), over connections that are kept, resumed or fresh.
@EventLoopActor
package final class TLSTransport: Transport {
    private let connection: KeptConnection<TLSConnection>

    package nonisolated init(to service: EncryptedService) {
        connection = KeptConnection(to: service) { ticket in
            TLSConnection(to: service, carrying: DNSFraming(), ticket: ticket)
        }
    }

    package func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        await connection.exchange(timeout: timeout) { connection in
            Attempt(query.padded, where: connection.isTaken)
        }
    }
}

extension Query {
    /// Padded as encrypted queries are: to blocks of 128 octets (RFC 8467 §4.1).
    var padded: Query { padded(toMultipleOf: 128) }
}
