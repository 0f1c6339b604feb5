/// A human-readable text about one query: why it failed, and what was ignored during the wait.
///
/// The text may contain words of the other side, so that the program must not draw conclusions from it.
/// Details can only be joined, cut, printed and stored.
package struct Detail: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ words: String) { description = words }

    /// A description of the resolver's tampering. The sample also has the flag.
    package init(tampering words: String) { description = Self.tampering + words }

    /// `details` joined into one; `nil` without any.
    init?(joining details: [Detail]) {
        guard let first = details.first else { return nil }
        self =
            details.count == 1
            ? first : Detail(details.map(\.description).joined(separator: Self.separator))
    }

    /// The same detail, cut to 200 characters.
    var withinLimits: Detail { Detail(description.cut(toCharacters: 200)) }

    fileprivate static let separator = "; "
    fileprivate static let tampering = "untruth: "
}

// Files and stores keep two facts in the text of the detail, because they have no other place for them. Only
// this file reads the facts from the text.

extension Observation.Extras {
    /// The description of the resolver's tampering; `nil` for most samples. It is read only if the flag is
    /// set, because the other side can write the same words.
    package var tampering: String? {
        guard flags.contains(.tampering), let words = detail?.description else { return nil }
        return words.split(separator: Detail.separator).last { $0.hasPrefix(Detail.tampering) }
            .map { String($0.dropFirst(Detail.tampering.count)) }
    }
}

extension SampleFlags {
    /// Each flag, with the words in the detail that expressed it before flags existed.
    package static let wordsInDetail: [(flag: SampleFlags, word: String)] = [
        (.unverified, "certificate not verified"), (.strays, "ignored"),
        (.clockStep, "the clock was set"), (.noEvidence, "no evidence"),
        (.slept, "the machine slept"), (.tampering, Detail.tampering),
    ]

    /// The flags in the words of a detail. The detail was written before flags existed.
    package init(detail: Detail?) {
        self = Self.wordsInDetail.reduce(into: []) { flags, entry in
            guard let words = detail?.description.utf8 else { return }
            if words.contains(bytes: entry.word.utf8) { flags.insert(entry.flag) }
        }
    }
}
