/// Words for people on one query: why it failed, and what was ignored while waiting.
///
/// They may be words of the other end, so that nothing is concluded from them: they can be joined, cut,
/// printed and stored.
package struct Detail: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ words: String) { description = words }

    /// The way in which a resolver was found not to tell the truth. The sample has the flag too.
    package init(tampering words: String) { description = Self.tampering + words }

    /// `details` one after the other; `nil` without any.
    init?(joining details: [Detail]) {
        guard let first = details.first else { return nil }
        self =
            details.count == 1
            ? first : Detail(details.map(\.description).joined(separator: Self.separator))
    }

    /// The same, cut to 200 characters.
    var withinLimits: Detail { Detail(description.cut(toCharacters: 200)) }

    fileprivate static let separator = "; "
    fileprivate static let tampering = "untruth: "
}

// Two facts are in the words of files and stores, which have no other place for them. They are read
// here and nowhere else.

extension Observation.Extras {
    /// The way in which the resolver was found not to tell the truth; `nil` of most samples. Only with the
    /// flag, since the other end can write the same words.
    package var tampering: String? {
        guard flags.contains(.tampering), let words = detail?.description else { return nil }
        return words.split(separator: Detail.separator).last { $0.hasPrefix(Detail.tampering) }
            .map { String($0.dropFirst(Detail.tampering.count)) }
    }
}

extension SampleFlags {
    /// Each with what the detail said of it before there were flags.
    package static let wordsInDetail: [(flag: SampleFlags, word: String)] = [
        (.unverified, "certificate not verified"), (.strays, "ignored"),
        (.clockStep, "the clock was set"), (.noEvidence, "no evidence"),
        (.slept, "the machine slept"), (.tampering, Detail.tampering),
    ]

    /// The flags in a detail that was written before there were any.
    package init(detail: Detail?) {
        self = Self.wordsInDetail.reduce(into: []) { flags, entry in
            guard let words = detail?.description.utf8 else { return }
            if words.contains(entry.word.utf8) { flags.insert(entry.flag) }
        }
    }
}
