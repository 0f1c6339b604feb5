internal import CSockets
package import DNSWire
import LibC

/// A way to send a DNS message to one resolver and to receive the response.
package protocol Transport: Sendable {
    /// Sends `query` and returns the outcome, at most `timeout` after sending.
    ///
    /// The round trip runs from the kernel's send stamp of the query to its receive stamp of the
    /// complete answer. The time to connect is reported separately. There is one attempt and no retry, so a
    /// lost packet counts as lost.
    @EventLoopActor
    func exchange(_ query: Query, timeout: Duration) async -> Exchange
}

/// The outcome of sending one query.
package struct Exchange: Sendable {
    package typealias Result = QueryResult

    /// The messages that arrived during the exchange and were not a response to its query.
    package struct Strays: Hashable, Sendable {
        package var wrongID = 0
        package var wrongQuestion = 0
        package var wrongCookie = 0
        package var notAResponse = 0

        package init() {}

        /// Creates the value from as many ``counts``.
        package init(counts: [Int]) {
            (wrongID, wrongQuestion) = (counts[0], counts[1])
            (wrongCookie, notAResponse) = (counts[2], counts[3])
        }

        /// The number of each kind, in the order of the properties.
        package var counts: [Int] { [wrongID, wrongQuestion, wrongCookie, notAResponse] }
        package var count: Int { wrongID + wrongQuestion + wrongCookie + notAResponse }

        /// The result that ends a connection with too many stray messages; `nil` at 64 or fewer. Only the
        /// server can send on the connection.
        var verdict: Result? {
            count <= 64 ? nil : .malformed("more than 64 messages that answer no query")
        }

        mutating func count(_ stray: Reading.Stray) {
            switch stray {
            case .wrongID: wrongID += 1
            case .wrongQuestion: wrongQuestion += 1
            case .wrongCookie: wrongCookie += 1
            case .notAResponse: notAResponse += 1
            }
        }

        mutating func add(_ other: Strays) {
            self = Strays(counts: zip(counts, other.counts).map { $0 + $1 })
        }
    }

    package var result = Result.timeout
    package var clock = ClockSource.user
    /// The time from the send stamp to the receive stamp of the complete answer. Like all times, it is within
    /// the limit.
    package internal(set) var roundTrip: Duration?
    /// The time to establish the connection, measured with this process's clock.
    package var connect: Duration? { didSet { connect = limit.plausible(connect) } }
    /// The time of the encryption handshake, measured with this process's clock. Time in which the process
    /// was suspended is included, up to the limit. Without it, the time would count as 0.
    package var handshake: Duration? { didSet { handshake = limit.bounded(handshake) } }
    /// The connection that carried the query; `nil` over UDP.
    package var connection: ConnectionUse?
    /// Whether the server is unauthenticated, because its certificate was not verified.
    package var isUnverified = false
    /// Whether the query used HTTP/1.1, because the server does not support a newer version.
    package var isOverHTTP1 = false
    /// Whether the server rejected the query as early data, so that it was sent again.
    package var isEarlyRefused = false
    /// The round trip of a truncated answer, before the query was repeated over TCP.
    package internal(set) var truncated: Duration?
    package var strays = Strays()
    /// The packets from the beginning of the query, or of the connection that was opened for it, until the
    /// answer was read. `nil` if they are unknown, or if another query shared the connection at this time.
    package var packets: PacketCount?
    /// The cause of a failure without a response, if only its text contains the cause.
    package var fault: FailureCause?
    /// The amount by which CLOCK_REALTIME was set between the two stamps; `nil` if it was not set.
    package var clockStep: Duration?
    /// The ID of the query; UDP only.
    package internal(set) var id: UInt16?
    private(set) var limit: TimeLimit
    /// The kept messages of a query. The time of the last sending is in ``sent``.
    var kept = MessageLog()
    /// The ``strays`` whose messages were not kept. Without this limit, a flood of messages would fill the
    /// memory.
    var unkept = Strays()
    private static let mostKept = 65_536
    /// The send stamp. For a failed connection, the time of the attempt.
    var stamps: Stamps?
    /// An ICMP error. It is the reason of the failure if no answer arrives.
    var obstacle: SystemError?
    /// Whether ICMP reported an error, and the socket may hold more errors.
    var hasReports = false

    /// The time when the query was sent, in nanoseconds since 1970 (CLOCK_REALTIME); `nil` if it was not
    /// sent.
    package var sent: Int64? { stamps?.sent }

    /// The time when the query was sent, in nanoseconds of CLOCK_MONOTONIC.
    package var sentMonotonic: Int64? { stamps?.sentMonotonic }

    /// The time to open the connection before the query was sent. Zero over UDP, also if a query over TCP
    /// follows a truncated answer.
    package var opening: Duration {
        truncated == nil ? (connect ?? .zero) + (handshake ?? .zero) : .zero
    }

    init(within limit: TimeLimit, _ result: Result = .timeout) {
        self.limit = limit
        self.result = result
    }

    /// Starts the time limit once the exchange has a descriptor. Waiting for a descriptor does not count as
    /// the resolver's time.
    mutating func begin() { limit = TimeLimit(limit.timeout) }

    /// Ends with `result` at `arrival`, or with a timeout if `arrival` was too late. `cause` is the cause of
    /// a failure.
    mutating func end(_ result: Result, _ arrival: Arrival, because cause: FailureCause? = nil) {
        fault = cause
        guard let stamps, stamps.allow(arrival) else {
            guard result.response != nil else { return self.result = result }
            fault = FailureCause(.message, "came before the query was sent")
            return self.result = .malformed("the answer came before the query was sent")
        }
        let trip = stamps.roundTrip(until: arrival.stamp, read: arrival.clocks)
        clockStep = trip.step
        let isInTime = stamps.sentMonotonic + trip.nanoseconds <= limit.deadline
        let time = isInTime ? limit.plausible(.nanoseconds(trip.nanoseconds)) : nil
        self.result = time == nil ? .timeout : result
        if time == nil { fault = nil }
        roundTrip = time
        if time != nil { clock = trip.clock }
    }

    /// Processes the message that arrived at `arrival`. Returns `true` if the message ends the exchange.
    @EventLoopActor
    mutating func take(
        _ message: UnsafeRawBufferPointer,
        for attempt: Attempt,
        _ arrival: Arrival
    ) -> Bool {
        let reading = unsafe attempt.read(message)
        let bytes = unsafe message.bindMemory(to: UInt8.self).span
        if case .stray(let stray) = reading {
            strays.count(stray)
            if kept.size > Self.mostKept || !keep(bytes, arrival) { unkept.count(stray) }
            return false
        }
        keep(bytes, arrival)
        end(Result(ofOnlyAnswer: reading), arrival, because: reading.cause)
        return true
    }

    /// Adds the time that the query waited in the queues of this machine, between the program and the
    /// network device. The clock then shows that the kernel stamped the response only.
    package mutating func addOwnQueue() {
        guard let kernelSent = stamps?.kernelSent, let passed = stamps?.atSend.realtime else {
            return
        }
        stamps?.kernelSent = nil
        guard clock == .kernel, let trip = roundTrip else { return }
        clock = .kernelReceive
        roundTrip = limit.plausible(trip + .nanoseconds(max(0, kernelSent - passed)))
        if roundTrip == nil { result = .timeout }
    }

    /// Continues after `first`, whose truncated answer caused this query. The round trip is the sum of both,
    /// including the time to connect.
    mutating func follow(_ first: Exchange) {
        truncated = first.roundTrip
        // The cause is that TCP failed; the result tells how.
        if fault?.isOfConnecting == true { fault = nil }
        kept = log
        kept.follow(first.log)
        if let earlier = first.packets { packets = packets.map { earlier + $0 } }
        strays.add(first.strays)
        unkept.add(first.unkept)
        clockStep = clockStep ?? first.clockStep
        if let again = roundTrip, let truncated {
            roundTrip = first.limit.plausible(truncated + (connect ?? .zero) + again)
            if roundTrip == nil { result = .timeout }
            clock = max(clock, first.clock)
        }
        (stamps, id, limit) = (first.stamps, first.id, first.limit)
    }
}

