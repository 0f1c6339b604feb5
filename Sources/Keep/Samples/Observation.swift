package import DNSWire
package import Statistics

/// The outcome of sending one query.
package struct Observation: Hashable, Sendable {
    package var outcome: Outcome
    /// `nil` where that is unknown, as in a file without the column.
    package var clock: ClockSource?
    package var responseCode: ResponseCode?
    /// Records in the answer section.
    package var answers: UInt16?
    /// Smallest TTL of the answer section, in seconds.
    package var ttl: UInt32?
    /// Size of the response, in octets.
    package var size: UInt32?
    /// When it was sent; `nil` where nothing was.
    package var sent: Timestamp?
    /// From send stamp to receive stamp, to the full answer where it was truncated first, in
    /// nanoseconds; of a failed answer too.
    package var roundTrip: Int64?
    /// How much later than scheduled it was sent, in nanoseconds.
    package var lateness: Int64
    /// The system had no route to the resolver when it was to be sent, so nothing was. Goes with
    /// `unreachable`; the runner turns it into `offline` where the whole round had none.
    package var noRoute = false
    /// The system cannot send to the resolver's address whatever its network is, so nothing was sent.
    /// Goes with `unreachable`; the runner then concludes nothing for the network.
    package var wrongAddress = false
    /// Whether the answer came from the resolver's cache; `nil` where that is unknown.
    package var cache: CacheState?
    package var extras: Extras?

    package init(outcome: Outcome, clock: ClockSource? = .user) {
        self.outcome = outcome
        self.clock = clock
        lateness = 0
    }

    /// The time that `series` is a series of, in nanoseconds: the round trip, and where the
    /// connection is part of it, what it took to open that too; `nil` without an answer.
    package func time(in series: Series) -> Int64? {
        guard let roundTrip, series == .first, let extras else { return roundTrip }
        // A file may say anything.
        return [extras.connect, extras.handshake].reduce(roundTrip) { sum, part in
            let (next, overflow) = sum.addingReportingOverflow(part ?? 0)
            return overflow ? .max : next
        }
    }

    /// Milliseconds to the answer, as `series` counts them; `nil` without one that could be used.
    package func answerTime(in series: Series) -> Double? {
        outcome == .answered ? time(in: series).map { Double($0) * 1e-6 } : nil
    }

    /// Facts that only some observations have, apart so that the others stay small.
    package final class Extras: Hashable, Sendable {
        /// The time to establish the connection, in nanoseconds.
        package let connect: Int64?
        /// The time of the encryption's handshake, in nanoseconds.
        package let handshake: Int64?
        /// The round trip of the truncated answer that was then followed over TCP, in nanoseconds.
        package let udp: Int64?
        /// The time to connect to the address that the answer led to, in nanoseconds, where that was
        /// tried in its round; ``ContentRound/longestConnection`` where none stood within that.
        package let edge: Int64?
        /// Which server answered, as NSID gives it, escaped (RFC 5001).
        package let site: String?
        /// Extended DNS error codes, such as `15` or `15 17` (RFC 8914).
        package let extendedErrors: String?
        /// Whether the connection was opened for this query.
        package let connection: ConnectionUse?
        package let detail: Detail?
        /// Why it failed, beyond its outcome and response code; `nil` where that says all or is unknown.
        package let cause: FailureCause?
        package let flags: SampleFlags
        /// The network's round trip to the resolver's address during the round, in nanoseconds; beside
        /// the first of the round's queries to it.
        package let networkRTT: Int64?
        /// The cache hits and misses that the round's warm-up found at the resolver; beside the
        /// first of the round's queries to it.
        package let warmup: WarmupTally?

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
            warmup: WarmupTally? = nil
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
        }

        package static func == (left: Extras, right: Extras) -> Bool {
            left.connect == right.connect && left.handshake == right.handshake
                && left.udp == right.udp && left.edge == right.edge && left.site == right.site
                && left.extendedErrors == right.extendedErrors
                && left.connection == right.connection && left.detail == right.detail
                && left.cause == right.cause && left.flags == right.flags
                && left.networkRTT == right.networkRTT && left.warmup == right.warmup
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(connect)
            hasher.combine(udp)
            hasher.combine(detail)
        }
    }
}

