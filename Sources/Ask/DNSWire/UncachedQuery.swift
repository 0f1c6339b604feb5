package import Failures

/// A query that no cache can know: each sending asks for a random label of its own, directly under
/// one zone.
///
/// One label deep costs no extra round trips with minimised names (RFC 9156), and no answer for a
/// name that does not exist covers the next one (RFC 8020). The label is drawn from the system's
/// randomness and from no seed: asked a second time it would be cached.
package struct UncachedQuery: Sendable {
    /// The beginning of every label, for those who read name servers' logs.
    package static let labelPrefix = "dnstempo-"

    /// Behind the prefix, five random bits each.
    private static let randomCount = 16
    /// RFC 4648 §6, in lower case.
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    private let template: Query

    /// Throws where the zone's name leaves no room for the label.
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
                "the query for \(zone) leaves no room for a label of \(label.utf8.count) octets"
            )
        }
        template = try Query(Question(name: name, type: type), options: options)
    }

    /// The query for a name that was never asked before.
    package func next() -> Query {
        var generator = SystemRandomNumberGenerator()
        var bits = [generator.next(), generator.next()] as [UInt64]
        var octets: [UInt8] = []
        for index in 0..<Self.randomCount {
            let word = index % 2
            octets.append(Self.alphabet[Int(bits[word] & 31)])
            bits[word] >>= 5
        }
        return template.replacing(octets, at: 1 + Self.labelPrefix.utf8.count)
    }
}
