package import DNSWire

/// How a query ended.
package enum Outcome: UInt8, Hashable, Sendable, NamedCase {
    /// NOERROR or NXDOMAIN.
    case answered
    /// Another response code.
    case failed
    /// No answer before the timeout.
    case timeout
    /// ICMP said so, the connection was refused, or there is no route to this resolver.
    case unreachable
    /// A response to this query that is not a valid message.
    case malformed
    /// The answer blocks the name; it says nothing of speed.
    case filtered
    /// No route to any resolver of the round; nothing was sent.
    case offline
    /// The destination lies outside the networks that are allowed; nothing was sent.
    case blocked
    /// An answer that is not what was expected of its name.
    case wrong

    package static let words = [
        "answered", "failed", "timeout", "unreachable", "malformed", "filtered", "offline",
        "blocked", "wrong",
    ]

    /// Whether the query left, as far as the outcome tells.
    package var wasSent: Bool { self != .offline && self != .blocked }

    /// Whether a query that ended so says something of speed: it was sent, and not filtered.
    package var isMeasured: Bool { wasSent && self != .filtered }

    /// Whether something came back that belongs to the query.
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

/// The answers and connections that a query is meant to meet.
package enum Series: UInt8, Hashable, Sendable, Codable, NamedCase {
    /// A name that the resolver has in its cache, on a connection that stands where there is one.
    case cached
    /// A name that no resolver can know.
    case uncached
    /// A cached name, asked on an encrypted connection that is opened for it.
    case first
    /// A name that is asked once, whether the resolver has it in its cache or not.
    case asFound
    /// A cached name as a browser asks for it: A, HTTPS and perhaps AAAA together. Its samples are the
    /// queries, its figures those of look-ups: see ``CountedSamples``.
    case browser

    package static let words = ["cached", "uncached", "first", "as-found", "browser"]

    /// In the order of reports: what a user meets comes first.
    package static let allCases: [Series] = [.asFound, .browser, .cached, .uncached, .first]

    /// The place in a report.
    package var order: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

    /// Whether it asks the plan's own names, which a cache may have.
    package var asksCachedNames: Bool { self != .uncached }
}

/// Where an answer came from, as its TTL tells.
package enum CacheState: UInt8, Hashable, Sendable, NamedCase {
    case hit, miss

    package static let words = ["hit", "miss"]
}

extension ConnectionUse: NamedCase {
    package static let words = ["new", "reused", "resumed", "early"]
}

/// One query and its outcome. Compact, since runs have hundreds of thousands; texts that many
/// samples share stand once in the ``Recording``.
package struct Sample: Hashable, Sendable {
    /// Index into ``Recording/rounds``.
    package var round: Int32
    /// Index into ``Recording/targets``.
    package var target: Int32
    /// Index into ``Recording/questions``.
    package var question: Int32
    /// When the plan wanted it sent.
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

    /// When it left, or should have.
    package var moment: Timestamp { observation.sent ?? scheduled }
}

/// The facts that tell one sample of a round from another, wherever both come from.
package struct SampleKey: Hashable, Sendable {
    /// The number of its target and question.
    let probe: Int64
    let scheduled: Timestamp
    let sent: Timestamp?

    package init(probe: Int64, scheduled: Timestamp, sent: Timestamp?) {
        self.probe = probe
        self.scheduled = scheduled
        self.sent = sent
    }
}

/// A closed set of words, as files and figures write them: ``description`` is the word.
package protocol NamedCase: CaseIterable, LosslessStringConvertible, RawRepresentable<UInt8> {
    /// By the cases' numbers.
    static var words: [String] { get }
}

extension NamedCase {
    package var description: String { Self.words[Int(rawValue)] }

    /// The case of that word, in exactly this spelling.
    package init?(_ word: String) {
        guard let found = Self.words.firstIndex(of: word) else { return nil }
        self.init(rawValue: UInt8(found))
    }
}

/// Options that files write as words, with a space between them.
package protocol NamedOptions: OptionSet where Element == Self {
    /// Each with its word, which never changes.
    static var words: [(Self, String)] { get }
}

extension NamedOptions {
    /// The words; `nil` without any.
    package var text: String? {
        let words = Self.words.filter { contains($0.0) }.map(\.1)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Reads ``text``; what a later version may say is passed over.
    package init(text: String) {
        let words = text.split(separator: " ")
        self = Self.words.reduce(into: []) { options, entry in
            if words.contains(entry.1[...]) { options.insert(entry.0) }
        }
    }
}

/// Facts of a query besides its figures. Only this program says them, never the other end.
package struct SampleFlags: NamedOptions, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Whoever answered: no certificate was verified.
    package static let unverified = SampleFlags(rawValue: 1)
    /// While it waited, messages came that were no answer to it.
    package static let strays = SampleFlags(rawValue: 2)
    /// The system's clock was set between its two stamps.
    package static let clockStep = SampleFlags(rawValue: 4)
    /// Its round is no evidence.
    package static let noEvidence = SampleFlags(rawValue: 8)
    /// The machine slept in its round: of files and stores in which rounds have no marks.
    package static let slept = SampleFlags(rawValue: 16)
    /// The resolver was found not to tell the truth; the detail says how.
    package static let tampering = SampleFlags(rawValue: 32)

    /// The response has no address, though one was asked for; in the browser series.
    package static let negative = SampleFlags(rawValue: 64)
    /// The response has the name in other letter case than the query.
    package static let caseChanged = SampleFlags(rawValue: 256)
    /// The response has bytes after its last record.
    package static let trailingBytes = SampleFlags(rawValue: 512)

    package static let words: [(SampleFlags, String)] = [
        (.unverified, "unverified"), (.strays, "strays"), (.clockStep, "clock-step"),
        (.noEvidence, "no-evidence"), (.slept, "slept"), (.tampering, "tampering"),
        (.negative, "negative"), (.caseChanged, "case-changed"),
        (.trailingBytes, "trailing-bytes"),
    ]
}