extension Observation.Extras {
    /// Whether the query's own time is apart from that of the connection that was opened for it.
    fileprivate var tellsSteps: Bool {
        connection == .reused || connect != nil || handshake != nil
    }

    /// Whether the connection was opened for this query of `series`.
    package func isOpening(in series: Series) -> Bool {
        connection.map { $0 != .reused } ?? (series == .first)
    }
}

extension Observation {
    /// The parts of a time, in milliseconds; `nil` where there is no such step.
    package struct Steps: Hashable, Sendable {
        package var connect: Double?
        package var handshake: Double?
        package var query: Double
    }

    /// The steps of an answered query that a connection was opened for, or of a first one; `nil` of others,
    /// and where one time has all steps in it, as other programs may tell.
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
    /// The targets of which an answer may be anybody's, since no certificate was verified.
    package var unverifiedTargets: Set<Target> {
        let indices = Set(
            samples.filter { $0.observation.flags.contains(.unverified) }.map(\.target)
        )
        return Set(indices.map(Int.init).filter(targets.indices.contains).map { targets[$0] })
    }
}

extension Observation {
    package var flags: SampleFlags { extras?.flags ?? [] }

    /// Adds to what is told of it: `edge` is what it took to connect to where the answer led,
    /// `networkRTT` the way to the resolver, both in nanoseconds, `warmup` what its cache had.
    package mutating func add(
        _ flags: SampleFlags = [],
        detail words: Detail? = nil,
        cause: FailureCause? = nil,
        edge: Int64? = nil,
        networkRTT: Int64? = nil,
        warmup: WarmupTally? = nil
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
            warmup: warmup ?? extras?.warmup
        )
    }

    /// The longest time of anything, in nanoseconds: 36,500 days, the longest timeout.
    package static let longestTime: Int64 = 36_500 * 86_400_000_000_000

    /// The same with the texts that others wrote cut to their limits.
    package var withinLimits: Observation {
        var observation = self
        observation.extras = extras?.withinLimits
        return observation
    }
}

extension Observation.Extras {
    /// Limits of the texts, which others wrote: in characters, and in octets.
    package static let longestReason = 120
    package static let longestSite = 128

    /// The same with its texts cut to their limits.
    package var withinLimits: Observation.Extras {
        let isWithin =
            (site?.utf8.count ?? 0) <= Self.longestSite
            && (extendedErrors?.utf8.count ?? 0) <= Self.longestSite
            && detail?.withinLimits == detail
        guard !isWithin else { return self }
        return Observation.Extras(
            connect: connect,
            handshake: handshake,
            udp: udp,
            edge: edge,
            site: site?.cut(toOctets: Self.longestSite),
            extendedErrors: extendedErrors?.cut(toOctets: Self.longestSite),
            connection: connection,
            detail: detail?.withinLimits,
            cause: cause,
            flags: flags,
            networkRTT: networkRTT,
            warmup: warmup
        )
    }
}

extension QueryOutcome {
    /// Outcome of an observation of `series` for speed: nothing where nothing was sent, the name is
    /// filtered, or a file does not tell the time of an answer.
    package init(_ observation: Observation, in series: Series) {
        if observation.outcome == .answered {
            self = observation.answerTime(in: series).map(QueryOutcome.answered) ?? .missing
        } else {
            self = observation.outcome.isMeasured ? .failed : .missing
        }
    }
}

extension String {
    /// At most so many characters, each one of Unicode's; an ellipsis stands for what is cut off.
    package func cut(toCharacters most: Int) -> String {
        guard unicodeScalars.count > most else { return self }
        return String(unicodeScalars.prefix(most - 1)) + "…"
    }

    /// At most so many octets in UTF-8, likewise.
    package func cut(toOctets most: Int) -> String {
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
