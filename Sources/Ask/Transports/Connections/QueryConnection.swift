import CSockets
import Catalogue
import DNSWire

/// A connection that carries queries to one resolver over any protocol.
///
/// Its first query opens it. When it ends, each query on it ends with the same reason.
@EventLoopActor
class QueryConnection {
    /// `early` lasts until the server accepts or rejects the early data.
    enum Phase { case opening, early, open, ended }

    final let address: SocketAddress
    /// Whether the server is unauthenticated.
    private let isUnverified: Bool
    final var content: any QueryContent
    final var phase = Phase.opening {
        didSet { if let opener, phase != .opening { _ = EventLoop.shared.end(opener) } }
    }
    /// A wait that ends once the connection is open or has ended.
    final var opener: WaitToken?
    /// The reason why the connection has ended.
    final private(set) var reason: Exchange.Result?
    /// The first signal of the server that it ends the connection, and its time in nanoseconds of
    /// CLOCK_MONOTONIC.
    final private(set) var closing: (signal: ClosingSignal, at: Int64)? {
        didSet { if let watcher { _ = EventLoop.shared.end(watcher) } }
    }
    /// A wait that ends with the first signal of the server, or with the connection.
    final var watcher: WaitToken?
    final var wait: WaitToken?
    /// The queries that wait for the handshake, or for the server to allow more streams.
    final var unsent: [StreamQuery] = []
    /// The sent queries without a send stamp, in the order of sending.
    final var unstamped: [StreamQuery] = []
    private var isRetired = false
    private var isUnderWay = false

    /// Starts to connect to `address`.
    init(to address: SocketAddress, isUnverified: Bool = false, carrying content: any QueryContent)
    {
        (self.address, self.isUnverified) = (address, isUnverified)
        self.content = content
        Task { @EventLoopActor in await run() }
    }

    // MARK: Overridden by each kind of connection

    /// The ticket with which a later connection can resume the session, if the server has sent one.
    var ticket: SessionTicket? { nil }
    /// The end by the ICMP error that is the reason if a query times out.
    var obstacle: ConnectionEnd? { nil }
    /// Whether the server has answered the attempt to connect.
    var isReached: Bool { false }
    /// The packets of the connection so far; `nil` if they are unknown.
    var packetsSoFar: PacketReading? { nil }
    /// The idle timeout that the server states in the handshake.
    var statedIdle: Duration? { nil }
    /// The signal in the received data that the server has ended the connection.
    var signal: ClosingSignal? { nil }
    /// The limit of reading in one turn, once the connection is established.
    var budget: ReadBudget? { nil }
    /// Whether the connection carries a query that the message ID cannot distinguish from another.
    func isTaken(_ id: UInt16) -> Bool { false }
    /// Opens the connection and runs it until its end.
    func carry() async throws(ConnectionEnd) {}
    func receive() throws(ConnectionEnd) {}
    /// Sends the outgoing data.
    func send() throws(ConnectionEnd) {}
    /// Stops waiting for the answer to a query that was sent.
    func giveUp(_ query: StreamQuery) {}
    /// Ends in an orderly way. Waiting queries receive the reason.
    func close() { end(.closed) }
    /// Reports the reason to the server, if the server does not know it.
    func willEnd(_ cause: ConnectionEnd.Cause) {}
    /// Releases all resources of the connection.
    func dismantle() {}

    // MARK: Queries

    /// The cause of a query that times out now; `nil` once the connection is open.
    final var silence: FailureCause? {
        guard phase == .opening || phase == .early else { return nil }
        return FailureCause(.silence, isReached ? "handshake" : "connection")
    }

    final var takesMore: Bool {
        phase != .ended && !isRetired && content.takesMore && unsent.count < Self.mostUnsent
    }
    /// The maximum number of queries that wait for a handshake.
    private static let mostUnsent = 16_384
    private var isIdle: Bool { unsent.isEmpty && content.waiting.isEmpty }

    /// Sends `query` now, or once the connection is open.
    final func submit(_ query: StreamQuery) {
        query.settle()
        query.exchange.stamps = Stamps(triedAt: cs_read_clocks())
        query.exchange.isUnverified = isUnverified
        guard phase != .ended else { return query.end(ConnectionEnd.closed.result) }
        if isUnderWay { query.begin() }
        if phase == .open { query.exchange.connection = .reused }
        count(packetsOf: query)
        unsent.append(query)
        if phase != .opening { orEnd(send) }
    }

    /// Starts to count the packets of `query`. The packets of queries at the same time cannot be separated.
    private func count(packetsOf query: StreamQuery) {
        guard query.attempt.countsPackets else { return }
        guard isIdle, !query.isCounted else {
            for other in [query] + unsent + content.waiting { other.stopCounting() }
            return
        }
        query.startCounting(from: phase == .opening ? PacketReading() : packetsSoFar) {
            [weak self] in self?.packetsSoFar
        }
    }

