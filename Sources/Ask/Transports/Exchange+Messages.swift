import CSockets
package import Catalogue
package import DNSWire

extension Exchange {
    /// The messages of each sending and the responses to it, if the query keeps messages.
    package var messages: [SentQuery] { log.queries }

    /// The kept messages as one log.
    package var log: MessageLog {
        var log = kept
        if log.sent == nil { log.sent = sent }
        return log
    }

    /// Starts to keep the messages of a sending, if the query requests it.
    @EventLoopActor
    mutating func keep(_ attempt: Attempt) {
        guard attempt.keepsMessages else { return }
        unsafe attempt.withMessage { unsafe kept.add(query: $0.bindMemory(to: UInt8.self).span) }
    }

    /// Keeps a message that arrived at `arrival`, if messages are kept. Returns whether it was kept.
    @discardableResult
    mutating func keep(_ message: Span<UInt8>, _ arrival: Arrival) -> Bool {
        guard let stamps, !kept.isEmpty, stamps.allow(arrival) else { return false }
        let trip = stamps.roundTrip(until: arrival.stamp, read: arrival.clocks)
        kept.add(response: message, received: stamps.sent + trip.nanoseconds)
        return true
    }

    /// Forgets the last sending, because the query will be sent again.
    mutating func forgetSending() {
        kept = log
        stamps = nil
    }
}

extension Exchange {
    /// The cause of the failure, beyond its outcome and response code. `nil` if these explain it or if it is
    /// unknown.
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

    /// The cause if the query over TCP failed for `reason` after a truncated answer over UDP.
    private func withoutTCP(_ reason: String) -> FailureCause? {
        truncated == nil ? nil : FailureCause(.noTCP, reason)
    }
}

extension Exchange {
    /// The facts of an exchange that its messages do not contain. Times are in nanoseconds.
    package struct Facts: Hashable, Sendable {
        /// The result of the exchange; `nil` if a message contains it.
        package var ending: Result?
        /// The time when the query was sent or tried, if there is no message; since 1970.
        package var sent: Int64?
        package var clock = ClockSource.user
        /// The time until a response that is not a DNS message, such as an HTTP status.
        package var roundTrip: Int64?
        package var connect: Int64?
        package var handshake: Int64?
        package var connection: ConnectionUse?
        package var clockStep: Int64?
        package var isUnverified = false
        package var isOverHTTP1 = false
        package var isEarlyRefused = false
        /// The cause of a failure, if no message shows it.
        package var fault: FailureCause?
        /// Whether a truncated answer arrived in time and was followed by a query over TCP.
        package var isFollowed = false
        /// The messages that answered no query and exceeded the number that is kept.
        package var unkept = Strays()

        package init() {}
    }

    /// The facts of the exchange over `transport` that ``messages`` do not contain.
    package func facts(over transport: TransportKind) -> Facts {
        var facts = Facts()
        facts.clock = clock
        facts.connect = connect?.nanoseconds
        facts.handshake = handshake?.nanoseconds
        facts.connection = connection
        facts.clockStep = clockStep?.nanoseconds
        facts.isUnverified = isUnverified
        facts.isOverHTTP1 = isOverHTTP1
        facts.isEarlyRefused = isEarlyRefused
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

    /// Reconstructs an exchange from its messages, which are parsed again, and from additional facts. The
    /// result equals the original exchange. `nil` if the messages are not of one exchange.
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
        isEarlyRefused = facts.isEarlyRefused
        (strays, unkept) = (facts.unkept, facts.unkept)
        kept = MessageLog(messages)
        // Over UDP the query is repeated over TCP after a truncated answer. Over other transports only the
        // last message counts.
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

    /// Reads the responses to a sending, up to its end. Sets no result if no response arrived.
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
    /// The stamps of a time that is known from another source, on one clock.
    fileprivate init(sent: Int64) {
        self.init(sentAt: .init(monotonic: sent, realtime: sent))
    }
}
