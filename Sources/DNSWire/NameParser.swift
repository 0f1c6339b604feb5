/// Reads the presentation form of a name (RFC 1035 §5.1), more strictly than ldns does.
struct NameParser {
    private var wire: [UInt8] = []
    private var label: [UInt8] = []

    /// The wire form of `text`. Unicode is refused: Foundation converts it (UTS #46) only where it
    /// is linked dynamically, and a release is not.
    static func wire(of text: String) throws(NameError) -> [UInt8] {
        guard !text.isEmpty else {
            throw NameError(name: text, reason: "is empty: write a name, or '.' for the root")
        }
        if text == "." { return [0] }
        if let odd = text.first(where: { !$0.isASCII }) {
            throw NameError(
                name: text,
                reason:
                    "contains '\(PresentationText.printable(String(odd)))', which is not ASCII: "
                    + "write the A-label, 'xn--…'"
            )
        }
        var parser = NameParser()
        try parser.read(text)
        return parser.wire
    }

    private mutating func read(_ text: String) throws(NameError) {
        var octets = text.utf8.makeIterator()
        while let octet = octets.next() {
            switch octet {
            case UInt8(ascii: "."): try endLabel(of: text)
            case UInt8(ascii: "\\"):
                guard let value = Self.escape(&octets) else {
                    throw NameError(
                        name: text,
                        reason: "has a backslash without three digits up to 255: write '\\DDD'"
                    )
                }
                label.append(value)
            case 0x21...0x7e: label.append(octet)
            default:
                var escape = ""
                PresentationText.appendEscape(octet, to: &escape)
                let what = octet == 0x20 ? "a space" : "a control character"
                throw NameError(
                    name: text,
                    reason: "contains \(what): remove it, or write '\(escape)' if it is meant"
                )
            }
        }
        if !label.isEmpty { try endLabel(of: text) }
        wire.append(0)
        guard wire.count <= 255 else {
            throw NameError(
                name: text,
                reason: "takes \(wire.count) octets on the wire: shorten it to 255"
            )
        }
    }

    private mutating func endLabel(of text: String) throws(NameError) {
        guard !label.isEmpty else {
            throw NameError(
                name: text,
                reason: "has an empty label: remove the dot that has nothing before it"
            )
        }
        guard label.count <= 63 else {
            throw NameError(
                name: text,
                reason: "has a label of \(label.count) octets: shorten it to 63"
            )
        }
        wire.append(UInt8(label.count))
        wire += label
        label.removeAll(keepingCapacity: true)
    }

    private static func escape(_ octets: inout String.UTF8View.Iterator) -> UInt8? {
        var value = 0
        for _ in 0..<3 {
            guard let digit = octets.next(), (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return UInt8(exactly: value)
    }
}
