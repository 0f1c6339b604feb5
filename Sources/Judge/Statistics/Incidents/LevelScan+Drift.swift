extension LevelScan {
    /// The numbers of hours within which a slope is searched.
    private static let slopeHours = [48, 72, 96, 144, 192, 288, 384, 576, 768]
    /// The minimum length of a drift in hours. A shorter rise is a step.
    private static let leastDriftHours = 36
    /// The start of an open drift is fixed once a fit puts it this number of hours later.
    private static let fixedStartHours = 96

    /// Looks at the changes and the levels of a day without an alarm, after its last hour `now`.
    mutating func closeDay(_ members: LevelMembers, now: Int) {
        if let open, rows[open.row].kind == .drift {
            _ = refitDrift(of: open, now: now)
            return
        }
        endWaitingDrift(now: now)
        refitOpenStep(now: now)
        joinReturn(now: now)
        refineStart(now: now)
        if let waiting = outer.last, rows[waiting.row].kind == .drift { return }
        if let open {
            let age = series.hours[now] - rows[open.row].start
            if Self.leastDriftHours...Self.fitHours ~= age {
                return turnIntoDrift(open, now: now)
            }
        }
        if members.count >= 72, hasSlope(members) {
            beginDrift(among: members.indices.suffix(Self.fitHours), now: now)
        }
    }

    /// Ends a drift that waits for the return of a step on it, after ten days without a return.
    private mutating func endWaitingDrift(now: Int) {
        guard let open, let waiting = outer.last, rows[waiting.row].kind == .drift else { return }
        let start = rows[open.row].start
        guard series.hours[now] - start > Incident.longestEpisode else { return }
        rows[waiting.row].end = start
        outer = []
    }

    /// Whether the present level rises or falls by the dead band or more, and by more than chance.
    ///
    /// A slow drift never differs enough from the 14 days before, because they drift too.
    private func hasSlope(_ members: LevelMembers) -> Bool {
        let sums = SlopeSums(
            hours: members.indices.map { series.hours[$0] },
            values: members.indices.map { series.adjusted($0) }
        )
        for hours in Self.slopeHours {
            guard members.count >= hours + 24 else { return false }
            let before = min(members.count - hours, Incident.referenceHours)
            let slope = sums.slope(over: hours, after: before)
            let level = noise.deviation(over: before) * slope.leverage
            let error = (noise.variancePerHour / slope.spread + level * level).squareRoot()
            let isSure = abs(slope.rate) >= Self.sureDeviations * error
            if isSure, abs(slope.rise) >= band { return true }
        }
        return false
    }

    /// Begins a drift within the present level, if a drift explains its hours better than a step.
    private mutating func beginDrift(among indices: ArraySlice<Int>, now: Int) {
        guard let shapes = shapes(indices), let fit = driftBeyondStep(shapes, now: now) else {
            return
        }
        let row = LevelRow(
            kind: .drift,
            start: fit.start,
            within: fit.start...fit.start,
            established: series.hours[now],
            size: fit.size,
            before: fit.before,
            interval: fit.size...fit.size,
            measuredSize: fit.size,
            seriesStart: fit.start
        )
        rows.append(row)
        let change = OpenChange(row: rows.count - 1, earlier: current, before: fit.before)
        highest += 1
        current = highest
        open = change
        outer = []
        setDrift(change, fit, among: indices, now: now)
    }

    /// Turns the open step into a drift, if a drift explains the hours since the first step of its series
    /// better than steps do.
    private mutating func turnIntoDrift(_ change: OpenChange, now: Int) {
        let row = rows[change.row]
        let lastDrift = rows.filter { $0.kind == .drift }.compactMap(\.end).max() ?? 0
        let oldest = series.index(from: max(lastDrift, row.seriesStart - Incident.referenceHours))
        let indices = (oldest..<max(oldest, now + 1)).filter { series.owners[$0] >= 0 }
        let hasStairs = row.seriesStart < row.start
        guard let shapes = shapes(indices[...], includingStairs: hasStairs) else { return }
        let best = shapes.bestDrift.size
        guard row.size * best >= 0, sharpRise(of: row, now: now) < 0.5 * abs(best),
            let fit = driftBeyondStep(shapes, now: now)
        else { return }
        rows[change.row].kind = .drift
        outer = []
        setDrift(change, fit, among: indices[...], now: now)
    }

    /// Returns the milliseconds that the sharp steps of a row's series account for. A staircase is no drift.
    private func sharpRise(of row: LevelRow, now: Int) -> Double {
        rows.reduce(0) { sum, step in
            guard step.kind == .step, step.start >= row.seriesStart,
                step.hasDirection(of: row.size),
                isSharp(at: series.index(from: step.start), size: step.size, now: now)
            else { return sum }
            return sum + abs(step.size)
        }
    }

    private func shapes(
        _ indices: ArraySlice<Int>,
        includingStairs: Bool = false
    ) -> LevelShapes? {
        LevelShapes(
            hours: indices.map { series.hours[$0] },
            values: indices.map { series.adjusted($0) },
            variancePerHour: noise.variancePerHour,
            includingStairs: includingStairs
        )
    }

    /// Returns the best drift, if its score is sufficiently higher than the scores of steps and if it is long
    /// and large enough; otherwise `nil`.
    private func driftBeyondStep(_ shapes: LevelShapes, now: Int) -> DriftFit? {
        let fit = shapes.bestDrift
        let steps = max(shapes.step, shapes.stairs ?? -.infinity)
        let length = (fit.end ?? series.hours[now]) - fit.start
        guard fit.score >= steps + Self.sureScore, length >= Self.leastDriftHours,
            abs(fit.size) >= band
        else { return nil }
        return fit
    }

    /// Fits the open drift again. Returns whether it has ended.
    mutating func refitDrift(of change: OpenChange, now: Int) -> Bool {
        let sides = sides(of: change, now: now)
        let indices = sides.before + sides.after
        guard let shapes = shapes(indices[...]) else { return false }
        let row = rows[change.row]
        let ended = shapes.endedDrift.flatMap {
            $0.score > shapes.drift.score + Self.sureScore ? $0 : nil
        }
        var fit = ended ?? shapes.drift
        if fit.start > row.start + Self.fixedStartHours {
            guard let end = ended?.end else { return false }
            fit.start = row.start
            fit.before = row.before
            fit.rate = fit.size / Double(max(1, end - row.start))
        }
        if fit.rate * (row.rate ?? 0) > 0 {
            setDrift(change, fit, among: indices[...], now: now)
        }
        return ended != nil
    }
}

