/// The path of a request and what stands behind its `?`, decoded (RFC 3986 §3.3, §3.4).
struct RequestTarget: Hashable, Sendable {
    let path: String
    /// In their order; of several of one name the last counts.
    private let pairs: [Pair]

    struct Pair: Hashable, Sendable {
        var name: String
        var value: String
    }

    init(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.decoded(parts[0].split(separator: "#").first ?? "", plusIsSpace: false) ?? ""
        let query = parts.count > 1 ? parts[1] : ""
        pairs = query.split(separator: "&").compactMap { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0], plusIsSpace: true),
                let value = Self.decoded(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
            else { return nil }
            return Pair(name: name, value: value)
        }
    }

    private init(path: String, pairs: [Pair]) {
        self.path = path
        self.pairs = pairs
    }

    subscript(name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// With another value of `name`, or without any.
    func setting(_ name: String, to value: String?) -> RequestTarget {
        let others = pairs.filter { $0.name != name }
        return RequestTarget(
            path: path,
            pairs: others + (value.map { [Pair(name: name, value: $0)] } ?? [])
        )
    }

    /// As it stands in an address.
    var text: String {
        let query = pairs.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
            .joined(separator: "&")
        let path = path.split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.encoded(String($0)) }.joined(separator: "/")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    private static let unreserved = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8
    )

    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, octet in
            if unreserved.contains(octet) {
                result.unicodeScalars.append(Unicode.Scalar(octet))
            } else {
                let digits = String(octet, radix: 16, uppercase: true)
                result += octet < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }

    /// `nil` where it is no text.
    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var octets: [UInt8] = []
        var rest = text.utf8[...]
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                guard digits.count == 2, let text = String(digits), text.first != "+",
                    let value = UInt8(text, radix: 16)
                else { return nil }
                octets.append(value)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+") where plusIsSpace: octets.append(UInt8(ascii: " "))
            default: octets.append(octet)
            }
        }
        return String(validating: octets, as: UTF8.self)
    }
}
