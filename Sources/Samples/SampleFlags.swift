/// What is known of a query besides its figures. Only this program says it, never the other end.
package struct SampleFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Whoever answered: no certificate was verified.
    package static let unverified = SampleFlags(rawValue: 1)
    /// While it waited, messages came that were no answer to it.
    package static let strays = SampleFlags(rawValue: 2)
    /// The system's clock was set between its two stamps.
    package static let clockStep = SampleFlags(rawValue: 4)
    /// Its round is no evidence.
    package static let noEvidence = SampleFlags(rawValue: 8)
    /// The machine slept in its round.
    package static let slept = SampleFlags(rawValue: 16)
    /// The resolver was found not to tell the truth; the detail says how.
    package static let tampering = SampleFlags(rawValue: 32)

    /// Each with its word in samples files, which never changes, and with what the detail said of
    /// it in files and stores that have no flags yet.
    private static let words: [(flag: SampleFlags, word: String, inDetail: String)] = [
        (.unverified, "unverified", "certificate not verified"),
        (.strays, "strays", "ignored"),
        (.clockStep, "clock-step", "the clock was set"),
        (.noEvidence, "no-evidence", "no evidence"),
        (.slept, "slept", "the machine slept"),
        (.tampering, "tampering", "untruth: "),
    ]

    /// Each with what the detail said of it before there were flags.
    package static let wordsInDetail = words.map { (flag: $0.flag, word: $0.inDetail) }

    /// The words, with a space between them; `nil` without any.
    package var text: String? {
        guard !isEmpty else { return nil }
        return Self.words.filter { contains($0.flag) }.map(\.word).joined(separator: " ")
    }

    /// Reads ``text``; what a later version may say is passed over.
    package init(text: String) {
        let words = text.split(separator: " ")
        self = Self.words.reduce(into: []) { flags, entry in
            if words.contains(entry.word[...]) { flags.insert(entry.flag) }
        }
    }

    /// What a detail tells that was written before there were flags.
    package init(detail: String?) {
        self = Self.words.reduce(into: []) { flags, entry in
            guard let detail else { return }
            if detail.utf8.contains(entry.inDetail.utf8) { flags.insert(entry.flag) }
        }
    }
}
