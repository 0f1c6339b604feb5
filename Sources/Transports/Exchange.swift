internal import CSockets
public import DNSWire

/// What came of sending one query.
public struct Exchange: Sendable {
    public enum Result: Sendable {
        case response(Response)
        /// No valid response before the deadline.
        case timeout
        /// ICMP or the connection's refusal said so; why, in words.
        case unreachable(String)
        /// There was no route when it was to be sent; why, in words.
        case noRoute(String)
        /// A response to this query that is not a valid message; why, in words.
        case malformed(String)
        /// The other end's certificate is not to be trusted, so nothing was asked; why, in words.
        case untrusted(String)
        /// The destination lies outside the allowed networks; nothing was sent.
        case blocked
        /// The task was cancelled before the end.
        case cancelled
    }

    /// Where the stamps of the round trip come from.
    public enum Clock: Sendable {
        /// Both from the kernel.
        case kernel
        /// The receive stamp from the kernel, the send stamp from this process.
        case kernelReceive
        /// Both from this process.
        case user
    }

    /// What carried the query.
    public enum Connection: Sendable {
        /// One opened for it.
        case new
        /// One opened for it with the ticket of an earlier one (RFC 8446 §2.2).
        case resumed
        /// The same, and the query was sent before the handshake was over (RFC 8446 §2.3).
        case early
        /// One that an earlier query had opened.
        case reused
    }

    /// What came in meanwhile and was not a response to this query.
    public struct Strays: Hashable, Sendable {
        public var wrongID = 0
        public var wrongQuestion = 0
        public var notAResponse = 0

        public var count: Int { wrongID + wrongQuestion + notAResponse }

        mutating func count(_ stray: Reading.Stray) {
            switch stray {
            case .wrongID: wrongID += 1
            case .wrongQuestion: wrongQuestion += 1
            case .notAResponse: notAResponse += 1
            }
        }

        mutating func add(_ other: Strays) {
            wrongID += other.wrongID
            wrongQuestion += other.wrongQuestion
            notAResponse += other.notAResponse
        }
    }

    public var result = Result.timeout
    public var clock = Clock.user
    /// From the send stamp to the receive stamp of the full answer.
    public var roundTrip: Duration?
    /// The time to establish the connection, by this process's clock.
    public var connect: Duration?
    /// The time of the encryption's handshake, by this process's clock.
    public var handshake: Duration?
    /// What carried it, over TCP and TLS.
    public var connection: Connection?
    /// The other end may be anybody: its certificate was not looked at.
    public var isUnverified = false
    /// The round trip of a truncated answer, before it was followed over TCP.
    public var truncated: Duration?
    /// The network's own round trip to the same address, as the kernel's TCP has measured it.
    public var networkRoundTrip: Duration?
    public var strays = Strays()
    /// How far CLOCK_REALTIME was set between the two stamps, where it was.
    public var clockStep: Duration?
    /// The send stamp, or for a connection that failed, when it was tried.
    var stamps: Stamps?

    /// When the query was sent, in nanoseconds since 1970 (CLOCK_REALTIME); `nil` if it was not.
    public var sent: Int64? { stamps?.sent }

    /// The same moment in nanoseconds of CLOCK_MONOTONIC.
    public var sentMonotonic: Int64? { stamps?.sentMonotonic }

    init(_ result: Result = .timeout) { self.result = result }

    /// Ends with `response`, received at `stamp` (kernel) and read at `clocks`.
    mutating func end(_ result: Result, at stamp: Int64?, read clocks: cs_clocks) {
        self.result = result
        guard let roundTrip = stamps?.roundTrip(until: stamp, read: clocks) else { return }
        self.roundTrip = .nanoseconds(roundTrip.nanoseconds)
        clock = roundTrip.clock
        clockStep = roundTrip.step
    }
}

extension SystemError {
    /// What the error means for the query on whose way it came.
    var result: Exchange.Result {
        let atOnce = call == "connect" || call == "send" || call == "socket"
        return atOnce && isNoRoute ? .noRoute(reason) : .unreachable(reason)
    }
}
