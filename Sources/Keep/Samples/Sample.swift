package import DNSWire

/// The outcome of a query.
package enum Outcome: UInt8, Hashable, Sendable, NamedCase {
    /// A response with NOERROR or NXDOMAIN.
    case answered
    /// A response with another response code.
    case failed
    /// No answer before the timeout.
    case timeout
    /// ICMP reported the resolver as unreachable, the connection was refused, or there is no route to this
    /// resolver.
    case unreachable
    /// A response to this query that is not a valid message.
    case malformed
    /// The answer blocks the name. It contains no information about speed.
    case filtered
    /// No route to any resolver of the round; nothing was sent.
    case offline
    /// The destination is outside the allowed networks; nothing was sent.
    case blocked
    /// An answer that differs from the expected answer for its name.
    case wrong

    package static let words = [
        "answered", "failed", "timeout", "unreachable", "malformed", "filtered", "offline",
        "blocked", "wrong",
    ]

    /// Whether the query was sent, according to the outcome.
    package var wasSent: Bool { self != .offline && self != .blocked }

    /// Whether a query with this outcome contributes to latency figures: it was sent, and its answer was not
    /// filtered.
    package var isMeasured: Bool { wasSent && self != .filtered }

    /// Whether a response to the query was received.
    package var isResponse: Bool {
        switch self {
        case .answered, .failed, .malformed, .filtered, .wrong: true
        case .timeout, .unreachable, .offline, .blocked: false
        }
    }
}

extension ClockSource: NamedCase {
    package static let words = ["kernel", "kernel-rx", "user"]
}

/// The kind of answers and connections that a query is meant to measure.
package enum Series: UInt8, Hashable, Sendable, Codable, NamedCase {
    /// A name in the resolver's cache, over an open connection if the transport uses one.
    case cached
    /// A name that no resolver can have in its cache.
    case uncached
    /// A cached name, over an encrypted connection that is opened for this query.
    case first
    /// A name that is queried once, whether or not it is in the resolver's cache.
    case asFound
    /// A cached name as a browser queries it: A, HTTPS and optionally AAAA together. The samples are queries,
    /// and the figures are those of look-ups, see ``CountedSamples``.
    case browser
    /// A cached name, while the user's own load fills the line.
    case loaded
    /// The same as ``loaded``, with queries that are marked with a DSCP.
    case loadedMarked

    package static let words = [
        "cached", "uncached", "first", "as-found", "browser", "loaded", "loaded-marked",
    ]

    /// The series in the order of reports. The series that users experience come first.
    package static let allCases: [Series] = [
        .asFound, .browser, .cached, .loaded, .loadedMarked, .uncached, .first,
    ]

    /// The position in a report.
    package var order: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

    /// Whether the series queries the plan's own names, which may be in a cache.
    package var asksCachedNames: Bool { self != .uncached }

    /// Whether the line is loaded during the queries.
    package var isLoaded: Bool { self == .loaded || self == .loadedMarked }
}

/// The origin of an answer, according to its TTL.
package enum CacheState: UInt8, Hashable, Sendable, NamedCase {
    case hit, miss

    package static let words = ["hit", "miss"]
}

extension ConnectionUse: NamedCase {
    package static let words = ["new", "reused", "resumed", "early"]
}

/// One query and its outcome. The type is compact, because runs have hundreds of thousands of samples. The
/// ``Recording`` contains shared texts once.
package struct Sample: Hashable, Sendable {
    /// Index into ``Recording/rounds``.
    package var round: Int32
    /// Index into ``Recording/targets``.
    package var target: Int32
    /// Index into ``Recording/questions``.
    package var question: Int32
    /// The planned time of sending.
    package var scheduled: Timestamp
    package var observation: Observation

    package init(
        round: Int32,
        target: Int32,
        question: Int32,
        scheduled: Timestamp,
        observation: Observation
    ) {
        self.round = round
        self.target = target
        self.question = question
        self.scheduled = scheduled
        self.observation = observation
    }

    /// The time of sending, or the planned time if the query was not sent.
    package var moment: Timestamp { observation.sent ?? scheduled }
}

/// The values that identify a sample within a round, independent of its source.
package struct SampleKey: Hashable, Sendable {
    /// A number that combines target and question.
    let probe: Int64
    let scheduled: Timestamp
    let sent: Timestamp?

    package init(probe: Int64, scheduled: Timestamp, sent: Timestamp?) {
        self.probe = probe
        self.scheduled = scheduled
        self.sent = sent
    }
}

/// A closed set of words in files and figures. ``description`` is the word.
package protocol NamedCase: CaseIterable, LosslessStringConvertible, RawRepresentable<UInt8> {
    /// The words, by the cases' numbers.
    static var words: [String] { get }
}

extension NamedCase {
    package var description: String { Self.words[Int(rawValue)] }

    /// The case with exactly this word.
    package init?(_ word: String) {
        guard let found = Self.words.firstIndex(of: word) else { return nil }
        self.init(rawValue: UInt8(found))
    }
}

/// Options that files write as words, separated by spaces.
package protocol NamedOptions: OptionSet where Element == Self {
    /// Each option with its word, which never changes.
    static var words: [(Self, String)] { get }
}

extension NamedOptions {
    /// The words of the options; `nil` without any.
    package var text: String? {
        let words = Self.words.filter { contains($0.0) }.map(\.1)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Reads ``text``. Unknown words of later versions are ignored.
    package init(text: String) {
        let words = text.split(separator: " ")
        self = Self.words.reduce(into: []) { options, entry in
            if words.contains(entry.1[...]) { options.insert(entry.0) }
        }
    }
}

/// Facts about a query in addition to its figures. Only this program sets them, never the other side.
package struct SampleFlags: NamedOptions, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The server was not authenticated, because no certificate was verified.
    package static let unverified = SampleFlags(rawValue: 1)
    /// Messages that did not answer the query arrived during the wait.
    package static let strays = SampleFlags(rawValue: 2)
    /// The system's clock was set between the two stamps of the query.
    package static let clockStep = SampleFlags(rawValue: 4)
    /// The query's round is not used as evidence.
    package static let noEvidence = SampleFlags(rawValue: 8)
    /// The machine was suspended during the round. Only files and stores without marks of rounds use this
    /// flag.
    package static let slept = SampleFlags(rawValue: 16)
    /// The resolver was found to tamper with answers; the detail describes how.
    package static let tampering = SampleFlags(rawValue: 32)

    /// The response contains no address although an address was requested; in the browser series.
    package static let negative = SampleFlags(rawValue: 64)
    /// The name in the response has another letter case than in the query.
    package static let caseChanged = SampleFlags(rawValue: 256)
    /// The response has bytes after its last record.
    package static let trailingBytes = SampleFlags(rawValue: 512)
    /// The server rejected the query as early data, so that the query was sent again after the handshake.
    package static let earlyRefused = SampleFlags(rawValue: 1024)

    package static let words: [(SampleFlags, String)] = [
        (.unverified, "unverified"), (.strays, "strays"), (.clockStep, "clock-step"),
        (.noEvidence, "no-evidence"), (.slept, "slept"), (.tampering, "tampering"),
        (.negative, "negative"), (.caseChanged, "case-changed"),
        (.trailingBytes, "trailing-bytes"), (.earlyRefused, "early-refused"),
    ]
}
