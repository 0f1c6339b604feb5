package import Failures

/// A query that no cache can contain. Each query asks for a new random label, directly under one
/// zone.
///
/// With one label, minimised names cost no extra round trips (RFC 9156). A negative answer for one
/// name does not cover the next name (RFC 8020). The label comes from the system's randomness and
/// not from a seed, because a repeated label would be cached.
package struct UncachedQuery: Sendable {
    /// The prefix of every label. It identifies the queries in logs of name servers.
    package static let labelPrefix = "dnstempo-"

    /// The number of random characters after the prefix, with five bits each.
    private static let randomCount = 16
    /// Base32 (RFC 4648 §6), in lower case.
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    private let template: Query

    /// Throws if the zone's name leaves no room for the label.
    package init(
        under zone: DomainName,
        type: RecordType,
        options: QueryOptions = QueryOptions()
    ) throws(Failure) {
        let label = Self.labelPrefix + String(repeating: "a", count: Self.randomCount)
        let name: DomainName
        do {
            name = try DomainName(zone.wire == [0] ? label : "\(label).\(zone)")
        } catch {
            throw .usage(
                "the query for \(zone) leaves no room for a label of \(label.utf8.count) bytes"
            )
        }
        template = try Query(Question(name: name, type: type), options: options)
    }

    /// A query for a name that was never queried before.
    package func next() -> Query {
        var generator = SystemRandomNumberGenerator()
        var bits = [generator.next(), generator.next()] as [UInt64]
        var bytes: [UInt8] = []
        for index in 0..<Self.randomCount {
            let word = index % 2
            bytes.append(Self.alphabet[Int(bits[word] & 31)])
            bits[word] >>= 5
        }
        return template.replacing(bytes, at: 1 + Self.labelPrefix.utf8.count)
    }
}
