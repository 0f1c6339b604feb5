import LibC

/// The hours of one resolver at one place, and whether it is slower in each than at that hour of the days
/// before.
package struct PlaceTrack: Sendable {
    private var levels: HourlyLevels
    /// Whether the resolver is slow in each hour that can be judged.
    fileprivate private(set) var isSlow: [Int: Bool] = [:]

    /// Creates a track of hours in any order. The first of two blocks of one hour counts.
    package init(_ blocks: [HourlyBlock]) {
        var seen: Set<Int> = []
        let hours = blocks.filter { $0.answered > 0 && seen.insert($0.hour).inserted }
        levels = HourlyLevels(hours.sorted { $0.hour < $1.hour }, quantile: 0.5)
        judge(from: 0)
    }

    private mutating func judge(from first: Int) {
        for index in first..<levels.blocks.count {
            let block = levels.blocks[index]
            guard let (usual, band) = levels.expect(at: index), let median = block.median else {
                continue
            }
            isSlow[block.hour] = median > usual + band
        }
    }

    /// Begins a new level at an hour. Later hours are compared with this level.
    fileprivate mutating func begin(at hour: Int, upTo alarm: Int) {
        let start = levels.blocks.partitioningIndex { $0.hour >= hour }
        let end = levels.blocks.partitioningIndex { $0.hour > alarm }
        guard start < end else { return }
        levels.begin(at: start, upTo: end - 1)
        judge(from: end)
    }
}

/// A change of a resolver that became slower at many places at the same time.
package struct FleetChange: Hashable, Sendable {
    /// The first hour of the evidence, since 1970-01-01T00:00:00Z, and the hour in which it sufficed.
    package var hour: Int
    package var establishedHour: Int
    /// The places that are named. At most one in twenty of them is expected to be wrong.
    package var places: [Int]
}

/// Finds when a resolver became slower at a share of its places, even if no single place has enough evidence.
///
/// A place counts in an hour in which the resolver is slower there than at that hour of the 14 days before,
/// by more than the dead-band. If at least half of the other resolvers at the place are slow too, the cause
/// is the place's own line, and the place does not count.
///
/// An e-detector (Shin, Ramdas & Rinaldo 2023) watches the share of such places. It detects a mean above
/// twice that of the 14 days before, and at least one tenth. At least one week of these days is required. At
/// an alarm, e-BH names the places. The result holds for any dependence between the places, which share the
/// resolver.
package enum FleetChanges {
    /// The minimum number of places. Fewer places are reported one by one.
    package static let leastPlaces = 5
    static let leastMean = 0.1
    /// The maximum age of the evidence of a place, in hours.
    static let reach = 48
    static let bets = [0.1, 0.2, 0.4, 0.8, 0.95]
    private static let threshold = 1000.0
    /// The minimum number of earlier hours for the usual share.
    static let leastHours = 7 * 24

    /// Returns the changes of each of `resolvers`, in their order. Entries with the same label are one
    /// resolver over several transports. A place has one track per entry, or `nil` if it does not ask that
    /// resolver.
    package static func all(of resolvers: [String], at places: [[PlaceTrack?]]) -> [[FleetChange]] {
        var places = places
        return resolvers.indices.map { changes(of: $0, among: resolvers, at: &places) }
    }

    private static func changes(
        of resolver: Int,
        among labels: [String],
        at places: inout [[PlaceTrack?]]
    ) -> [FleetChange] {
        let own = places.map { $0[resolver] }
        let others = labels.indices.filter { labels[$0] != labels[resolver] }
        guard own.count(where: { $0 != nil }) >= leastPlaces else { return [] }
        let hours = Set(own.flatMap { $0?.isSlow.keys.map(\.self) ?? [] }).sorted()
        var watch = FleetWatch(places: places.count, threshold: threshold * Double(labels.count))
        var found: [FleetChange] = []
        for hour in hours {
            let slow = places.map { slowness(of: resolver, beside: others, in: $0, hour) }
            guard let began = watch.observe(slow, hour), !watch.named.isEmpty else { continue }
            for place in watch.named { places[place][resolver]?.begin(at: began, upTo: hour) }
            // Places with slightly later evidence belong to the same change.
            if let last = found.indices.last,
                hour - found[last].establishedHour <= LevelChange.sameHours
            {
                found[last].places = Set(found[last].places + watch.named).sorted()
            } else {
                found.append(FleetChange(hour: began, establishedHour: hour, places: watch.named))
            }
        }
        return found
    }

    /// Returns whether a resolver is slow at a place in an hour, while fewer than half of the others there
    /// are slow; `nil` if it cannot be judged.
    private static func slowness(
        of resolver: Int,
        beside others: [Int],
        in place: [PlaceTrack?],
        _ hour: Int
    ) -> Bool? {
        guard let isSlow = place[resolver]?.isSlow[hour] else { return nil }
        guard isSlow else { return false }
        let known = others.compactMap { place[$0]?.isSlow[hour] }
        return known.isEmpty || known.count(where: \.self) * 2 < known.count
    }

    /// Returns ln E that a place is slow more often than `mean`: the mean over all beginnings and bets.
    /// `slow` contains the last hours, the newest last. `nil` entries, which were not judged, are ignored.
    package static func logEvidence(_ slow: [Bool?], mean: Double) -> Double {
        let excess = slow.suffix(reach).map { $0.map { ($0 ? 1 : 0) / mean - 1 } ?? 0 }
        var sum = 0.0
        for bet in bets {
            var logWealth = 0.0
            for value in excess.reversed() {
                logWealth += log1p(bet * value)
                sum += exp(min(logWealth, 600))
            }
        }
        return log(sum / Double(bets.count * max(1, excess.count)))
    }
}