extension SystemError {
    /// The result of a query that failed with this error.
    var result: Exchange.Result {
        isNoRoute
            ? .noRoute(reason) : isWrongAddress ? .wrongAddress(reason) : .unreachable(reason)
    }

    /// The cause of a failure to connect; `nil` if only the result tells it.
    var fault: FailureCause? { code == ECONNREFUSED ? FailureCause(.refused) : nil }
}

/// The two ends of a round trip. A reading of both clocks accompanies each stamp.
struct Stamps {
    /// The kernel's send stamp, in nanoseconds of CLOCK_REALTIME.
    var kernelSent: Int64?
    /// Both clocks just before the query was passed to the kernel, or when sending was tried.
    var atSend: cs_clocks
    /// Whether the query was passed to the kernel.
    private var isSent = true

    /// CLOCK_REALTIME is slewed by at most 500 ppm (adjtimex(2)). A larger change is a step.
    private static let jitter: Int64 = 20_000
    private static let slewDivisor: Int64 = 2_000
    /// If the clock was set, a stamp older than this may be from before or after the step (chrony's
    /// MAX_TS_DELAY). If the clock was not set, every stamp since the query is usable.
    private static let oldestAtStep: Int64 = 1_000_000_000

    init(sentAt: cs_clocks) { atSend = sentAt }

