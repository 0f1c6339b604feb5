/// The cause that made a resolver slower or faster.
package enum ChangeCause: String, Hashable, Sendable, CaseIterable {
    /// The user's own connection, which all resolvers share.
    case line
    /// The path to this resolver only.
    case path
    /// Another site of the resolver answers.
    case site
    /// More, or fewer, names have to be fetched.
    case cache
    /// Opening a connection takes longer or shorter than the path explains.
    case connection
    /// Some of the names.
    case names
    /// The resolver itself, or a part of the path that its handshakes do not use.
    case resolver
    /// The path or the resolver. They cannot be distinguished, because the round trip is unknown.
    case way
    /// No single part is most of the change.
    case mixed
    /// The data are too few.
    case unknown
}

/// The measurements around a change, per hour, or per round of a spike. Times are in milliseconds. A value
/// that was not measured is `nil`.
package struct CauseEvidence: Hashable, Sendable {
    /// The hour of the day of each unit, 0 to 23.
    package var hours: [Int]
    /// The units before the change, which are the reference, and the units of the change.
    package var before: Range<Int>
    package var after: Range<Int>
    /// The median answer from the cache, per name, without opening a connection.
    package var names: [[Double?]] = []
    /// The network's round trip to the resolver; empty if it was not measured.
    package var floor: [Double?] = []
    /// The median answer and the round trip of each resolver in another network. The second is empty if it
    /// was not measured.
    package var others: [[Double?]] = []
    package var otherFloors: [[Double?]] = []
    /// The share of names that had to be fetched, and the extra time of a fetched name. Empty if unknown.
    package var misses: [Double?] = []
    package var missCost = 0.0
    /// The time to open a connection; empty if none is opened.
    package var openings: [Double?] = []
    /// Whether the answering site changed at that time, and changes too rarely for a coincidence.
    package var isSiteMoved = false
    /// Whether ``others`` are in another network than the resolver.
    package var hasOtherNetwork = true
    /// The change of the mean of the answers, each limited to one second; `nil` if unknown.
    package var seen: [Double?]?

    package init(hours: [Int], before: Range<Int>, after: Range<Int>) {
        (self.hours, self.before, self.after) = (hours, before, after)
    }
}

/// The cause of a change, and the contribution of each part.
package struct CauseFinding: Hashable, Sendable {
    package var cause: ChangeCause
    /// The part of the change that the cause explains, about 1; `nil` if no cause is named.
    package var share: Double?
    /// ln E that the cause is more than half of the change in most units.
    package var logEvidence = 0.0
    /// The number of units in the result, and of the units in which the cause is more than half.
    package var units = 0
    package var won = 0
    /// Interquartile means in milliseconds: of the whole change, and of its parts line, path, cache,
    /// connection and resolver.
    package var total: Double?
    package var parts: [ChangeCause: Double] = [:]

    package init(cause: ChangeCause) { self.cause = cause }

    /// Whether a cause is named: one part, or some of the names, is most of the change.
    package var isNamed: Bool { ![.mixed, .unknown].contains(cause) }
}

extension CauseEvidence {
    private static let causes: [ChangeCause] = [.line, .path, .cache, .connection, .resolver]
    /// The minimum number of units for a result.
    package static let leastUnits = 6
    /// The part of a change that its cause must explain.
    private static let explained = 0.7...1.3

    /// Returns the cause: the part that is more than half of the change in most units, and about all of it
    /// overall. If the parts are measured correctly, it is wrong with a probability of at most `alpha`.
    package func finding(alpha: Double = 0.05) -> CauseFinding {
        let (totals, contributions, perName) = contributions
        let usable = after.filter { unit in
            totals[unit] != nil && contributions.values.allSatisfy { $0[unit] != nil }
        }
        guard usable.count >= Self.leastUnits else { return CauseFinding(cause: .unknown) }
        func used(_ values: [Double?]) -> [Double] { usable.compactMap { values[$0] } }
        let total = used(totals)
        let middle = total.interquartileMean ?? 0
        let sign = middle > 0 ? 1.0 : middle < 0 ? -1 : 0
        var parts = contributions.mapValues(used)
        var finding = CauseFinding(cause: .mixed)
        finding.units = usable.count
        finding.total = middle
        finding.parts = parts.compactMapValues(\.interquartileMean)
        if isSiteMoved || floor.isEmpty {
            let both = zip(parts[.path] ?? [], parts[.resolver] ?? []).map { $0 + $1 }
            (parts[.path], parts[.resolver]) = (nil, nil)
            parts[isSiteMoved ? .site : .way] = both
        }
        let threshold = EProcess.logThreshold(alpha: alpha, tests: Double(parts.count))
        for cause in ChangeCause.allCases {
            guard let values = parts[cause], let part = values.interquartileMean, middle != 0
            else { continue }
            var evidence = EProcess()
            let wins = zip(values, total).map { sign * $0 > sign * $1 / 2 }
            for isWon in wins { evidence.add(isWon ? 1 : 0) }
            guard evidence.logEAbove >= threshold, Self.explained.contains(part / middle),
                finding.share == nil || evidence.logEAbove > finding.logEvidence
            else { continue }
            finding.cause = cause
            finding.share = part / middle
            finding.logEvidence = evidence.logEAbove
            finding.won = wins.count { $0 }
        }
        if [.resolver, .way].contains(finding.cause) {
            let moves = perName.compactMap { used($0).interquartileMean.map { $0 * sign } }
            finding.cause = Self.cause(ofMoves: moves) ?? finding.cause
        }
        if let seen, finding.cause != .mixed, let moved = used(seen).interquartileMean,
            abs(middle) < abs(moved) / 2
        {
            finding.cause = .unknown
        }
        if finding.cause == .line, !hasOtherNetwork { finding.cause = .unknown }
        return finding
    }

