import Analysis
import Catalogue
import Charts
import DNSWire
import Samples
import Statistics

/// The rows of one series in the order in which they are shown.
struct ResolverGroups {
    /// The rows. With several transports per resolver, they are grouped by resolver, the resolver
    /// with the best row first. In each group the transports start with UDP. Otherwise the rows are
    /// in the order of their ranking.
    let rows: [ResolverSummary]
    /// Whether a resolver of the rows was asked over several transports, in any series.
    let isGrouped: Bool

    /// Groups the `rows` of a series of `targets`. The best row comes first.
    init(_ rows: [ResolverSummary], of targets: [Recording.Target]) {
        let labels = Set(rows.map(\.target.label))
        isGrouped = targets.filter { labels.contains($0.label) }.haveSeveralTransports
        self.rows = isGrouped ? Self.arranged(rows, by: \.target) : rows
    }

    /// Returns the elements by series, and by resolver within a series, the best first. The
    /// transports of a resolver start with UDP.
    static func arranged<Element>(
        _ elements: [Element],
        by target: (Element) -> Recording.Target
    ) -> [Element] {
        let resolvers = elements.map { [target($0).series.description, target($0).label] }
        let members = Dictionary(grouping: zip(elements, resolvers), by: \.1)
        return resolvers.uniqued.flatMap { resolver in
            (members[resolver] ?? []).map(\.0).sorted(byKey: { target($0).transportOrder }, <)
        }
    }

    func isContinued(_ index: Int) -> Bool {
        index > 0 && rows[index].target.label == rows[index - 1].target.label
    }
}

extension ComparisonReport {
    func groups(of series: Series) -> ResolverGroups {
        ResolverGroups(rows(of: series), of: recording.targets)
    }
}

extension ResolverGroups {
    /// The place of each row within its resolver's group, for charts; empty if every resolver has
    /// one transport.
    var members: [ChartSubject.Member] {
        guard isGrouped else { return [] }
        var taken: [String: Set<Int>] = [:]
        let twins = Dictionary(grouping: rows) {
            [$0.target.label, $0.target.transport.description]
        }
        return rows.map { row in
            let resolver = EscapedText.terminal(row.target.label)
            var place = row.target.transportOrder
            // Applies to an unknown transport, and to a second endpoint over the same transport.
            while taken[resolver, default: []].contains(place) || place == .max {
                place = (taken[resolver, default: []].max() ?? -1) + 1
            }
            taken[resolver, default: []].insert(place)
            let alike = twins[[row.target.label, row.target.transport.description]] ?? []
            let detail = alike.count > 1 ? " \(row.target.endpoint)" : ""
            let name = EscapedText.terminal("\(row.target.transport)\(detail)") + row.usePhrase
            return (resolver, name, place)
        }
    }
}

extension ResolverSummary {
    /// The most frequent use of connections, such as `, resumed`; empty if all connections are new.
    var usePhrase: String {
        guard target.series == .first, let uses = connections?.uses,
            let most = uses.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }),
            uses.keys.contains(where: { $0 != .new })
        else { return "" }
        let all = uses.values.reduce(0, +)
        return most.value * 10 >= all * 9 ? ", \(most.key)" : ", mixed"
    }
}
