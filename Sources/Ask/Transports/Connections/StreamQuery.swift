import CSockets
import DNSWire

/// A query on a connection that carries many queries, and its result so far.
@EventLoopActor
final class StreamQuery {
    let attempt: Attempt
    /// A wait that ends at the deadline, once the time has started. It receives the query's events.
    let wait: WaitToken
    var exchange: Exchange
    /// The number of the query's last byte, as the send stamps count it; `nil` until the query is sent.
    var lastByte: UInt32?
    private(set) var isDone = false
    /// The place of the query's end among the ends of all queries.
    private(set) var endOrder: UInt64?
    private static var ended: UInt64 = 0
    private var hasBegun = false
    /// Whether the connection closed before the query was sent. The query must use another connection.
    private(set) var isTurnedAway = false

    /// The packets of the connection so far, and their number at the beginning of the query. `nil` if they are
    /// not counted.
    private var counting: (start: PacketReading, now: () -> PacketReading?)?
    /// Whether the packets of the query were counted on any connection.
    private(set) var isCounted = false

    init(_ attempt: Attempt, within limit: TimeLimit, wait: WaitToken) {
        self.attempt = attempt
        self.wait = wait
        exchange = Exchange(within: limit)
    }

    /// Starts the time of the query, unless it has started.
    func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        exchange.begin()
        EventLoop.shared.start(wait, within: exchange.limit)
    }

    /// Whether a send stamp is still needed.
    var awaitsStamp: Bool { !isDone && exchange.stamps?.kernelSent == nil }

    /// Takes the stamp of all bytes up to `identifier`. The first stamp that covers the query is the query's
    /// own.
    func stamp(_ stamp: Int64, upTo identifier: UInt32) {
        guard let lastByte, exchange.stamps?.kernelSent == nil,
            Int32(bitPattern: identifier &- lastByte) >= 0
        else { return }
        exchange.stamps?.kernelSent = stamp
    }

    /// Prepares the query for another sending after its early data was rejected. The time until then counts
    /// as the handshake's.
    func repeatAfterHandshake() {
        if let sent = exchange.sentMonotonic {
            let lost = Duration.nanoseconds(cs_monotonic() - sent)
            exchange.handshake = (exchange.handshake ?? .zero) + lost
        }
        exchange.connection = .resumed
        exchange.isEarlyRefused = true
        exchange.forgetSending()
        lastByte = nil
    }

    /// Counts the packets from `start` on, until the answer.
    func startCounting(from start: PacketReading?, _ now: @escaping () -> PacketReading?) {
        isCounted = true
        if let start { counting = (start, now) }
    }

    /// Counts no packets, because they cannot be attributed to the query.
    func stopCounting() {
        isCounted = true
        counting = nil
    }

    /// Requests that the waiting task finds another connection.
    func turnAway() {
        isTurnedAway = true
        EventLoop.shared.goOnNextTurn(wait)
    }

    /// Records that the query waits on another connection.
    func settle() { isTurnedAway = false }

    /// Ends without an answer.
    func end(_ result: Exchange.Result, because cause: FailureCause? = nil) {
        (exchange.result, exchange.fault) = (result, cause)
        finish()
    }

    /// Ends with an answer, whose last byte arrived at `arrival`. `cause` is the cause of a failure.
    func end(_ result: Exchange.Result, _ arrival: Arrival, because cause: FailureCause? = nil) {
        exchange.end(result, arrival, because: cause)
        finish()
    }

    /// Processes `message`, which arrived at `arrival`. Returns `true` if it is the answer and ends the
    /// query.
    func take(_ message: [UInt8], _ arrival: Arrival) -> Bool {
        let isEnd = unsafe message.withUnsafeBytes {
            unsafe exchange.take($0, for: attempt, arrival)
        }
        if isEnd { finish() }
        return isEnd
    }

    private func finish() {
        isDone = true
        if let counting, exchange.result.response != nil {
            exchange.packets = counting.now()?.count(since: counting.start)
        }
        counting = nil
        Self.ended += 1
        endOrder = Self.ended
        _ = EventLoop.shared.end(wait)
    }
}