    /// Whether the measured times moved with the share of names that had to be fetched. Measurements after a
    /// warm-up do so if the resolver has several caches.
    package var isCacheSeen: Bool {
        let finding = finding()
        guard let total = finding.total, let cache = finding.parts[.cache],
            let moved = seen.flatMap({ seen in after.compactMap { seen[$0] }.interquartileMean })
        else { return false }
        return abs(moved - total) < abs(moved - (total - cache))
    }

    /// Returns `names` if some of the names moved and the others did not; `nil` if all moved, or if the
    /// names are few.
    private static func cause(ofMoves moves: [Double]) -> ChangeCause? {
        let usual = moves.reduce(0, +) / Double(max(1, moves.count))
        guard moves.count >= 4, usual > 0 else { return nil }
        let still = moves.count { $0 < usual / 3 }
        let moved = moves.count { $0 > usual / 2 }
        guard 5 * still >= moves.count else { return nil }
        return 10 * (still + moved) >= 9 * moves.count && moved > 0 ? .names : .unknown
    }

    /// The total change per unit, its parts, and the remainder of each name without the path.
    private var contributions:
        (total: [Double?], parts: [ChangeCause: [Double?]], names: [[Double?]])
    {
        let units = hours.indices
        let everybody = (otherFloors.isEmpty ? others : otherFloors).map(residuals)
        let line = units.map { unit in everybody.compactMap { $0[unit] }.median }
        let perName = names.map(residuals)
        let shift = units.map { unit in
            let known = perName.compactMap { $0[unit] }
            return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
        }
        let way = floor.isEmpty ? line : residuals(floor)
        let zero = [Double?](repeating: 0, count: hours.count)
        let opened = openings.isEmpty ? zero : residuals(openings)
        let trips = Double(tripsToOpen)
        let cache = misses.isEmpty ? zero : residuals(misses).map { $0.map { $0 * missCost } }
        let parts: [ChangeCause: [Double?]] = [
            .line: line.map { $0.map { $0 * (1 + trips) } },
            .path: difference(way, line).map { $0.map { $0 * (1 + trips) } },
            .cache: cache,
            .connection: openings.isEmpty
                ? zero : difference(opened, way.map { $0.map { $0 * trips } }),
            .resolver: difference(shift, way),
        ]
        let total = units.map { unit -> Double? in
            guard let shift = shift[unit], let opened = opened[unit], let cache = cache[unit]
            else { return nil }
            return shift + opened + cache
        }
        return (total, parts, perName.map { difference($0, way) })
    }

    /// The number of round trips to open a connection, 1 to 4. It is 2 if the round trip is unknown, and 0 if
    /// no connection is opened.
    private var tripsToOpen: Int {
        guard !openings.isEmpty else { return 0 }
        guard !floor.isEmpty, let opening = before.compactMap({ openings[$0] }).median,
            let trip = before.compactMap({ floor[$0] }).median
        else { return 2 }
        return Int(min(max((opening / max(trip, 1e-9)).rounded(.toNearestOrEven), 1), 4))
    }

    /// Returns each value minus the median of the same hour of the day before the change; `nil` if fewer than
    /// three days have that hour.
    package func residuals(_ values: [Double?]) -> [Double?] {
        let usual = (0..<24).map { hour in
            let known = before.filter { hours[$0] == hour }.compactMap { values[$0] }
            return known.count >= HourlyLevels.leastDays ? known.median : nil
        }
        return zip(values, hours).map { value, hour in
            value.flatMap { value in usual[hour].map { value - $0 } }
        }
    }

    private func difference(_ left: [Double?], _ right: [Double?]) -> [Double?] {
        zip(left, right).map { left, right in
            left.flatMap { left in right.map { left - $0 } }
        }
    }
}