/// Watches the share of places at which a resolver is slow.
struct FleetWatch {
    /// The permitted mean of the share, from the hours of the 14 days before.
    private(set) var mean = FleetChanges.leastMean
    /// The places that are named at the alarm.
    private(set) var named: [Int] = []
    private let threshold: Double
    private var detector: EDetector
    /// The hours in the evidence, from which its first hour is found.
    private var observed: [Int] = []
    private var shares: [(hour: Int, share: Double)] = []
    /// The last hours of each place, the newest last.
    private var latest: [[Bool?]]

    init(places: Int, threshold: Double) {
        self.threshold = threshold
        detector = EDetector(bets: FleetChanges.bets, threshold: threshold)
        latest = Array(repeating: [], count: places)
    }

    /// Adds an hour of each place, `nil` if the place was not judged. Returns the first hour of the evidence
    /// if the evidence suffices, otherwise `nil`.
    mutating func observe(_ slow: [Bool?], _ hour: Int) -> Int? {
        let judged = slow.compactMap(\.self)
        guard judged.count >= FleetChanges.leastPlaces else { return nil }
        for place in slow.indices {
            latest[place].append(slow[place])
            if latest[place].count > FleetChanges.reach { latest[place].removeFirst() }
        }
        let share = Double(judged.count(where: \.self)) / Double(judged.count)
        shares.removeAll { $0.hour < hour - Incident.referenceHours }
        defer { shares.append((hour, share)) }
        guard shares.count >= FleetChanges.leastHours else { return nil }
        let usual = shares.reduce(0) { $0 + $1.share } / Double(shares.count)
        mean = max(FleetChanges.leastMean, 2 * usual)
        observed.append(hour)
        detector.observe(share, mean: mean)
        guard detector.isAlarmed else { return nil }
        let began = observed[max(0, observed.count - detector.length)]
        detector = EDetector(bets: FleetChanges.bets, threshold: threshold)
        observed = []
        let evidence = latest.map { FleetChanges.logEvidence($0, mean: mean) }
        let isNamed = PlaceEvidence.named(evidence)
        named = isNamed.indices.filter { isNamed[$0] }
        latest = latest.map { _ in [] }
        return began
    }
}
