internal import CSockets
package import DNSWire

/// One way to carry a DNS message to one resolver and back.
package protocol Transport: Sendable {
    /// Sends `query` and returns what came of it, at most `timeout` after it was sent.
    ///
    /// The round trip runs from the kernel's send stamp of the query to its receive stamp of the
    /// full answer; what it took to connect is given apart. There is one attempt and no retry: a
    /// lost packet is a lost packet.
    @EventLoopActor
    func exchange(_ query: Query, timeout: Duration) async -> Exchange
}

/// The outcome of sending one query.
package struct Exchange: Sendable {
    package typealias Result = QueryResult

    /// The messages that came in meanwhile and were not a response to this query.
    package struct Strays: Hashable, Sendable {
        package var wrongID = 0
        package var wrongQuestion = 0
        package var wrongCookie = 0
        package var notAResponse = 0

        package init() {}

        /// From as many ``counts``.
        package init(counts: [Int]) {
            (wrongID, wrongQuestion) = (counts[0], counts[1])
            (wrongCookie, notAResponse) = (counts[2], counts[3])
        }

        /// The number of each kind, in the order of the properties.
        package var counts: [Int] { [wrongID, wrongQuestion, wrongCookie, notAResponse] }
        package var count: Int { wrongID + wrongQuestion + wrongCookie + notAResponse }

        /// Whether a connection with so many is of no use, as a result; nobody but the other end can
        /// send on it.
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
    /// From the send stamp to the receive stamp of the full answer; within the limit, as all times.
    package internal(set) var roundTrip: Duration?
    /// The time to establish the connection, by this process's clock.
    package var connect: Duration? { didSet { connect = limit.plausible(connect) } }
    /// The time of the encryption's handshake, by this process's clock. Where the process stood still
    /// meanwhile, that is part of it, up to the limit: left out, it would count as 0.
    package var handshake: Duration? { didSet { handshake = limit.bounded(handshake) } }
    /// The connection that carried it, but over UDP.
    package var connection: ConnectionUse?
    /// The other end may be anybody: its certificate was not looked at.
    package var isUnverified = false
    /// It went over HTTP/1.1, since the server has nothing newer.
    package var isOverHTTP1 = false
    /// The round trip of a truncated answer, before it was followed over TCP.
    package internal(set) var truncated: Duration?
    package var strays = Strays()
    /// The cause of a failure without a response, where its words alone have it.
    package var fault: FailureCause?
    /// How far CLOCK_REALTIME was set between the two stamps, where it was.
    package var clockStep: Duration?
    /// The ID of the query, over UDP.
    package internal(set) var id: UInt16?
    private(set) var limit: TimeLimit
    /// The messages of a query, where they are kept; of its last sending the moment is ``sent``.
    var kept = MessageLog()
    /// The ``strays`` whose messages were not kept: whoever floods a query would fill the memory.
    var unkept = Strays()
    private static let mostKept = 65_536
    /// The send stamp, or for a connection that failed, when it was tried.
    var stamps: Stamps?
    /// An ICMP error that is the reason if no answer comes.
    var obstacle: SystemError?
    /// ICMP reported something, and there may be more in the socket.
    var hasReports = false

    /// When the query was sent, in nanoseconds since 1970 (CLOCK_REALTIME); `nil` if it was not.
    package var sent: Int64? { stamps?.sent }

    /// The same moment in nanoseconds of CLOCK_MONOTONIC.
    package var sentMonotonic: Int64? { stamps?.sentMonotonic }

    /// The part of the time until it was sent in which its connection was opened: none over UDP, where
    /// that follows a truncated answer.
    package var opening: Duration {
        truncated == nil ? (connect ?? .zero) + (handshake ?? .zero) : .zero
    }

    init(within limit: TimeLimit, _ result: Result = .timeout) {
        self.limit = limit
        self.result = result
    }

    /// Has its time begin, once it has a descriptor: to wait for one is no time of the resolver's.
    mutating func begin() { limit = TimeLimit(limit.timeout) }

    /// Ends with `result`, whose failure `cause` has, as of `arrival`; or as a timeout where that was too
    /// late.
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

    /// Takes the message that came at `arrival`; `true` where that ends it.
    @EventLoopActor
    mutating func take(
        _ message: UnsafeRawBufferPointer,
        for attempt: Attempt,
        _ arrival: Arrival
    ) -> Bool {
        let reading = unsafe attempt.read(message)
        let octets = unsafe message.bindMemory(to: UInt8.self).span
        if case .stray(let stray) = reading {
            strays.count(stray)
            if kept.size > Self.mostKept || !keep(octets, arrival) { unkept.count(stray) }
            return false
        }
        keep(octets, arrival)
        end(Result(ofOnlyAnswer: reading), arrival, because: reading.cause)
        return true
    }

    /// Goes on from `first`, whose truncated answer was the reason to ask again: the round trip is
    /// that of both, with the time to connect in between.
    mutating func follow(_ first: Exchange) {
        truncated = first.roundTrip
        kept = log
        kept.follow(first.log)
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
    /// The result of the query on whose way the error came.
    var result: Exchange.Result {
        isNoRoute
            ? .noRoute(reason) : isWrongAddress ? .wrongAddress(reason) : .unreachable(reason)
    }
}

/// The two ends of a round trip, each with a reading of both clocks taken beside it.
struct Stamps {
    /// The kernel's send stamp, in nanoseconds of CLOCK_REALTIME.
    var kernelSent: Int64?
    /// Both clocks just before the query was handed to the kernel, or when it was tried.
    var atSend: cs_clocks
    /// Whether it was handed to the kernel.
    private var isSent = true

    /// CLOCK_REALTIME is slewed by at most 500 ppm (adjtimex(2)); what moves it further is a step.
    private static let jitter: Int64 = 20_000
    private static let slewDivisor: Int64 = 2_000
    /// Where the clock was set, an older stamp than this may be from before or after that
    /// (chrony's MAX_TS_DELAY); where it was not, every stamp since the query is as good.
    private static let oldestAtStep: Int64 = 1_000_000_000

    init(sentAt: cs_clocks) { atSend = sentAt }

    /// The stamps of a query that waits for its connection.
    init(triedAt: cs_clocks) { (atSend, isSent) = (triedAt, false) }

    /// Whether octets that came at `arrival` can be an answer: the query had left by then.
    func allow(_ arrival: Arrival) -> Bool {
        let elapsed = arrival.clocks.monotonic - atSend.monotonic
        guard isSent, elapsed >= 0 else { return false }
        // They may have come long before they were read.
        guard let stamp = arrival.stamp, step(until: arrival.clocks) == nil else { return true }
        return stamp >= atSend.realtime - Self.tolerance(after: elapsed)
    }

    /// How far CLOCK_REALTIME was set until `later`; `nil` where it was not.
    private func step(until later: cs_clocks) -> Int64? {
        let moved = (later.realtime - later.monotonic) - (atSend.realtime - atSend.monotonic)
        let elapsed = later.monotonic - atSend.monotonic
        return abs(moved) > Self.tolerance(after: elapsed) ? moved : nil
    }

    private static func tolerance(after elapsed: Int64) -> Int64 { jitter + elapsed / slewDivisor }

    /// When the query was sent, in nanoseconds of CLOCK_REALTIME.
    var sent: Int64 { kernelSent ?? atSend.realtime }

    /// The same in nanoseconds of CLOCK_MONOTONIC.
    var sentMonotonic: Int64 { sent - (atSend.realtime - atSend.monotonic) }

    /// The time from sending until `received`, the kernel's receive stamp, read at `atReceive`.
    func roundTrip(until received: Int64?, read atReceive: cs_clocks) -> RoundTrip {
        let elapsed = atReceive.monotonic - atSend.monotonic
        let step = step(until: atReceive)
        var trip = RoundTrip(nanoseconds: elapsed, clock: .user)
        trip.step = step.map { .nanoseconds($0) }
        guard let received else { return trip }
        let age = atReceive.realtime - received
        // Each stamp is carried over by its age to CLOCK_MONOTONIC, which steps do not move.
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

/// When octets came.
struct Arrival {
    /// The kernel's stamp of the packet with the last of them, in nanoseconds of CLOCK_REALTIME;
    /// `nil` without one.
    var stamp: Int64?
    var clocks: cs_clocks

    /// The moment in nanoseconds of CLOCK_MONOTONIC, but for a clock that was set since.
    var moment: Int64 { clocks.monotonic - (stamp.map { max(0, clocks.realtime - $0) } ?? 0) }
}