    /// The stamps of a query that is waiting for its connection.
    init(triedAt: cs_clocks) { (atSend, isSent) = (triedAt, false) }

    /// Whether bytes that arrived at `arrival` can be an answer: the query was sent before them.
    func allow(_ arrival: Arrival) -> Bool {
        let elapsed = arrival.clocks.monotonic - atSend.monotonic
        guard isSent, elapsed >= 0 else { return false }
        // The bytes may have arrived long before they were read.
        guard let stamp = arrival.stamp, step(until: arrival.clocks) == nil else { return true }
        return stamp >= atSend.realtime - Self.tolerance(after: elapsed)
    }

    /// The amount by which CLOCK_REALTIME was set until `later`; `nil` if it was not set.
    private func step(until later: cs_clocks) -> Int64? {
        let moved = (later.realtime - later.monotonic) - (atSend.realtime - atSend.monotonic)
        let elapsed = later.monotonic - atSend.monotonic
        return abs(moved) > Self.tolerance(after: elapsed) ? moved : nil
    }

    private static func tolerance(after elapsed: Int64) -> Int64 { jitter + elapsed / slewDivisor }

    /// The time when the query was sent, in nanoseconds of CLOCK_REALTIME.
    var sent: Int64 { kernelSent ?? atSend.realtime }

    /// The time when the query was sent, in nanoseconds of CLOCK_MONOTONIC.
    var sentMonotonic: Int64 { sent - (atSend.realtime - atSend.monotonic) }

    /// The time from sending until `received`, the kernel's receive stamp, which was read at `atReceive`.
    func roundTrip(until received: Int64?, read atReceive: cs_clocks) -> RoundTrip {
        let elapsed = atReceive.monotonic - atSend.monotonic
        let step = step(until: atReceive)
        var trip = RoundTrip(nanoseconds: elapsed, clock: .user)
        trip.step = step.map { .nanoseconds($0) }
        guard let received else { return trip }
        let age = atReceive.realtime - received
        // Each stamp is converted by its age to CLOCK_MONOTONIC, which steps do not change.
        let total = received - sent - (step ?? 0)
        let isDatable = age >= 0 && (step == nil || age <= Self.oldestAtStep)
        guard isDatable, (0...elapsed).contains(total) else { return trip }
        trip.nanoseconds = total
        trip.clock = kernelSent == nil ? .kernelReceive : .kernel
        return trip
    }

    struct RoundTrip {
        var nanoseconds: Int64
        var clock: ClockSource
        var step: Duration?
    }
}

/// The time when bytes arrived.
struct Arrival {
    /// The kernel's stamp of the packet that contained the last byte, in nanoseconds of CLOCK_REALTIME; `nil`
    /// without a stamp.
    var stamp: Int64?
    var clocks: cs_clocks

    /// The time of arrival, in nanoseconds of CLOCK_MONOTONIC. It is inexact if the clock was set after the
    /// arrival.
    var moment: Int64 { clocks.monotonic - (stamp.map { max(0, clocks.realtime - $0) } ?? 0) }
}
