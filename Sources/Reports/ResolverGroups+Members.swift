import Catalogue
import Charts
import Samples

extension ResolverGroups {
    /// What each row is to its resolver, for charts; none where no resolver has several transports.
    var members: [ChartSubject.Member] {
        guard isGrouped else { return [] }
        var taken: [String: Set<Int>] = [:]
        let twins = Dictionary(grouping: rows) { [$0.target.label, $0.target.transport] }
        return rows.map { row in
            let resolver = EscapedText.terminal(row.target.label)
            var place = row.transportOrder
            // One over an unknown transport, or a second endpoint over the same.
            while taken[resolver, default: []].contains(place) || place == .max {
                place = (taken[resolver, default: []].max() ?? -1) + 1
            }
            taken[resolver, default: []].insert(place)
            let alike = twins[[row.target.label, row.target.transport]] ?? []
            let detail = alike.count > 1 ? " \(row.target.endpoint)" : ""
            return ChartSubject.Member(
                resolver: resolver,
                name: EscapedText.terminal(row.target.transport + detail) + row.usePhrase,
                place: place
            )
        }
    }
}

extension ResolverRow {
    /// Of first queries, what most of their connections were where that is not the usual: `, resumed`.
    var usePhrase: String {
        guard target.series == .first, let uses = connections?.uses,
            let most = uses.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }),
            uses.keys.contains(where: { $0 != .new })
        else { return "" }
        let all = uses.values.reduce(0, +)
        return most.value * 10 >= all * 9 ? ", \(most.key)" : ", mixed"
    }
}
