/// A comparison of the last hours with the hours before that is no chance.
struct LevelAlarm: Sendable {
    /// The position of the last hour among the members.
    var position: Int
    /// The number of hours that were compared with the reference.
    var length: Int
    /// The level of the reference in milliseconds, without profile and slope.
    var reference: Double
    /// The difference from the reference in milliseconds.
    var difference: Double
}

extension LevelScan {
    /// The numbers of hours that are compared with the hours before them. Short ones find large changes at
    /// once, long ones find small changes.
    private static let lengths = [2, 3, 4, 6, 8, 12, 16, 24, 36, 48, 72, 96, 144, 192]
    /// The number of dead bands from the level at which values are clipped. One bad hour has a limited
    /// effect.
    private static let clipBands = 4.0
    /// The share of the compared hours that must be beyond a mark.
    private static let leastShare = 0.75

    /// Returns the alarm of the first hour of the day that has one; `nil` without a change.
    ///
    /// A difference must reach the dead band and exceed the noise of both means. If several lengths show it,
    /// the one with the highest ratio to the noise counts.
    func firstAlarm(
        in members: LevelMembers,
        around level: Double,
        leastReference: Int
    ) -> LevelAlarm? {
        let reach = Incident.referenceHours + (Self.lengths.last ?? 0)
        let oldest = max(0, members.earlier - reach)
        let sums = clippedSums(of: members, from: oldest, around: level)
        for position in members.earlier..<members.count {
            var (found, highest) = (LevelAlarm?.none, 0.0)
            for length in Self.lengths {
                let first = position + 1 - length
                guard first >= leastReference else { break }
                let hours = min(first, Incident.referenceHours)
                let middle = sums[first - oldest]
                let reference = (middle - sums[first - hours - oldest]) / Double(hours)
                let difference = (sums[position + 1 - oldest] - middle) / Double(length) - reference
                guard abs(difference) >= band else { continue }
                let deviation = noise.deviation(between: length, and: hours)
                guard abs(difference) >= Self.sureDeviations * deviation,
                    abs(difference) > highest * deviation,
                    isBeyondChance(members.values[first...position], difference, from: level)
                else { continue }
                highest = abs(difference) / deviation
                found = LevelAlarm(
                    position: position,
                    length: length,
                    reference: reference,
                    difference: difference
                )
            }
            if let found { return found }
        }
        return nil
    }

    /// Returns the running sums of the clipped values from the position `oldest` on.
    private func clippedSums(
        of members: LevelMembers,
        from oldest: Int,
        around level: Double
    ) -> [Double] {
        let limits = (level - Self.clipBands * band, level + Self.clipBands * band)
        var sum = 0.0
        var sums = [sum]
        sums.reserveCapacity(members.count - oldest + 1)
        for position in oldest..<members.count {
            sum += min(max(members.values[position], limits.0), limits.1)
            sums.append(sum)
        }
        return sums
    }

    /// Whether more of these hours are beyond a mark than chance explains. One of the marks is sufficient.
    ///
    /// Two bad hours in a month with many bad hours are no change.
    private func isBeyondChance(
        _ values: ArraySlice<Double>,
        _ difference: Double,
        from level: Double
    ) -> Bool {
        marks.contains { mark in
            let beyond = Double(
                difference > 0
                    ? values.count { $0 - level > mark.distance }
                    : values.count { level - $0 > mark.distance }
            )
            return beyond >= Self.leastShare * Double(values.count) && beyond >= mark.leastHours
        }
    }
}