/// Running sums of the last hours of a level, for the slopes through them.
private struct SlopeSums {
    /// The slope of a hinge: a level, and a line from it.
    struct Slope {
        /// Milliseconds per hour.
        var rate: Double
        /// Milliseconds over all hours.
        var rise: Double
        /// The sum of squared hours. It is the divisor of the slope.
        var spread: Double
        /// The change of the slope per change of the level.
        var leverage: Double
    }

    private struct Sums {
        /// Hours before the last hour, and their squares.
        var age = 0.0
        var square = 0.0
        /// Values less the last value, and their products with the ages.
        var value = 0.0
        var product = 0.0
    }

    private let hours: [Int]
    /// The sums before each hour, and of all hours.
    private var sums: [Sums]

    init(hours: [Int], values: [Double]) {
        self.hours = hours
        sums = Array(repeating: Sums(), count: hours.count + 1)
        let origin = values.last ?? 0
        let last = hours.last ?? 0
        var sum = Sums()
        for index in hours.indices {
            let (age, value) = (Double(last - hours[index]), values[index] - origin)
            sum.age += age
            sum.square += age * age
            sum.value += value
            sum.product += age * value
            sums[index + 1] = sum
        }
    }

    /// Returns the slope over the last `count` hours, which begins at the mean of `before` hours before them.
    func slope(over count: Int, after before: Int) -> Slope {
        let first = hours.count - count
        let (start, end) = (sums[first], sums[hours.count])
        let level = (start.value - sums[first - before].value) / Double(before)
        let (number, length) = (Double(count), Double((hours.last ?? 0) - hours[first]))
        let age = end.age - start.age
        let time = number * length - age
        let spread = number * length * length - 2 * length * age + end.square - start.square
        let product = length * (end.value - start.value) - (end.product - start.product)
        let rate = (product - level * time) / spread
        return Slope(rate: rate, rise: rate * length, spread: spread, leverage: time / spread)
    }
}
