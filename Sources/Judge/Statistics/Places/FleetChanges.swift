import LibC

/// One resolver at one place, hour by hour: whether it is slower than at that hour of the days before.
package struct PlaceTrack: Sendable {
    private var levels: HourlyLevels
    /// By hour, as far as one can be judged.
    fileprivate private(set) var isSlow: [Int: Bool] = [:]

    /// Takes the hours in any order; of two with one hour the first counts.
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

    /// Begins a new level at an hour, so that later ones are held against it.
    fileprivate mutating func begin(at hour: Int, upTo alarm: Int) {
        let start = levels.blocks.partitioningIndex { $0.hour >= hour }
        let end = levels.blocks.partitioningIndex { $0.hour > alarm }
        guard start < end else { return }
        levels.begin(at: start, upTo: end - 1)
        judge(from: end)
    }
}

/// A resolver that became slower at many places at once.
package struct FleetChange: Hashable, Sendable {
    /// The first hour of the evidence, since 1970-01-01T00:00:00Z, and the one in which it sufficed.
    package var hour: Int
    package var establishedHour: Int
    /// Which of the places are named: at most one in twenty of them is expected to be wrong.
    package var places: [Int]
}

/// Finds when a resolver became slower at a share of its places, none of which may say so by itself.
///
/// A place counts in an hour where the resolver is slower there than at that hour of the 14 days before,
/// by more than the dead-band, and fewer than half of the place's others are: else it is the place's
/// line. The share of such places is watched by an e-detector (Shin, Ramdas & Rinaldo 2023) for a mean
/// above twice that of the 14 days before, of which a week is needed, and one tenth at least; at an
/// alarm places are named by e-BH. It holds however the places depend on each other, which share the
/// resolver.
package enum FleetChanges {
    /// Fewer places are told of one by one.
    package static let leastPlaces = 5
    static let leastMean = 0.1
    /// How far back the evidence of a place reaches, in hours.
    static let reach = 48
    static let bets = [0.1, 0.2, 0.4, 0.8, 0.95]
    private static let threshold = 1000.0
    /// The hours before, of which the usual share is known.
    static let leastHours = 7 * 24

    /// The changes of each of `resolvers`, in their order, of which those with one label are one over
    /// several transports, from what each place has of each: `nil` where it does not ask it.
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
            // Places that tell a little later are of the same change.
            if let last = found.indices.last,
                hour - found[last].establishedHour <= ChangeDetector.sameChangeHours
            {
                found[last].places = Set(found[last].places + watch.named).sorted()
            } else {
                found.append(FleetChange(hour: began, establishedHour: hour, places: watch.named))
            }
        }
        return found
    }

    /// Whether it is slow at a place in an hour while fewer than half of the others there are; `nil`
    /// where it cannot be judged.
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

    /// ln E of a place that it is slow more often than `mean`, of its last hours, the newest last: the
    /// mean over all beginnings and bets. An hour that was not judged says nothing.
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
    /// The mean that the share may have, from the hours of the 14 days before.
    private(set) var mean = FleetChanges.leastMean
    /// The places that are named at the alarm.
    private(set) var named: [Int] = []
    private let threshold: Double
    private var detector: EDetector
    /// The hours that the evidence has, so that its beginning is one.
    private var observed: [Int] = []
    private var shares: [(hour: Int, share: Double)] = []
    /// The last hours of each place, the newest last.
    private var latest: [[Bool?]]

    init(places: Int, threshold: Double) {
        self.threshold = threshold
        detector = EDetector(bets: FleetChanges.bets, threshold: threshold)
        latest = Array(repeating: [], count: places)
    }

    /// Takes an hour of each place, `nil` where it was not judged; the hour from which on the evidence
    /// is where it suffices.
    mutating func observe(_ slow: [Bool?], _ hour: Int) -> Int? {
        let judged = slow.compactMap(\.self)
        guard judged.count >= FleetChanges.leastPlaces else { return nil }
        for place in slow.indices {
            latest[place].append(slow[place])
            if latest[place].count > FleetChanges.reach { latest[place].removeFirst() }
        }
        let share = Double(judged.count(where: \.self)) / Double(judged.count)
        shares.removeAll { $0.hour < hour - ChangeDetector.referenceHours }
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
