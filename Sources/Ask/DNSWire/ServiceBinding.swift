/// The place and protocols of a service: the data of an SVCB record (RFC 9460 §2.2).
package struct ServiceBinding: Hashable, Sendable {
    /// The priority. Clients try the lowest number first; 0 is an alias of the target (§2.4.2).
    package var priority: UInt16
    /// The name of the server, without the final dot; empty for the owner name itself.
    package var target: String
    /// The ALPN names of the supported protocols (RFC 7301), such as `dot` or `h2`; escaped.
    package var protocols: [String] = []
    package var port: UInt16?
    /// IPv4 addresses, then IPv6 addresses, in network order.
    package var addresses: [[UInt8]] = []
    /// The URI template of the path for DNS over HTTPS (RFC 9461 §5), such as `/dns-query{?dns}`;
    /// escaped.
    package var path: String?
    /// Whether the binding requires a parameter that is unknown here. It is then not usable (§8).
    package var isUnusable = false

    /// The keys of parameters (§14.3.2).
    private enum Key {
        static let mandatory: UInt16 = 0
        static let protocols: UInt16 = 1
        static let noDefaultProtocol: UInt16 = 2
        static let port: UInt16 = 3
        static let addresses4: UInt16 = 4
        static let addresses6: UInt16 = 6
        static let path: UInt16 = 7

        static let known: Set = [
            mandatory, protocols, noDefaultProtocol, port, addresses4, addresses6, path,
        ]
    }
}

extension ServiceBinding {
    /// Reads the data of one record.
    init(_ data: [UInt8]) throws(Malformation) {
        var reader = BindingReader(data)
        priority = try reader.number()
        target = try reader.name()
        var last: UInt16?
        while !reader.isAtEnd {
            let key = try reader.number()
            // §2.2: keys are in ascending order, without repetitions.
            guard last.map({ $0 < key }) ?? true else {
                throw Malformation("has SVCB data whose parameters are out of order")
            }
            last = key
            let value = try reader.bytes(Int(reader.number()))
            // §2.4.2: the parameters of an alias are ignored.
            if priority > 0 { try take(key, BindingReader(value)) }
        }
    }

    private mutating func take(_ key: UInt16, _ value: BindingReader) throws(Malformation) {
        var value = value
        switch key {
        case Key.mandatory:
            repeat {
                if !Key.known.contains(try value.number()) { isUnusable = true }
            } while !value.isAtEnd
        case Key.protocols:
            repeat {
                let name = try value.bytes(Int(value.byte()))
                guard !name.isEmpty else { throw BindingReader.cutShort }
                protocols.append(PresentationText.escaped(name))
            } while !value.isAtEnd
        case Key.port:
            port = try value.number()
            guard value.isAtEnd else { throw BindingReader.cutShort }
        case Key.addresses4, Key.addresses6:
            repeat {
                addresses.append(try value.bytes(key == Key.addresses4 ? 4 : 16))
            } while !value.isAtEnd
        case Key.path:
            path = PresentationText.escaped(value.rest)
        default:
            return
        }
    }
}

/// Reads the fields of a record's data one after the other.
private struct BindingReader {
    private let data: [UInt8]
    private var position = 0

    static let cutShort = Malformation("has SVCB data that is cut short or too long")

    init(_ data: [UInt8]) { self.data = data }

    var isAtEnd: Bool { position == data.count }
    var rest: [UInt8] { Array(data[position...]) }

    mutating func bytes(_ count: Int) throws(Malformation) -> [UInt8] {
        guard count <= data.count - position else { throw Self.cutShort }
        defer { position += count }
        return Array(data[position..<position + count])
    }

    mutating func byte() throws(Malformation) -> UInt8 { try bytes(1)[0] }

    mutating func number() throws(Malformation) -> UInt16 {
        let bytes = try bytes(2)
        return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    }

    /// Reads a name without pointers, which are not allowed here (RFC 9460 §2.2).
    mutating func name() throws(Malformation) -> String {
        var labels: [String] = []
        var size = 1
        while true {
            let count = Int(try byte())
            guard count > 0 else { return labels.joined(separator: ".") }
            size += count + 1
            guard count < 64, size <= 255 else {
                throw Malformation("has SVCB data with a broken name")
            }
            let label = PresentationText.escaped(try bytes(count))
            labels.append(label.replacing(".", with: "\\046"))
        }
    }
}
