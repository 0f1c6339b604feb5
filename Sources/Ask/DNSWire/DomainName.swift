package import Failures

/// A host name, validated before a query is sent.
///
/// Limits: 63 bytes per label and 255 bytes in total, on the wire (RFC 1035 §2.3.4). The letter
/// case is kept. Names that differ only in the case of ASCII letters are equal (RFC 4343 §3).
package struct DomainName: Hashable, Sendable, CustomStringConvertible {
    /// The name in presentation form (RFC 1035 §5.1). Only the root has a final dot.
    package let description: String
    /// The uncompressed wire form (RFC 1035 §3.1), with the root's empty label at the end.
    package let wire: [UInt8]
    /// The wire form in lower case, for comparisons. It mostly equals ``wire``.
    private let folded: [UInt8]

    /// Reads a presentation form: printable ASCII, `\DDD` for any byte, and `\X` for a printable
    /// character that is not a digit.
    package init(_ text: String) throws(Failure) {
        self.init(wire: try NameParser.wire(of: text))
    }

    /// Creates a name from `wire`, an uncompressed name of at most 255 bytes.
    init(wire: [UInt8]) {
        self.wire = wire
        // Length bytes are below 64, so that they never look like letters.
        folded = wire.contains { $0 != $0.lowercasedASCII } ? wire.map(\.lowercasedASCII) : wire
        description = Self.presentation(of: wire)
    }

    /// The same name with other bytes at `offset` of the wire form. They are inside one label.
    func replacing(_ data: [UInt8], at offset: Int) -> DomainName {
        var wire = wire
        wire.replace(data, at: offset)
        return DomainName(wire: wire)
    }

    /// The wildcard under this name (RFC 4592 §2.1.1), which has `*.` before it. Throws if it is
    /// too long.
    package func wildcard() throws(Failure) -> DomainName {
        try DomainName(wire == [0] ? "*" : "*.\(self)")
    }

    /// The name without its first label. The parent of the root is the root.
    package var parent: DomainName {
        DomainName(wire: wire.count > 1 ? Array(wire[(1 + Int(wire[0]))...]) : wire)
    }

    package static func == (left: DomainName, right: DomainName) -> Bool {
        left.folded == right.folded
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    private static func presentation(of wire: [UInt8]) -> String {
        guard wire.count > 1 else { return "." }
        var text = ""
        var left = 0
        for (index, byte) in wire.dropLast().enumerated() {
            if left == 0 {
                left = Int(byte)
                if index > 0 { text += "." }
                continue
            }
            left -= 1
            switch byte {
            // A colon is escaped too: a name with `://` would be rejected as a URL when it is read
            // again.
            case UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: ":"):
                PresentationText.appendEscape(byte, to: &text)
            default: PresentationText.append(byte, to: &text)
            }
        }
        return text
    }
}

extension UInt8 {
    /// The byte, with a capital ASCII letter converted to lower case.
    var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

extension DomainName: Codable {
    /// Reads the presentation form.
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Parses the presentation form of a name (RFC 1035 §5.1), more strictly than ldns does.
struct NameParser {
    private let text: String
    private var wire: [UInt8] = []
    private var label: [UInt8] = []

    private init(_ text: String) { self.text = text }

    /// The wire form of `text`. Unicode is rejected, because Foundation converts it (UTS #46) only
    /// if it is linked dynamically, and a release is linked statically.
    static func wire(of text: String) throws(Failure) -> [UInt8] {
        var parser = NameParser(text)
        guard !text.isEmpty else {
            throw parser.fault("is empty: write a name, or '.' for the root")
        }
        if text == "." { return [0] }
        // A slash without the colon may be intended (RFC 2317).
        if let scheme = text.firstRange(of: "://") {
            let host = text[scheme.upperBound...].prefix { !"/:?#".contains($0) }
            throw parser.fault(
                "is a URL: did you mean '\(PresentationText.printable(String(host)))'?"
            )
        }
        if let odd = text.first(where: { !$0.isASCII }) {
            throw parser.fault(
                "contains '\(PresentationText.printable(String(odd)))', which is not ASCII: "
                    + "write the A-label, 'xn--…'"
            )
        }
        try parser.read()
        return parser.wire
    }

    /// `reason` is a clause that follows the text, such as `is empty`.
    private func fault(_ reason: String) -> Failure {
        .usage("'\(PresentationText.printable(text))' \(reason)")
    }

    private mutating func read() throws(Failure) {
        var data = text.utf8.makeIterator()
        while let byte = data.next() {
            switch byte {
            case UInt8(ascii: "."): try endLabel()
            case UInt8(ascii: "\\"):
                guard let value = Self.escape(&data) else {
                    throw fault("has a backslash without three digits up to 255: write '\\DDD'")
                }
                label.append(value)
            case 0x21...0x7e: label.append(byte)
            default:
                var escape = ""
                PresentationText.appendEscape(byte, to: &escape)
                let what = byte == 0x20 ? "a space" : "a control character"
                throw fault("contains \(what): remove it, or write '\(escape)' if it is intended")
            }
        }
        if !label.isEmpty { try endLabel() }
        wire.append(0)
        guard wire.count <= 255 else {
            throw fault("takes \(wire.count) bytes on the wire: shorten it to 255")
        }
    }

    private mutating func endLabel() throws(Failure) {
        guard !label.isEmpty else {
            throw fault("has an empty label: remove the dot that has nothing before it")
        }
        guard label.count <= 63 else {
            throw fault("has a label of \(label.count) bytes: shorten it to 63")
        }
        wire.append(UInt8(label.count))
        wire += label
        label.removeAll(keepingCapacity: true)
    }

    private static func escape(_ data: inout String.UTF8View.Iterator) -> UInt8? {
        guard let first = data.next() else { return nil }
        guard (0x30...0x39).contains(first) else {
            return (0x20...0x7e).contains(first) ? first : nil
        }
        var value = Int(first - 0x30)
        for _ in 0..<2 {
            guard let digit = data.next(), (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return UInt8(exactly: value)
    }
}
