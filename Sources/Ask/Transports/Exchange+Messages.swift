import CSockets
package import Catalogue
package import DNSWire

extension Exchange {
    /// Each sending and what came back, where the query keeps them.
    package var messages: [SentQuery] { log.queries }

    /// The same in one piece.
    package var log: MessageLog {
        var log = kept
        if log.sent == nil { log.sent = sent }
        return log
    }

    /// Begins to keep the messages of a sending, where that is asked for.
    @EventLoopActor
    mutating func keep(_ attempt: Attempt) {
        guard attempt.keepsMessages else { return }
        unsafe attempt.withMessage { unsafe kept.add(query: $0.bindMemory(to: UInt8.self).span) }
    }

    /// Keeps a message that came at `arrival`, where messages are kept; whether it did.
    @discardableResult
    mutating func keep(_ message: Span<UInt8>, _ arrival: Arrival) -> Bool {
        guard let stamps, !kept.isEmpty, stamps.allow(arrival) else { return false }
        let trip = stamps.roundTrip(until: arrival.stamp, read: arrival.clocks)
        kept.add(response: message, received: stamps.sent + trip.nanoseconds)
        return true
    }

    /// The query is to be sent again.
    mutating func forgetSending() {
        kept = log
        stamps = nil
    }
}

extension Exchange {
    /// Why it failed, beyond its outcome and response code; `nil` where that says all or is unknown.
    package var cause: FailureCause? {
        switch result {
        case .response(let response): response.cause
        case .untrusted(let distrust): FailureCause(.certificate, distrust.reason)
        case .malformed(let reason):
            fault ?? withoutTCP(reason) ?? FailureCause(.connection, reason)
        case .unreachable(let reason), .noRoute(let reason), .wrongAddress(let reason):
            fault ?? withoutTCP(reason)
        case .timeout:
            fault ?? withoutTCP("no answer in time")
                ?? (strays.wrongCookie > 0 ? FailureCause(.cookie) : nil)
        case .blocked, .cancelled: nil
        }
    }

    /// The cause where the query over TCP failed for a `reason`, after a truncated answer over UDP.
    private func withoutTCP(_ reason: String) -> FailureCause? {
        truncated == nil ? nil : FailureCause(.noTCP, reason)
    }
}

extension Exchange {
    /// The facts of an exchange that its messages do not tell. Times are in nanoseconds.
    package struct Facts: Hashable, Sendable {
        /// How it ended; `nil` where a message says so.
        package var ending: Result?
        /// When it left, or was tried, where there is no message; since 1970.
        package var sent: Int64?
        package var clock = ClockSource.user
        /// To an end that is no DNS message, as a status of HTTP is.
        package var roundTrip: Int64?
        package var connect: Int64?
        package var handshake: Int64?
        package var connection: ConnectionUse?
        package var clockStep: Int64?
        package var isUnverified = false
        package var isOverHTTP1 = false
        /// The cause of a failure that no message tells.
        package var fault: FailureCause?
        /// A truncated answer came in time and was followed up.
        package var isFollowed = false
        /// The messages that answered no query and were too many to be kept.
        package var unkept = Strays()

        package init() {}
    }

    /// The facts that ``messages`` do not tell of it, over `transport`.
    package func facts(over transport: TransportKind) -> Facts {
        var facts = Facts()
        facts.clock = clock
        facts.connect = connect?.nanoseconds
        facts.handshake = handshake?.nanoseconds
        facts.connection = connection
        facts.clockStep = clockStep?.nanoseconds
        facts.isUnverified = isUnverified
        facts.isOverHTTP1 = isOverHTTP1
        facts.isFollowed = truncated != nil
        facts.unkept = unkept
        if kept.isEmpty { facts.sent = sent }
        if !isToldByMessages(over: transport, facts) {
            (facts.ending, facts.roundTrip) = (result, roundTrip?.nanoseconds)
            facts.fault = fault
        }
        return facts
    }

    private func isToldByMessages(over transport: TransportKind, _ facts: Facts) -> Bool {
        switch result {
        case .response: true
        case .malformed:
            Exchange(
                of: messages,
                facts,
                over: transport,
                timeout: limit.timeout,
                keepsData: false
            )?
            .result == result
        default: false
        }
    }

    /// The exchange that messages tell, each of which is read anew, and facts beside them; the same as
    /// the one that they were kept of. `nil` where they are none of one exchange.
    package init?(
        of messages: [SentQuery],
        _ facts: Facts,
        over transport: TransportKind,
        timeout: Duration,
        keepsData: Bool
    ) {
        self.init(within: TimeLimit(timeout))
        clock = facts.clock
        connect = limit.plausible(facts.connect.map { .nanoseconds($0) })
        handshake = limit.plausible(facts.handshake.map { .nanoseconds($0) })
        connection = facts.connection
        clockStep = facts.clockStep.map { .nanoseconds($0) }
        isUnverified = facts.isUnverified
        isOverHTTP1 = facts.isOverHTTP1
        (strays, unkept) = (facts.unkept, facts.unkept)
        kept = MessageLog(messages)
        // Over UDP a truncated answer is asked for again over TCP; elsewhere only the last one counts.
        let counted = transport == .udp ? messages.first : messages.last
        if let sent = messages.isEmpty ? facts.sent : counted?.sent { stamps = Stamps(sent: sent) }
        if transport == .udp { id = messages.first?.id }
        var end: Result?
        for (index, sending) in messages.enumerated() {
            guard let answer = take(sending, over: transport, keepsData: keepsData) else {
                return nil
            }
            fault = answer.cause
            (end, roundTrip) = (answer.result, limit.plausible(answer.time))
            guard let time = roundTrip else { continue }
            if facts.isFollowed, index == 0, transport == .udp, end?.response?.truncated == true {
                (truncated, end) = (time, nil)
            } else if let truncated {
                roundTrip = limit.plausible(truncated + (connect ?? .zero) + time)
            }
        }
        if let ending = facts.ending {
            (result, fault) = (ending, facts.fault)
            roundTrip = limit.plausible(facts.roundTrip.map { .nanoseconds($0) })
        } else {
            guard let end else { return nil }
            result = roundTrip == nil ? .timeout : end
            if roundTrip == nil { fault = nil }
        }
    }

    /// Reads what came back to a sending, up to its end; no result where none came.
    private mutating func take(
        _ sending: SentQuery,
        over transport: TransportKind,
        keepsData: Bool
    ) -> (result: Result?, cause: FailureCause?, time: Duration?)? {
        guard let readings = sending.readings(keepsData: keepsData) else { return nil }
        for (response, reading) in zip(sending.responses, readings) {
            guard let sent = sending.sent else { return nil }
            if case .stray(let stray) = reading, !transport.isHTTP {
                strays.count(stray)
                continue
            }
            return (
                QueryResult(ofOnlyAnswer: reading), reading.cause,
                .nanoseconds(response.received - sent)
            )
        }
        return (nil, nil, nil)
    }
}

extension Stamps {
    /// The stamps of a moment that is known from elsewhere, on one clock.
    fileprivate init(sent: Int64) {
        self.init(sentAt: .init(monotonic: sent, realtime: sent))
    }
}
