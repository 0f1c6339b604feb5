import SQLite
import Samples
import Statistics

/// A cursor through the figures of some hours that have a table of their own. Its rows and the rollups are
/// read in the same order of hours and keys. A join would cost time for each rollup, and most rollups have no
/// such row.
struct FiguresCursor<Figures: HourlyFigures>: ~Copyable {
    private let rows: Statement
    private var isOver: Bool

    /// Moves to the first row of some hours, which are counted from 1970.
    init(_ database: Database, _ hours: Range<Int64>) throws {
        let rows = try Statement(database, Figures.selectionOfHours)
        rows.bind([hours.lowerBound, hours.upperBound])
        isOver = try !rows.step()
        self.rows = rows
    }

    /// The figures of a rollup. Rollups must be requested in order. `isIntact` is false if the row is not as
    /// it was stored.
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

    /// Completes the rollup at a place. Returns whether the added figures are as they were stored.
    mutating func complete(
        _ figures: inout HourlySum.Figures,
        at place: RollupPlace
    ) throws -> Bool {
        let (opened, warmed) = try (connections.figures(at: place), warmups.figures(at: place))
        (figures.connections, figures.warmups) = (opened.figures, warmed.figures)
        return opened.isIntact && warmed.isIntact
    }
}
