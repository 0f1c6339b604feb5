import SQLite
import Samples
import Statistics

/// Goes through the figures of some hours that have a table of their own, beside their rollups, both
/// in the order of hours and keys: most rollups have none, so that a join would cost each of them.
struct FiguresCursor<Figures: HourlyFigures>: ~Copyable {
    private let rows: Statement
    private var isOver: Bool

    /// Goes to the first row of hours that are counted from 1970.
    init(_ database: Database, _ hours: Range<Int64>) throws {
        let rows = try Statement(database, Figures.selectionOfHours)
        rows.bind([hours.lowerBound, hours.upperBound])
        isOver = try !rows.step()
        self.rows = rows
    }

    /// The row beside a rollup, which comes after all that were asked for; where it is not as it
    /// was stored, `isIntact` is false.
    mutating func figures(at place: RollupPlace) throws -> (figures: Figures, isIntact: Bool) {
        while !isOver {
            let next = try Figures.place(rows)
            if (next.hour, next.key) >= (place.hour, place.key) {
                guard next == place else { break }
                let figures = try Figures(rows)
                return (figures, try figures.isIntact(rows, at: place))
            }
            isOver = try !rows.step()
        }
        return (Figures(), true)
    }

    deinit { rows.reset() }
}

/// The figures of a rollup that have tables of their own.
struct RollupSupplement: ~Copyable {
    private var connections: FiguresCursor<ConnectionSums>
    private var warmups: FiguresCursor<HitShare>

    init(_ database: Database, _ hours: Range<Int64>) throws {
        let opened = try FiguresCursor<ConnectionSums>(database, hours)
        let warmed = try FiguresCursor<HitShare>(database, hours)
        connections = opened
        warmups = warmed
    }

    /// Completes the rollup at a place; returns whether what it adds is as it was stored.
    mutating func complete(
        _ figures: inout HourlySum.Figures,
        at place: RollupPlace
    ) throws -> Bool {
        let (opened, warmed) = try (connections.figures(at: place), warmups.figures(at: place))
        (figures.connections, figures.warmups) = (opened.figures, warmed.figures)
        return opened.isIntact && warmed.isIntact
    }
}
