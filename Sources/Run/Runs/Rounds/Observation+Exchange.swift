import Catalogue
import DNSWire
import Integrity
import Measurement
import Samples
import Synchronization
import Transports

extension Observation {
    /// The observation of `exchange`; `nil` if the exchange was cancelled. `askedAt` is in
    /// nanoseconds of CLOCK_MONOTONIC. The time from then until the query was sent is lateness.
    init?(of exchange: Exchange, askedAt: Int64? = nil) {
        if case .cancelled = exchange.result { return nil }
        self.init(outcome: Outcome(exchange.result), clock: exchange.clock)
        sent = exchange.sent.map(Timestamp.init(nanoseconds:))
        if let askedAt, let sent = exchange.sentMonotonic {
            // The time to open a connection has its own columns.
            lateness = max(0, sent - askedAt - exchange.opening.nanoseconds)
        }
        roundTrip = exchange.roundTrip?.nanoseconds
        if case .noRoute = exchange.result { noRoute = true }
        if case .wrongAddress = exchange.result { wrongAddress = true }
        if let response = exchange.response {
            responseCode = response.code
            answers = UInt16(clamping: response.answerCount)
            ttl = response.ttl
            size = UInt32(clamping: response.size)
        }
        if exchange.hasExtras { extras = Extras(of: exchange).withinLimits }
    }
}

extension Observation {
    /// The observation of `exchange`, for a query of a `plan`. Its answer is compared with the
    /// expectation for its question. `nil` if the exchange was cancelled.
    init?(
        of exchange: Exchange,
        to probe: Probe,
        of plan: Plan,
        expecting expectations: [Int: AnswerExpectation],
        askedAt: Int64? = nil
    ) {
        self.init(of: exchange, askedAt: askedAt)
        guard let response = exchange.response else { return }
        if let expectation = expectations[probe.question] { judge(response, by: expectation) }
        let isForAddress = [.a, .aaaa].contains(plan.questions[probe.question].type)
        if plan.targets[probe.target].series == .browser, isForAddress, response.addresses.isEmpty {
            add(.negative)
        }
    }

    /// Compares the response with the expectation. An answer that differs becomes a wrong answer,
    /// with the reason in its detail. A response that meets an expected response code becomes an
    /// answer, whatever the code. Other failures do not change.
    mutating func judge(_ response: Response, by expectation: AnswerExpectation) {
        guard outcome != .malformed else { return }
        guard let fault = expectation.fault(of: response) else {
            if expectation.responseCode != nil { outcome = .answered }
            return
        }
        guard outcome == .answered || outcome == .filtered else { return }
        outcome = .wrong
        add(detail: Detail("wrong answer: \(fault)"))
        extras = extras?.withinLimits
    }
}

extension Observation.Extras {
    convenience init(of exchange: Exchange) {
        let errors = exchange.response?.extendedErrors.map { "\($0.infoCode)" } ?? []
        self.init(
            connect: exchange.connect?.nanoseconds,
            handshake: exchange.handshake?.nanoseconds,
            udp: exchange.truncated?.nanoseconds,
            site: exchange.response?.nsid.map(PresentationText.escaped),
            extendedErrors: errors.isEmpty ? nil : errors.joined(separator: " "),
            connection: exchange.connection,
            detail: exchange.detail.map(Detail.init(_:)),
            cause: exchange.cause,
            flags: exchange.flags,
            packets: exchange.response == nil ? nil : exchange.packets
        )
    }
}

extension Outcome {
    init(_ result: Exchange.Result) {
        switch result {
        // A truncated response over UDP was followed over TCP. A response that is still truncated
        // is not a complete answer.
        case .response(let response) where response.truncated: self = .malformed
        case .response(let response): self = response.outcome
        case .timeout, .cancelled: self = .timeout
        case .unreachable, .untrusted, .noRoute, .wrongAddress: self = .unreachable
        case .malformed: self = .malformed
        case .blocked: self = .blocked
        }
    }
}

extension Exchange {
    var response: Response? { result.response }

    fileprivate var hasExtras: Bool {
        guard let response, response.cause == nil else { return true }
        return connect != nil || connection != nil || isUnverified || truncated != nil
            || response.nsid != nil || packets != nil
            || response.changesCase || response.hasTrailingBytes
            || !response.extendedErrors.isEmpty || strays.count > 0 || clockStep != nil
    }

    var flags: SampleFlags {
        var flags: SampleFlags = []
        if isUnverified { flags.insert(.unverified) }
        if strays.count > 0 { flags.insert(.strays) }
        if clockStep != nil { flags.insert(.clockStep) }
        if response?.changesCase == true { flags.insert(.caseChanged) }
        if isEarlyRefused { flags.insert(.earlyRefused) }
        if response?.hasTrailingBytes == true { flags.insert(.trailingBytes) }
        return flags
    }

    /// Details in words that no number expresses; `nil` in the usual case.
    var detail: String? {
        var parts: [String] = []
        switch result {
        case .unreachable(let reason), .noRoute(let reason), .wrongAddress(let reason),
            .malformed(let reason):
            parts.append(reason.cut(toCharacters: Observation.Extras.longestReason))
        case .untrusted(let distrust):
            parts.append(distrust.reason.cut(toCharacters: Observation.Extras.longestReason))
        case .response(let response):
            if response.truncated { parts.append("the answer is truncated") }
        case .timeout, .blocked, .cancelled: break
        }
        for (count, what) in [
            (strays.wrongID, "with a wrong ID"), (strays.wrongQuestion, "with a wrong question"),
            (strays.wrongCookie, "with a wrong cookie"),
            (strays.notAResponse, "that were no responses"),
        ] where count > 0 {
            parts.append("ignored \(count) \(what)")
        }
        if isOverHTTP1 { parts.append("over HTTP/1.1") }
        if let clockStep { parts.append("the clock was set by \(clockStep)") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

/// Finds the answers with the address of a block page during a run.
///
/// A round is evaluated with the answers up to its own last answer. Later answers may exist when
/// the round is passed on, but they depend on the timing of threads. The messages of the run would
/// not reproduce them.
final class BlockPageWatch: Sendable {
    private struct State {
        var seen = SeenAnswers()
        /// The number of addresses seen when a round's last query ended, by round.
        var counts: [Int: Int] = [:]
        /// The answers with a block page among the first `count` addresses.
        var blocked: (count: Int, pairs: [Int: Set<Question>]) = (0, [:])
    }

    private let state = Mutex(State())
    private let plan: Plan

    init(_ plan: Plan) { self.plan = plan }

    /// Adds the addresses in the answer to a query of round `number`, or of its warm-up. They are
    /// empty without such an answer, or if the query is not of the cached series.
    func note(_ addresses: [[UInt8]], of probe: Probe, inRound number: Int) {
        state.withLock { state in
            state.seen.note(addresses, for: plan.questions[probe.question], from: probe.target)
            state.counts[number] = state.seen.count
        }
    }

    /// Marks the answers of round `number` with a block page as filtered, with the knowledge at its
    /// end. This works from the first round on if each name was answered before.
    func leaveOut(of round: inout Recording, number: Int) {
        let (count, known, seen) = state.withLock { state in
            let count = state.counts.removeValue(forKey: number) ?? 0
            return (count, state.blocked, count == state.blocked.count ? nil : state.seen)
        }
        guard let seen else { return round.leaveOut(known.pairs) }
        // Computed outside the lock, for which the measurement waits.
        let blocked = seen.first(count).blockedPairs()
        state.withLock { $0.blocked = (count, blocked) }
        round.leaveOut(blocked)
    }
}
