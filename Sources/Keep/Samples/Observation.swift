package import DNSWire
package import Statistics

/// The outcome of sending one query.
package struct Observation: Hashable, Sendable {
    package var outcome: Outcome
    /// The source of the time stamps; `nil` if unknown, for example in a file without the column.
    package var clock: ClockSource?
    package var responseCode: ResponseCode?
    /// The number of records in the answer section.
    package var answers: UInt16?
    /// The smallest TTL of the answer section, in seconds.
    package var ttl: UInt32?
    /// The size of the response in bytes.
    package var size: UInt32?
    /// The time at which the query was sent; `nil` if it was not sent.
    package var sent: Timestamp?
    /// The time from the send stamp to the receive stamp in nanoseconds. After a truncated answer, it ends
    /// with the full answer. A failed answer has a round trip as well.
    package var roundTrip: Int64?
    /// The delay between the scheduled time and the sending, in nanoseconds.
    package var lateness: Int64
    /// Whether the system had no route to the resolver, so that the query was not sent. The outcome is
    /// `unreachable`. The runner changes it to `offline` if the whole round had no route.
    package var noRoute = false
    /// Whether the system cannot send to the resolver's address on any network, so that the query was not
    /// sent. The outcome is `unreachable`. The runner then draws no conclusion about the network.
    package var wrongAddress = false
    /// Whether the answer came from the resolver's cache; `nil` if unknown.
    package var cache: CacheState?
    package var extras: Extras?

    package init(outcome: Outcome, clock: ClockSource? = .user) {
        self.outcome = outcome
        self.clock = clock
        lateness = 0
    }

    /// The time that `series` measures, in nanoseconds; `nil` without an answer. It is the round trip. For a
    /// series that includes the connection, it also includes the time to open the connection.
    package func time(in series: Series) -> Int64? {
        guard let roundTrip, series == .first, let extras else { return roundTrip }
        // A file may contain any value.
        return [extras.connect, extras.handshake].reduce(roundTrip) { sum, part in
            let (next, overflow) = sum.addingReportingOverflow(part ?? 0)
            return overflow ? .max : next
        }
    }

    /// The time to the answer in milliseconds, as `series` measures it; `nil` without a usable answer.
    package func answerTime(in series: Series) -> Double? {
        outcome == .answered ? time(in: series).map { Double($0) * 1e-6 } : nil
    }

    /// Facts that only some observations have. They are stored separately, so that other observations stay
    /// small.
    package final class Extras: Hashable, Sendable {
        /// The time to establish the connection, in nanoseconds.
        package let connect: Int64?
        /// The time of the TLS or QUIC handshake, in nanoseconds.
        package let handshake: Int64?
        /// The round trip of the truncated answer before the query over TCP, in nanoseconds.
        package let udp: Int64?
        /// The time to connect to the answer's address in the same round, in nanoseconds. It is
        /// ``ContentRound/longestConnection`` if no connection was established within that time.
        package let edge: Int64?
        /// The server that answered, as its NSID (RFC 5001), escaped.
        package let site: String?
        /// Extended DNS error codes, such as `15` or `15 17` (RFC 8914).
        package let extendedErrors: String?
        /// Whether the connection was opened for this query.
        package let connection: ConnectionUse?
        package let detail: Detail?
        /// The reason of the failure beyond outcome and response code; `nil` if these are sufficient or the
        /// reason is unknown.
        package let cause: FailureCause?
        package let flags: SampleFlags
        /// The network's round trip to the resolver's address during the round, in nanoseconds. Only the
        /// round's first query to the resolver has it.
        package let networkRTT: Int64?
        /// The cache hits and misses of the round's warm-up at the resolver. Only the round's first query to
        /// the resolver has it.
        package let warmup: WarmupTally?
        /// The packets until the answer, if the run counts them.
        package let packets: PacketCount?

        // Many parameters: one for each column that only some samples have.
        package init(
            connect: Int64? = nil,
            handshake: Int64? = nil,
            udp: Int64? = nil,
            edge: Int64? = nil,
            site: String? = nil,
            extendedErrors: String? = nil,
            connection: ConnectionUse? = nil,
            detail: Detail? = nil,
            cause: FailureCause? = nil,
            flags: SampleFlags = [],
            networkRTT: Int64? = nil,
            warmup: WarmupTally? = nil,
            packets: PacketCount? = nil
        ) {
            self.connect = connect
            self.handshake = handshake
            self.udp = udp
            self.edge = edge
            self.site = site
            self.extendedErrors = extendedErrors
            self.connection = connection
            self.detail = detail
            self.cause = cause
            self.flags = flags
            self.networkRTT = networkRTT
            self.warmup = warmup
            self.packets = packets
        }

        package static func == (left: Extras, right: Extras) -> Bool {
            left.connect == right.connect && left.handshake == right.handshake
                && left.udp == right.udp && left.edge == right.edge && left.site == right.site
                && left.extendedErrors == right.extendedErrors
                && left.connection == right.connection && left.detail == right.detail
                && left.cause == right.cause && left.flags == right.flags
                && left.networkRTT == right.networkRTT && left.warmup == right.warmup
                && left.packets == right.packets
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(connect)
            hasher.combine(udp)
            hasher.combine(detail)
        }
    }
}

extension Observation.Extras {
    /// Whether the query's own time is separate from the time of the connection that was opened for it.
    fileprivate var tellsSteps: Bool {
        connection == .reused || connect != nil || handshake != nil
    }

