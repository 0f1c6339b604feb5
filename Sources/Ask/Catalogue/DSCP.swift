/// A Differentiated Services code point, the mark that asks networks for a treatment of a packet (RFC 2474).
package struct DSCP: TextValue, Hashable, Sendable, Codable, CustomStringConvertible {
    /// From 0 to 63.
    package let value: UInt8

    /// The names of code points (RFC 2474, RFC 2597, RFC 3246, RFC 5865, RFC 8622, RFC 9956).
    private static let names: [String: UInt8] = {
        var names: [String: UInt8] = ["le": 1, "va": 44, "nqb": 45, "ef": 46]
        for level in UInt8(0)...7 { names["cs\(level)"] = level * 8 }
        for level in UInt8(1)...4 {
            for drop in UInt8(1)...3 { names["af\(level)\(drop)"] = level * 8 + drop * 2 }
        }
        return names
    }()

    /// Reads a number from 0 to 63, or a name such as `EF` or `AF41`.
    package init(parsing text: String) throws(CatalogueError) {
        let number = text.utf8.allSatisfy(\.isDigit) ? UInt8(text) : nil
        guard let value = number ?? Self.names[text.lowercased()], value <= 63 else {
            throw .usage(
                "\(text.quoted) is no DSCP: give a number from 0 to 63, or a name such as EF or NQB"
            )
        }
        self.value = value
    }

    package var description: String { String(value) }
}

extension Resolver {
    /// The suffix of the label of a resolver whose queries have a mark.
    private static func suffix(_ mark: DSCP) -> String { "@dscp\(mark)" }

    /// The same resolver, with queries that have `mark`. The label says so, because such queries have their
    /// own history.
    package func marked(_ mark: DSCP) -> Resolver {
        var resolver = self
        resolver.endpoint.mark = mark
        resolver.label += Self.suffix(mark)
        return resolver
    }

    /// The label without the mark of the queries.
    var unmarkedLabel: String {
        guard let mark = endpoint.mark, label.hasSuffix(Self.suffix(mark)) else { return label }
        return String(label.dropLast(Self.suffix(mark).count))
    }
}
