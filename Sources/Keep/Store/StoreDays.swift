import SQLite
package import Samples
import Statistics

/// An interval of time (UTC) that has sums of its own.
package enum SumSpan: String, Hashable, Sendable, CaseIterable {
    case day, month

    /// The hour, counted from 1970, in which the span of `hour` began.
    package func start(of hour: Int64) -> Int64 {
        let day = hour.dividedDown(by: 24) * 24
        guard self == .month else { return day }
        let date = CivilDate(daysSinceEpoch: Int(day / 24))
        return day - Int64(date.day - 1) * 24
    }

    /// The hour in which the span after the span of `hour` begins.
    package func end(of hour: Int64) -> Int64 {
        // No month has more than 31 days.
        start(of: start(of: hour) + (self == .month ? 31 : 1) * 24)
    }

    /// The hours of the spans that lie completely within these hours; empty if there is no such span.
    package func whole(within hours: Range<Int64>) -> Range<Int64> {
        let first = start(of: hours.lowerBound)
        let begin = first == hours.lowerBound ? first : end(of: first)
        let end = start(of: hours.upperBound)
        return begin < end ? begin..<end : begin..<begin
    }
}

extension Timestamp {
    /// The hours, counted from 1970, that lie completely between two moments.
    package static func wholeHours(in window: Range<Timestamp>) -> Range<Int64> {
        let (first, end) = (
            window.lowerBound.hourNumberRoundedUp, window.upperBound.hourNumber
        )
        return first < end ? first..<end : first..<first
    }
}

/// The rounds of a store on a day (UTC), in their order.
package struct StoredDay: Sendable {
    /// One round, or several rounds of one origin at equal intervals.
    package struct Interval: Hashable, Sendable {
        package var moment: RoundMoment
        /// The time at which the last of their samples left.
        package var stop: Timestamp
    }

    /// The first hour of the day, counted from 1970.
    package var hour: Int64
    package var intervals: [Interval]
    package var samples: Int

    /// The table of days. Its last column is ``packed(_:)``.
    package static let table = StoredTable(
        name: "day",
        columns: [
            .init(name: "hour", kind: .integer, isFilled: true),
            .init(name: "samples", kind: .integer, isFilled: true),
            .init(name: "rounds", kind: .blob, isFilled: true),
        ],
        key: ["hour"]
    )

    /// Reads the columns of a row of ``StoreSnapshot/days(_:)``.
    package init(
        hour: Int64,
        samples: Int64,
        rounds bytes: [UInt8],
        vantages: [Int64: String]
    ) throws {
        self.hour = hour
        self.samples = Int(samples)
        var rest = bytes[...]
        var next = Timestamp(hourNumber: hour).nanoseconds
        intervals = []
        while !rest.isEmpty {
            let vantage = try RoundCodec.signed(&rest)
            let origin = UInt8(truncatingIfNeeded: try RoundCodec.signed(&rest))
            let marks = UInt8(truncatingIfNeeded: try RoundCodec.signed(&rest))
            var times: [Timestamp] = []
            for _ in 0..<3 {
                next = next &+ (try RoundCodec.signed(&rest))
                times.append(Timestamp(nanoseconds: next))
            }
            let rounds = try RoundCodec.signed(&rest)
            guard let origin = Run.Origin(rawValue: origin), let name = vantages[vantage],
                (1...mostCounted).contains(rounds), times[0] <= times[1], times[1] <= times[2]
            else { throw RoundCodec.fault }
            let moment = RoundMoment(
                vantage: name,
                started: times[0],
                marks: RoundMarks(rawValue: marks),
                origin: origin,
                last: times[1],
                rounds: Int(rounds)
            )
            intervals.append(Interval(moment: moment, stop: times[2]))
        }
    }

    fileprivate static func packed(
        _ intervals: [Interval],
        from hour: Int64,
        _ vantages: [String: Int64]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var previous = Timestamp(hourNumber: hour).nanoseconds
        for interval in intervals {
            let moment = interval.moment
            RoundCodec.add(signed: vantages[moment.vantage] ?? 0, to: &bytes)
            RoundCodec.add(signed: Int64(moment.origin.rawValue), to: &bytes)
            RoundCodec.add(signed: Int64(moment.marks.rawValue), to: &bytes)
            for time in [moment.started, moment.last, interval.stop] {
                RoundCodec.add(signed: time.nanoseconds &- previous, to: &bytes)
                previous = time.nanoseconds
            }
            RoundCodec.add(signed: Int64(moment.rounds), to: &bytes)
        }
        return bytes
    }
}

