import Catalogue
import DNSWire
import Failures
import Samples
import Statistics

/// The names that an as-found run queries once each.
struct FoundNamesChoice {
    private let options: RunOptions
    private let isGiven: Bool

    private static let usualCount = 600

    /// The minimum number of names for a verdict: twenty rounds of ten.
    private static let fewest = 200

    init(_ options: RunOptions) {
        self.options = options
        isGiven = options[.domains] != nil
    }

    /// The number of names to query, if the list has as many.
    static func count(_ options: RunOptions) -> Int { options[.names] ?? usualCount }

    /// Names of the list in random order from `seed`, and the notes about them. It excludes names
    /// that this machine may have put into the caches.
    func names(
        seed: UInt64,
        but asked: Set<String>
    ) throws -> (names: [DomainName], notes: [String]) {
        let all =
            isGiven
            ? try AskedNames(options).untyped(for: .asFound)
            : try NameList.bundledPopular().entries.map { try DomainName($0.name) }
        var random = RandomSequence(seed: seed, part: .max)
        var order = Array(all.indices)
        random.shuffle(&order)
        let fresh = order.map { all[$0] }
            .filter { !asked.contains($0.description.lowercased()) }
        guard !fresh.isEmpty else {
            throw Failure.usage(
                "--series as-found: all \(all.count.counted("name")) of the list were asked from here "
                    + "in the last 24 hours or within their TTL, and may be in the caches; "
                    + "give another list with --domains, or wait"
            )
        }
        let names = Array(fresh.prefix(Self.count(options)))
        let left = all.count - fresh.count
        var notes: [String] = []
        if left > 0 {
            notes.append(
                "left out \(left.counted("name")) that were asked from here in the last 24 hours or "
                    + "within their TTL"
            )
        }
        if names.count < Self.fewest {
            notes.append(
                "as-found: a verdict needs at least \(Self.fewest) names, and there "
                    + (names.count == 1 ? "is 1" : "are \(names.count)")
            )
        }
        return (names, notes)
    }
}
