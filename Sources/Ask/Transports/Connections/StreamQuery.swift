import CSockets
import DNSWire

/// One query on a connection that carries many, and what has come of it so far.
@EventLoopActor
final class StreamQuery {
    let attempt: Attempt
    /// Ends at the deadline, once its time has begun, and is told of news.
    let wait: WaitToken
    var exchange: Exchange
    /// The send stamps' number of the last octet of the query; `nil` until it is sent.
    var lastOctet: UInt32?
    private(set) var isDone = false
    private var hasBegun = false
    /// Its connection took its leave before it was sent: it is to go over another.
    private(set) var isTurnedAway = false

    init(_ attempt: Attempt, within limit: TimeLimit, wait: WaitToken) {
        self.attempt = attempt
        self.wait = wait
        exchange = Exchange(within: limit)
    }

    /// Has its time begin, unless it has.
    func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        exchange.begin()
        EventLoop.shared.start(wait, within: exchange.limit)
    }

    /// Whether a send stamp would tell something new.
    var awaitsStamp: Bool { !isDone && exchange.stamps?.kernelSent == nil }

    /// Takes the stamp of all octets up to `identifier`; the first that covers the query is its own.
    func stamp(_ stamp: Int64, upTo identifier: UInt32) {
        guard let lastOctet, exchange.stamps?.kernelSent == nil,
            Int32(bitPattern: identifier &- lastOctet) >= 0
        else { return }
        exchange.stamps?.kernelSent = stamp
    }

    /// Goes with the beginning of the handshake for nothing, and is to be sent again: the time until
    /// then is the handshake's.
    func repeatAfterHandshake() {
        if let sent = exchange.sentMonotonic {
            let lost = Duration.nanoseconds(cs_monotonic() - sent)
            exchange.handshake = (exchange.handshake ?? .zero) + lost
        }
        exchange.connection = .resumed
        exchange.forgetSending()
        lastOctet = nil
    }

    /// Has whoever waits for it find another connection.
    func turnAway() {
        isTurnedAway = true
        EventLoop.shared.goOnNextTurn(wait)
    }

    /// Waits on another connection.
    func settle() { isTurnedAway = false }

    /// Ends without an answer.
    func end(_ result: Exchange.Result, because cause: FailureCause? = nil) {
        (exchange.result, exchange.fault) = (result, cause)
        finish()
    }

    /// Ends with an answer, whose last octet came at `arrival`; `cause` is that of a failure.
    func end(_ result: Exchange.Result, _ arrival: Arrival, because cause: FailureCause? = nil) {
        exchange.end(result, arrival, because: cause)
        finish()
    }

    /// Takes `message`, which came at `arrival`; `true` where that is its answer, and its end.
    func take(_ message: [UInt8], _ arrival: Arrival) -> Bool {
        let isEnd = unsafe message.withUnsafeBytes {
            unsafe exchange.take($0, for: attempt, arrival)
        }
        if isEnd { finish() }
        return isEnd
    }

    private func finish() {
        isDone = true
        _ = EventLoop.shared.end(wait)
    }
}
