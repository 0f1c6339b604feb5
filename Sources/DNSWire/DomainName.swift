/// A host name that was checked before anything is sent.
///
/// Limits: 63 octets a label and 255 in all, on the wire (RFC 1035 §2.3.4). The case is kept as
/// given, and names that differ in case are different values.
package struct DomainName: Hashable, Sendable, CustomStringConvertible {
    /// The name in presentation form (RFC 1035 §5.1), without a final dot but for the root.
    package let description: String
    /// The uncompressed wire form (RFC 1035 §3.1), with the root's empty label at the end.
    package let wire: [UInt8]

    /// Reads a presentation form: printable ASCII, and `\DDD` for any other octet.
    package init(_ text: String) throws(NameError) {
        wire = try NameParser.wire(of: text)
        description = Self.presentation(of: wire)
    }

    private init(wire: [UInt8]) {
        self.wire = wire
        description = Self.presentation(of: wire)
    }

    /// The same name with other octets at `offset` of the wire form, inside one label.
    func replacing(_ octets: [UInt8], at offset: Int) -> DomainName {
        var wire = wire
        wire.replace(octets, at: offset)
        return DomainName(wire: wire)
    }

    /// The wildcard under this name (RFC 4592 §2.1.1), `*.` before it; throws where that is too long.
    package func wildcard() throws(NameError) -> DomainName {
        try DomainName(wire == [0] ? "*" : "*.\(self)")
    }

    /// The name without its first label; the root's is the root.
    package var parent: DomainName {
        DomainName(wire: wire.count > 1 ? Array(wire[(1 + Int(wire[0]))...]) : wire)
    }

    package static func == (left: DomainName, right: DomainName) -> Bool { left.wire == right.wire }

    package func hash(into hasher: inout Hasher) { hasher.combine(wire) }

    private static func presentation(of wire: [UInt8]) -> String {
        guard wire.count > 1 else { return "." }
        var text = ""
        var left = 0
        for (index, octet) in wire.dropLast().enumerated() {
            if left == 0 {
                left = Int(octet)
                if index > 0 { text += "." }
                continue
            }
            left -= 1
            if octet == UInt8(ascii: ".") || octet == UInt8(ascii: " ") {
                PresentationText.appendEscape(octet, to: &text)
            } else {
                PresentationText.append(octet, to: &text)
            }
        }
        return text
    }
}
