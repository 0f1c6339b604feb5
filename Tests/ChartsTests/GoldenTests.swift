import Fixtures
import Testing

@testable import Charts

/// Compares whole drawings with reviewed files. `DNSTEMPO_UPDATE_GOLDEN=1` rewrites the files.
struct GoldenTests {
    static let drawings: [(file: String, text: @Sendable () -> String)] = [
        ("sheet.svg", { Self.lab() }),
        ("bars.svg", { Self.single(.bars, of: .lab(rounds: 20, names: 2)) }),
        ("distribution.svg", { Self.single(.distribution, of: .lab(rounds: 20, names: 2)) }),
        ("percentiles.svg", { Self.single(.percentiles, of: .lab(rounds: 50, names: 10)) }),
        ("percentiles.txt", { Self.percentiles() }),
        ("rounds.svg", { Self.single(.rounds, of: .lab(rounds: 60, names: 1)) }),
        ("opening.svg", { Self.single(.opening, of: .openings()) }),
        ("resumed.svg", { Self.single(.opening, of: .resumptions()) }),
        ("transports.svg", { Self.transports() }),
        ("opening.txt", { Self.openings() }),
        ("crowd.svg", { Sheet(title: "resolver-1 is the fastest of 40", of: .crowd(40)).svg() }),
        ("timeline.svg", { Self.history(.timeline, hours: 336) }),
        ("smoke.svg", { Self.history(.smoke, hours: 168) }),
        ("heatmap.svg", { Self.history(.heatmap, hours: 336) }),
        ("places.svg", { Self.places(.document) }),
        ("places-narrow.svg", { Self.places(.narrow) }),
        ("history.txt", { Self.text() }),
        ("nothing.svg", { Sheet(title: "No resolver was asked", of: []).svg() }),
    ]

    @Test(arguments: drawings.indices)
    func `a drawing equals the reviewed file byte for byte`(index: Int) throws {
        let drawing = Self.drawings[index]
        try Golden.expect(drawing.text(), in: drawing.file)
    }

    static func lab() -> String {
        Sheet(
            title: "meadow answers 8.9 ms sooner than what you use now (harbour)",
            subtitle: "14.1 against 23.0 ms; sure to 95 % that it is between 8.2 and 9.5 ms. "
                + "cliff is as fast, but lost 6.5 % of the queries: not advised.",
            of: .lab(),
            footer: "100 rounds of 10 names, 6000 queries, timeout 5 s. 32 s from bench, "
                + "2025-11-21 04:00 UTC. Names that were in a cache."
        ).svg()
    }

    static func single(_ kind: ChartKind, of subjects: [ChartSubject]) -> String {
        Sheet(title: "meadow is fastest", charts: [Chart(kind, of: subjects)], footer: "40 queries")
            .svg()
    }

    static func transports() -> String {
        let subjects = [ChartSubject].transports(rounds: 20, names: 2)
        return Sheet(
            title: "meadow is fastest over every transport",
            charts: ChartKind.ofQueries.map { Chart($0, of: subjects, scope: "cached names") },
            footer: "480 queries"
        ).svg()
    }

    static func percentiles() -> String {
        let chart = Chart(.percentiles, of: .lab(rounds: 50, names: 10))
        let drawing = TerminalPercentiles(chart, width: 80, height: 16)
        let rows = drawing.rows.map { $0.label.isEmpty ? $0.plot : "\($0.plot) \($0.label)" }
        return (rows + [drawing.axis] + drawing.key).joined(separator: "\n") + "\n"
    }

    static func openings() -> String {
        [[ChartSubject].openings(), .resumptions()].flatMap { subjects in
            let bars = TerminalBars(openings: subjects, width: 80)
            return bars.rows + [bars.axis, bars.key]
        }.joined(separator: "\n") + "\n"
    }

    static func history(_ kind: ChartKind, hours: Int) -> String {
        let subjects = [ChartSubject].months(hours: hours, queries: 24)
        let shown = [1, 2, 4].map { subjects[$0] }
        let chart = Chart(kind, of: shown, over: .weeks(hours: hours))
        return Sheet(
            title: "brook is 5.0 ms slower than it was, the others are as they were",
            charts: [chart],
            footer: "24 queries an hour to each, timeout 5 s"
        ).svg()
    }

    static func places(_ form: Sheet.Form) -> String {
        Sheet(
            title: "Ten resolvers at nine places",
            charts: [Chart(.places, of: .places(9, resolvers: 10))],
            footer: "40 queries to each, timeout 5 s"
        ).svg(form)
    }

    static func text() -> String {
        let subjects = [ChartSubject].months(hours: 336, queries: 24)
        return ChartKind.overTime.flatMap { kind in
            let chart = Chart(kind, of: subjects, over: .weeks(hours: 336))
            return TerminalHistory(chart, width: 100, height: 5).lines
        }.joined(separator: "\n") + "\n"
    }
}

extension TerminalHistory {
    /// All lines: the label, rows and axis of each block, then key and notes.
    var lines: [String] {
        blocks.flatMap { [$0.label] + $0.rows + [axis] } + ([key] + notes).filter { !$0.isEmpty }
    }
}
