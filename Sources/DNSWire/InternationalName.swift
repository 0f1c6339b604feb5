import Foundation

/// Turns Unicode names into A-labels (UTS #46, non-transitional: ß and ς are kept).
enum InternationalName {
    /// The ASCII form of `text`, which holds at least one character that is not ASCII.
    static func ascii(_ text: String) throws(NameError) -> String {
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        for label in name.split(separator: ".", omittingEmptySubsequences: false) {
            if label.isEmpty {
                throw NameError(
                    name: text,
                    reason: "has an empty label: remove the dot that has nothing before it"
                )
            }
            // Foundation percent-encodes these, and brackets would change what a host is.
            if let odd = label.unicodeScalars.first(where: { $0.isASCII && !isHostScalar($0) }) {
                throw NameError(
                    name: text,
                    reason: "mixes '\(PresentationText.printable(String(odd)))' with "
                        + "characters that are not ASCII: write its A-labels, 'xn--…'"
                )
            }
        }
        if let converted = encoded(name) { return converted }
        let label = name.split(separator: ".").first { !isASCII($0) && encoded(String($0)) == nil }
        let culprit = (label ?? name[...]).unicodeScalars.first { !$0.isASCII }
        throw NameError(
            name: text,
            reason: "cannot be converted at '\(culprit.map { String($0) } ?? name)' (UTS #46): "
                + "correct it, or write its A-label, 'xn--…'"
        )
    }

    private static func encoded(_ name: String) -> String? {
        var components = URLComponents()
        components.host = name
        guard let host = components.encodedHost, !host.isEmpty else { return nil }
        return host.unicodeScalars.allSatisfy(isHostScalar) ? host : nil
    }

    private static func isASCII(_ text: Substring) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private static func isHostScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
