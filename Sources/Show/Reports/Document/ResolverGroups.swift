import Analysis
import Catalogue
import Charts
import DNSWire
import Samples
import Statistics

/// The rows of one series as they are shown.
struct ResolverGroups {
    /// The resolver with the best row first, in each the transports from UDP on; as they were ranked
    /// where each resolver has one transport.
    let rows: [ResolverSummary]
    /// Whether a resolver of the rows was asked over several transports, in whatever series.
    let isGrouped: Bool

    /// `rows` of a series of `targets`, the best first.
    init(_ rows: [ResolverSummary], of targets: [Recording.Target]) {
        let labels = Set(rows.map(\.target.label))
        isGrouped = targets.filter { labels.contains($0.label) }.haveSeveralTransports
        self.rows = isGrouped ? Self.arranged(rows, by: \.target) : rows
    }

    /// Elements series by series, in each the best first: resolver by resolver, in each the transports
    /// from UDP on.
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
    /// Place of each row beside those of its resolver, for charts; none where no resolver has several transports.
    var members: [ChartSubject.Member] {
        guard isGrouped else { return [] }
        var taken: [String: Set<Int>] = [:]
        let twins = Dictionary(grouping: rows) {
            [$0.target.label, $0.target.transport.description]
        }
        return rows.map { row in
            let resolver = EscapedText.terminal(row.target.label)
            var place = row.target.transportOrder
            // One over an unknown transport, or a second endpoint over the same.
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
    /// Use of most connections of first queries where that is not the usual: `, resumed`.
    var usePhrase: String {
        guard target.series == .first, let uses = connections?.uses,
            let most = uses.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }),
            uses.keys.contains(where: { $0 != .new })
        else { return "" }
        let all = uses.values.reduce(0, +)
        return most.value * 10 >= all * 9 ? ", \(most.key)" : ", mixed"
    }
}