extension StoreSnapshot {
    /// The days that contain one of some hours, as rows of ``StoredDay/table``. A round belongs to the day in
    /// which its first sample left.
    package func days(_ hours: Range<Int64>) throws -> [StoredRow] {
        let vantages = Dictionary(
            try database.rows("SELECT name, id FROM vantage") {
                (try $0.name(0), try $0.integer(1))
            },
            uniquingKeysWith: min
        )
        let span = Self.spans(.day, of: hours)
        var days: [Int64: (intervals: [StoredDay.Interval], samples: Int64)] = [:]
        try database.forEachRow(
            """
            SELECT start, marks, vantage.name, origin, stop, samples
            FROM round JOIN run ON run.id = run JOIN vantage ON vantage.id = vantage
            WHERE start >= ? AND start < ? ORDER BY vantage, start
            """,
            [
                Timestamp(hourNumber: span.lowerBound).nanoseconds,
                Timestamp(hourNumber: span.upperBound).nanoseconds,
            ]
        ) { row in
            guard let origin = try row.origin(3) else { return }
            let moment = RoundMoment(
                vantage: try row.name(2),
                started: try row.moment(0),
                marks: try row.marks(1),
                origin: origin
            )
            let hour = SumSpan.day.start(of: moment.started.hourNumber)
            let stop = max(moment.started, try row.moment(4))
            let interval = StoredDay.Interval(moment: moment, stop: stop)
            days[hour, default: ([], 0)].intervals.add(interval)
            days[hour]?.samples += min(max(0, try row.integer(5)), mostCounted)
        }
        return days.sorted { $0.key < $1.key }.map { hour, day in
            let rounds = StoredDay.packed(day.intervals, from: hour, vantages)
            return [.integer(hour), .integer(day.samples), .blob(rounds)]
        }
    }

    /// The sums of the days or months that contain one of some hours. `table` is a table of hourly sums. The
    /// rows have its columns, and the first hour of their span.
    package func sums(
        _ table: StoredTable,
        by span: SumSpan,
        _ hours: Range<Int64>
    ) throws -> [StoredRow] {
        try Schema.emptyStore().inDatabase { scratch in
            // The rows to which the sums refer are not copied.
            try scratch.execute("PRAGMA foreign_keys = OFF")
            func addSums<Figures: HourlyFigures>(of figures: Figures.Type) throws {
                let all = Self.spans(span, of: hours)
                let rows = try Statement(database, Figures.selectionOfHours)
                var sums: [RollupPlace: Figures] = [:]
                try rows.forEachRow([all.lowerBound, all.upperBound]) { row in
                    var place = try Figures.place(row)
                    place.hour = span.start(of: place.hour)
                    sums[place, default: Figures()].merge(try Figures(row))
                }
                try Figures.add(sums, scratch)
            }
            switch table.name {
            case HourlySum.Figures.table: try addSums(of: HourlySum.Figures.self)
            case ConnectionSums.table: try addSums(of: ConnectionSums.self)
            case HitShare.table: try addSums(of: HitShare.self)
            default: throw DatabaseError.mismatch("'\(table.name)' has no sums of days")
            }
            return try StoreSnapshot(database: scratch).rows(of: table)
        }
    }

    private static func spans(_ span: SumSpan, of hours: Range<Int64>) -> Range<Int64> {
        span.start(of: hours.lowerBound)..<span.end(of: hours.upperBound - 1)
    }
}

extension [StoredDay.Interval] {
    /// Adds the next interval. Joins it with the last interval if it continues this interval.
    fileprivate mutating func add(_ next: StoredDay.Interval) {
        if let last {
            let joined = RoundMoment.joined([last.moment, next.moment])
            if joined.count == 1 {
                self[count - 1].moment = joined[0]
                self[count - 1].stop = Swift.max(last.stop, next.stop)
                return
            }
        }
        append(next)
    }
}
