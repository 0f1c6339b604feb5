package import Catalogue
package import DNSWire
package import Statistics

/// The observed handling of connections by one resolver over one transport.
package struct ConnectionReading: Hashable, Sendable {
    /// The order of the answers to concurrent queries on one connection (RFC 7766 §7).
    package enum AnswerOrder: String, Hashable, Sendable, CaseIterable {
        /// A later query was answered before an earlier, slower one.
        case outOfOrder = "out_of_order"
        /// Later queries waited for the answer to an earlier, slower one.
        case inOrder = "in_order"
        /// No query was slow enough to show an order.
        case notShown = "not_shown"
    }

    package var target: Recording.Target
    package var idle: IdleSearch
    /// The signal with which the server ended an idle connection; `nil` if it did not end one.
    package var signal: ClosingSignal?
    /// The idle timeout that the server states, in seconds: over TCP and TLS by RFC 7828, over QUIC as a
    /// transport parameter.
    package var statedTimeout: Double?
    package var order = AnswerOrder.notShown
    /// Whether the server sends session tickets; `nil` without TLS.
    package var givesTickets: Bool?
    /// Whether the server accepted a query as early data; `nil` without a ticket.
    package var acceptsEarlyData: Bool?
    /// The times to open a connection in milliseconds, by the use of the connection.
    package var openings: [ConnectionUse: [Double]] = [:]
    /// The numbers of opened connections and of queries that were sent.
    package var connections = 0
    package var queries = 0
    /// The reason why the search for the idle timeout ended early, as printable text.
    package var failure: Detail?
    /// Whether the user ended the search.
    package var isInterrupted = false

    package init(_ target: Recording.Target, upTo longest: Double) {
        self.target = target
        idle = IdleSearch(upTo: longest)
    }

    /// The times to open a new connection without a ticket.
    package var newOpenings: OpeningTimes? { times(.new) }

    /// The times to open a connection with a ticket; of early data, if the server accepts it.
    package var resumedOpenings: OpeningTimes? { times(.early) ?? times(.resumed) }

    private func times(_ use: ConnectionUse) -> OpeningTimes? {
        openings[use].map { OpeningTimes($0) }
    }
}