    /// Starts the time of the queries, once the connection has its descriptor.
    final func getUnderWay() {
        isUnderWay = true
        for query in unsent { query.begin() }
    }

    /// Abandons `query` and stops waiting for its answer.
    final func leave(_ query: StreamQuery) {
        unsent.removeAll { $0 === query }
        giveUp(query)
        // If a connection did not open in time, the next query opens a new one.
        if isIdle, phase != .open || isRetired {
            close()
        } else if phase == .early || phase == .open {
            orEnd(send)
        }
    }

    /// Ends the wait for `query`, which has no answer in time, or was cancelled.
    final func abandon(_ query: StreamQuery, isCancelled: Bool, obstacle: Exchange.Result? = nil) {
        if isCancelled {
            query.exchange.result = .cancelled
        } else if let obstacle {
            query.exchange.result = obstacle
        } else if let obstacle = self.obstacle {
            query.exchange.result = obstacle.result
            query.exchange.fault = obstacle.fault
        } else {
            query.exchange.fault = silence
        }
        leave(query)
    }

    /// Reads the received data. The server may have closed the connection between two queries.
    final func refresh() {
        if phase == .open { orEnd(receive) }
    }

    /// Stops accepting queries, and closes once the current queries have ended.
    final func retire() {
        isRetired = true
        closeIfRetired()
    }

    /// Closes a retired connection after its last query has ended.
    final func closeIfRetired() {
        if isRetired, isIdle { close() }
    }

    /// Records that `queries` are sent now. `lastByte` is the number of the last byte, as the send stamps
    /// count it.
    final func noteSent(_ queries: [StreamQuery], lastByte: UInt32) {
        unstamped.removeAll { !$0.awaitsStamp }
        for query in queries {
            query.lastByte = lastByte
            query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
            query.exchange.keep(query.attempt)
        }
        unstamped += queries
    }

    // MARK: Life cycle

    private func run() async {
        do throws(ConnectionEnd) {
            try await carry()
        } catch {
            end(error)
        }
        if let wait { EventLoop.shared.close(wait) }
        wait = nil
        dismantle()
        DescriptorQueue.released()
    }

    /// Waits until the socket is ready. Returns `false` once the connection is closed.
    final func news() async -> Bool {
        guard let wait, phase != .ended else { return false }
        note(content.isLeaving ? .goAway : nil)
        let wake = await EventLoop.shared.next(wait)
        return wake == .ready && phase != .ended
    }

    private func orEnd(_ part: () throws(ConnectionEnd) -> Void) {
        do throws(ConnectionEnd) {
            try part()
        } catch {
            end(error)
        }
    }

    final func end(_ end: ConnectionEnd) {
        guard phase != .ended else { return }
        note(content.isLeaving ? .goAway : end.signal ?? signal)
        willEnd(end.cause)
        reason = end.result
        let fault = phase == .open ? nil : end.fault
        phase = .ended
        for query in unsent + content.waiting where !query.isDone {
            let progress = content.progress(of: query)
            if let progress {
                query.end(.malformed("connection closed \(progress)"))
            } else {
                query.end(end.result, because: fault)
            }
        }
        unsent = []
        unstamped = []
        if let wait { _ = EventLoop.shared.end(wait) }
        if let watcher { _ = EventLoop.shared.end(watcher) }
    }

    private func note(_ signal: ClosingSignal?) {
        if let signal, closing == nil { closing = (signal, cs_monotonic()) }
    }
}

/// The content of a connection: it converts queries to bytes, and bytes to answers.
///
/// It is independent of sockets, sessions and clocks. The connection requests the bytes to send, passes
/// the received bytes, and stamps the queries.
@EventLoopActor
protocol QueryContent: AnyObject {
    /// The protocol names for the handshake (RFC 7301), the preferred one first.
    var protocolNames: [String] { get }
    var takesMore: Bool { get }
    /// Whether the server has announced that it ends the connection (GOAWAY).
    var isLeaving: Bool { get }
    /// The accepted queries that have not ended.
    var waiting: [StreamQuery] { get }
    /// A text that states how much of the answer to `query` has arrived; `nil` for nothing.
    func progress(of query: StreamQuery) -> String?
}

extension QueryContent {
    var isLeaving: Bool { false }
}

/// A request of a stream to its connection.
enum StreamDemand {
    /// The server requires the query again, on another stream.
    case again(StreamQuery)
    /// All further data on the stream is useless.
    case abandon(Int64)
}

extension Attempt {
    /// A sending of `query` over `connection`. HTTP and QUIC distinguish queries by stream. With a constant
    /// ID, the same query is always the same request, which caches on the path can recognise (RFC 8484
    /// §4.1, RFC 9250 §4.2.1).
    @EventLoopActor
    init(_ query: Query, over connection: QueryConnection, _ transport: TransportKind) {
        if transport == .tls || transport == .tcp {
            self.init(query, where: connection.isTaken)
        } else {
            self.init(query, id: 0)
        }
    }
}
