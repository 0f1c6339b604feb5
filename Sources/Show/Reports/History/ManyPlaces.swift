import Analysis
import Charts
import Samples

/// The limits for reports of many places. Beyond them a chart or a table shows all places together, or a part
/// of them.
enum ManyPlaces {
    /// The most places that are listed one by one, and the most rows of a table or a chart.
    static let (mostPlaces, mostRows) = (10, 40)

    /// The headline of a report on several places.
    static func headline(_ count: Int) -> String {
        "\(count) places measured; times of different places are not compared."
    }

    /// The note that a table or chart shows a part; empty if it shows all.
    static func part(_ shown: Int, of all: Int, _ noun: String, _ remedy: String) -> [String] {
        guard shown < all else { return [] }
        return ["\(shown) of \(all) \(noun) are shown." + (remedy.isEmpty ? "" : " \(remedy)")]
    }
}

extension Array {
    /// Returns the elements sorted by a key, which is computed once. Equal keys keep their order.
    func sorted<Key>(byKey key: (Element) -> Key, _ precedes: (Key, Key) -> Bool) -> [Element] {
        let keys = map(key)
        return indices.sorted {
            precedes(keys[$0], keys[$1]) || $0 < $1 && !precedes(keys[$1], keys[$0])
        }
        .map { self[$0] }
    }
}

extension HistoryHours {
    /// Whether there are too many places and resolvers to show one by one.
    var areOfManyPlaces: Bool {
        subjects.count > ManyPlaces.mostRows
            && Set(subjects.map(\.vantage)).count > ManyPlaces.mostPlaces
    }
}

extension [ResolverTimeline] {
    /// The timelines of the first places by name: the rows of a chart that shows places one by one.
    func limited(to count: Int) -> [ResolverTimeline] {
        let places = Set(Set(map(\.subject.vantage)).sorted().prefix(count))
        return filter { places.contains($0.subject.vantage) }
    }

    /// The timelines of places that opened connections.
    var ofPlacesWithOpenings: [ResolverTimeline] {
        let those = filter(\.figures.openings.haveKnownUse)
        let opened = Set(those.map(\.subject.vantage))
        return filter { opened.contains($0.subject.vantage) }
    }
}

extension ResolverTimeline {
    /// The timelines of a chart: with many places each resolver once (`overPlaces`), or the first places.
    static func drawn(
        _ kind: ChartKind,
        of timeline: HistoryTimeline,
        overPlaces: () -> [ResolverTimeline]
    ) -> (timelines: [ResolverTimeline], note: [String]) {
        let isOfMany = timeline.hours.areOfManyPlaces
        guard !isOfMany || kind == .places || kind == .opening else {
            let all = overPlaces()
            let shown = Array(all.prefix(ManyPlaces.mostRows))
            let part = ManyPlaces.part(shown.count, of: all.count, "resolvers", "")
            let remedy = timeline.context.medium.words(for: .choosePlace)
            return (
                shown,
                (part + ["Each place counts once, by its median.", remedy]).filter { !$0.isEmpty }
            )
        }
        // Most places open none, and timelines of all take long.
        if isOfMany, kind == .opening, !timeline.hours.all.contains(where: \.openings.haveKnownUse)
        {
            return ([], [])
        }
        let all = all(of: timeline, told: kind.tellsChanges, withTimes: kind.tellsTimes)
        guard isOfMany else { return (all, []) }
        let possible = kind == .opening ? all.ofPlacesWithOpenings : all
        let shown = possible.limited(
            to: kind == .opening ? ManyPlaces.mostPlaces : ManyPlaces.mostRows
        )
        let counts = [shown, possible].map { Set($0.map(\.subject.vantage)).count }
        let remedy = timeline.context.medium.words(for: .choosePlace)
        return (shown, ManyPlaces.part(counts[0], of: counts[1], "places", remedy))
    }
}
