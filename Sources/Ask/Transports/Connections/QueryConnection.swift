import CSockets
import DNSWire

/// A connection that carries queries to one resolver, whatever protocols it is made of.
///
/// It is opened for its first query. When it ends, each query on it ends with the reason.
@EventLoopActor
class QueryConnection {
    /// `early` until the server has said whether it takes what comes before the handshake's end.
    enum Phase { case opening, early, open, ended }

    let service: EncryptedService
    final var content: any QueryContent
    final var phase = Phase.opening {
        didSet { if let opener, phase != .opening { _ = EventLoop.shared.end(opener) } }
    }
    /// Ends once it is open or has ended.
    final var opener: WaitToken?
    /// Why it has ended.
    final private(set) var reason: Exchange.Result?
    final var wait: WaitToken?
    /// Waiting for the handshake, or for the server to grant more streams.
    final var unsent: [StreamQuery] = []
    /// Sent, in that order, and without a send stamp yet.
    final var unstamped: [StreamQuery] = []
    private var isRetired = false
    private var isUnderWay = false

    /// Begins to connect to `service`.
    init(to service: EncryptedService, carrying content: any QueryContent) {
        self.service = service
        self.content = content
        Task { @EventLoopActor in await run() }
    }

    // MARK: What each kind of connection has of its own

    /// The ticket that a later connection can go on with, where the other end has given one.
    var ticket: SessionTicket? { nil }
    /// The ICMP error that is the reason if the time of a query runs out.
    var obstacle: Exchange.Result? { nil }
    /// The limit of reading in one turn, once it stands.
    var budget: ReadBudget? { nil }
    /// Whether the message ID cannot tell another query from one that it carries.
    func isTaken(_ id: UInt16) -> Bool { false }
    /// Opens it and goes on to its end.
    func carry() async throws(ConnectionEnd) {}
    func receive() throws(ConnectionEnd) {}
    /// Sends what there is.
    func send() throws(ConnectionEnd) {}
    /// Waits no longer for the answer to a query that was sent.
    func giveUp(_ query: StreamQuery) {}
    /// Ends in good order; whoever still waits is told.
    func close() { end(.closed) }
    /// Tells the other end what it does not know.
    func willEnd(_ cause: ConnectionEnd.Cause) {}
    /// Lets go of all that it is made of.
    func dismantle() {}

    // MARK: Queries

    final var takesMore: Bool {
        phase != .ended && !isRetired && content.takesMore && unsent.count < Self.mostUnsent
    }
    /// As many may wait for a handshake.
    private static let mostUnsent = 16_384
    private var isIdle: Bool { unsent.isEmpty && content.waiting.isEmpty }

    /// Sends `query` now, or once the connection is open.
    final func submit(_ query: StreamQuery) {
        query.settle()
        query.exchange.stamps = Stamps(triedAt: cs_read_clocks())
        query.exchange.isUnverified = service.credentials.trust == .anybody
        guard phase != .ended else { return query.end(ConnectionEnd.closed.result) }
        if isUnderWay { query.begin() }
        if phase == .open { query.exchange.connection = .reused }
        unsent.append(query)
        if phase != .opening { orEnd(send) }
    }

    /// It has its descriptor: from here on the time of its queries runs.
    final func getUnderWay() {
        isUnderWay = true
        for query in unsent { query.begin() }
    }

    /// Gives up `query`, whose answer is waited for no longer.
    final func leave(_ query: StreamQuery) {
        unsent.removeAll { $0 === query }
        giveUp(query)
        // What could not be opened in time is tried anew by the next query.
        if isIdle, phase != .open || isRetired {
            close()
        } else if phase == .early || phase == .open {
            orEnd(send)
        }
    }

    /// Takes in what has come: the other end may have closed it while nobody asked.
    final func refresh() {
        if phase == .open { orEnd(receive) }
    }

    /// Takes no more queries, and closes once those on it have ended.
    final func retire() {
        isRetired = true
        closeIfRetired()
    }

    /// A query on it has ended, which may have been the last.
    final func closeIfRetired() {
        if isRetired, isIdle { close() }
    }

    /// Notes that `queries` leave now, the last octet of each as the send stamps count it.
    final func noteSent(_ queries: [StreamQuery], lastOctet: UInt32) {
        unstamped.removeAll { !$0.awaitsStamp }
        for query in queries {
            query.lastOctet = lastOctet
            query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
            query.exchange.keep(query.attempt)
        }
        unstamped += queries
    }

    // MARK: Its life

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

    /// Waits until the socket can do something; `false` once the connection is closed.
    final func news() async -> Bool {
        guard let wait, phase != .ended else { return false }
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
    }
}

/// The inside of a connection: queries as octets, and octets as answers.
///
/// It knows nothing of sockets, sessions and clocks: the connection asks it what to send, hands it
/// what came, and stamps the queries.
@EventLoopActor
protocol QueryContent: AnyObject {
    /// Its names in the handshake (RFC 7301), the best first.
    var protocolNames: [String] { get }
    var takesMore: Bool { get }
    /// The queries that it carries and that have not ended.
    var waiting: [StreamQuery] { get }
    /// How much of the answer to `query` has come, in words; `nil` for nothing.
    func progress(of query: StreamQuery) -> String?
}

/// The demand of a stream on the connection that carries it.
enum StreamDemand {
    /// The other end wants the query again, on a stream of its own.
    case again(StreamQuery)
    /// Nothing that still comes on the stream is of use.
    case abandon(Int64)
}
