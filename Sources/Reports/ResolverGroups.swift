import Catalogue
import Measurement

/// The rows of one series as they are shown: where a resolver was asked over several transports,
/// resolver by resolver, the transports of each beneath each other.
struct ResolverGroups {
    /// The resolver with the best row first, in each the transports from UDP on; as they were ranked
    /// where each resolver has one transport.
    let rows: [ResolverRow]
    /// Whether a resolver of the rows was asked over several transports, in whatever series.
    let isGrouped: Bool

    /// `rows` as they are.
    init(_ rows: [ResolverRow]) {
        self.rows = rows
        isGrouped = false
    }

    /// `rows` of a series of `targets`, the best first.
    init(_ rows: [ResolverRow], of targets: [Recording.Target]) {
        isGrouped = rows.contains { row in
            targets.contains {
                $0.label == row.target.label && $0.transport != row.target.transport
            }
        }
        guard isGrouped else {
            self.rows = rows
            return
        }
        let labels = rows.map(\.target.label).uniqued
        self.rows = labels.flatMap { label in
            rows.filter { $0.target.label == label }.enumerated()
                .sorted {
                    ($0.element.transportOrder, $0.offset) < ($1.element.transportOrder, $1.offset)
                }
                .map(\.element)
        }
    }

    /// Whether the row goes on with the resolver of the row before.
    func isContinued(_ index: Int) -> Bool {
        index > 0 && rows[index].target.label == rows[index - 1].target.label
    }

    /// The label where a resolver begins, and nothing beneath; the name where nothing is grouped.
    func title(_ index: Int) -> String {
        guard isGrouped else { return rows[index].name }
        return isContinued(index) ? "" : rows[index].target.label
    }
}

extension ComparisonReport {
    /// The rows of a series as they are shown.
    func groups(of series: Series) -> ResolverGroups {
        ResolverGroups(rows(of: series), of: recording.targets)
    }
}

extension ResolverRow {
    /// From plain to encrypted.
    var transportOrder: Int {
        TransportKind.allCases.firstIndex { $0.rawValue == target.transport } ?? .max
    }
}

extension [String] {
    /// Each once, in the order in which they first appear.
    fileprivate var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