    /// Whether the connection was opened for this query of `series`.
    package func isOpening(in series: Series) -> Bool {
        connection.map { $0 != .reused } ?? (series == .first)
    }
}

extension Observation {
    /// The parts of a time, in milliseconds; `nil` for a step that did not take place.
    package struct Steps: Hashable, Sendable {
        package var connect: Double?
        package var handshake: Double?
        package var query: Double
    }

    /// The steps of an answered query for which a connection was opened, or of a query of the `first` series.
    /// `nil` for other queries, and if a single time includes all steps, as in files of other programs.
    package func steps(in series: Series) -> Steps? {
        guard outcome == .answered, let roundTrip, let extras, extras.tellsSteps,
            extras.isOpening(in: series) || series == .first
        else { return nil }
        return Steps(
            connect: extras.connect.map { Double($0) * 1e-6 },
            handshake: extras.handshake.map { Double($0) * 1e-6 },
            query: Double(roundTrip) * 1e-6
        )
    }
}

extension Recording {
    /// The targets with an answer from an unauthenticated server, because no certificate was verified.
    package var unverifiedTargets: Set<Target> {
        let indices = Set(
            samples.filter { $0.observation.flags.contains(.unverified) }.map(\.target)
        )
        return Set(indices.map(Int.init).filter(targets.indices.contains).map { targets[$0] })
    }
}

extension Observation {
    package var flags: SampleFlags { extras?.flags ?? [] }

    /// Adds facts to the observation. `edge` is the time to connect to the answer's address. `networkRTT` is
    /// the network's round trip to the resolver. Both are in nanoseconds. `warmup` contains the cache hits
    /// and misses of the warm-up. `packets` are the packets until the answer.
    package mutating func add(
        _ flags: SampleFlags = [],
        detail words: Detail? = nil,
        cause: FailureCause? = nil,
        edge: Int64? = nil,
        networkRTT: Int64? = nil,
        warmup: WarmupTally? = nil,
        packets: PacketCount? = nil
    ) {
        extras = Extras(
            connect: extras?.connect,
            handshake: extras?.handshake,
            udp: extras?.udp,
            edge: edge ?? extras?.edge,
            site: extras?.site,
            extendedErrors: extras?.extendedErrors,
            connection: extras?.connection,
            detail: Detail(joining: [extras?.detail, words].compactMap(\.self)),
            cause: cause ?? extras?.cause,
            flags: self.flags.union(flags),
            networkRTT: networkRTT ?? extras?.networkRTT,
            warmup: warmup ?? extras?.warmup,
            packets: packets ?? extras?.packets
        )
    }

    /// The maximum of all times, in nanoseconds: 36,500 days, the longest timeout.
    package static let longestTime: Int64 = 36_500 * 86_400_000_000_000

    /// The same observation. Texts from other sources are cut to their limits.
    package var withinLimits: Observation {
        var observation = self
        observation.extras = extras?.withinLimits
        return observation
    }
}

extension Observation.Extras {
    /// The limits of texts from other sources: `longestReason` in characters, `longestSite` in bytes.
    package static let longestReason = 120
    package static let longestSite = 128

    /// The same extras, with their texts cut to the limits.
    package var withinLimits: Observation.Extras {
        let isWithin =
            (site?.utf8.count ?? 0) <= Self.longestSite
            && (extendedErrors?.utf8.count ?? 0) <= Self.longestSite
            && detail?.withinLimits == detail
        guard !isWithin else { return self }
        return with(
            site: site?.cut(toBytes: Self.longestSite),
            extendedErrors: extendedErrors?.cut(toBytes: Self.longestSite),
            detail: detail?.withinLimits,
            cause: cause
        )
    }

    /// The same extras with other texts from elsewhere.
    func with(
        site: String?,
        extendedErrors: String?,
        detail: Detail?,
        cause: FailureCause?
    ) -> Self {
        Self(
            connect: connect,
            handshake: handshake,
            udp: udp,
            edge: edge,
            site: site,
            extendedErrors: extendedErrors,
            connection: connection,
            detail: detail,
            cause: cause,
            flags: flags,
            networkRTT: networkRTT,
            warmup: warmup,
            packets: packets
        )
    }
}

extension QueryOutcome {
    /// The outcome of an observation of `series`, for latency figures. It is `missing` if the query was not
    /// sent or its name is filtered. It is also `missing` if a file contains no time for the answer.
    package init(_ observation: Observation, in series: Series) {
        if observation.outcome == .answered {
            self = observation.answerTime(in: series).map(QueryOutcome.answered) ?? .missing
        } else {
            self = observation.outcome.isMeasured ? .failed : .missing
        }
    }
}

extension String {
    /// The text, cut to at most `most` Unicode scalars. An ellipsis replaces the removed part.
    package func cut(toCharacters most: Int) -> String {
        guard unicodeScalars.count > most else { return self }
        return String(unicodeScalars.prefix(most - 1)) + "…"
    }

    /// The text, cut to at most `most` bytes of UTF-8, with an ellipsis as well.
    package func cut(toBytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var text = ""
        for scalar in unicodeScalars {
            guard text.utf8.count + String(scalar).utf8.count + "…".utf8.count <= most else {
                break
            }
            text.unicodeScalars.append(scalar)
        }
        return text + "…"
    }
}
