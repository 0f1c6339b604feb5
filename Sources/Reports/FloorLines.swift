import Samples
import Statistics

/// How much of each resolver's time is the way to its address: `of 23.1 ms, 21.0 ms are the way
/// there`.
struct FloorLines {
    private let rows: [ResolverRow]
    private let isWanted: Bool

    init(of report: ComparisonReport) {
        rows = report.rows(of: report.series.first ?? .cached)
        isWanted = report.context.wantedFloors || !report.context.floors.isEmpty
    }

    /// A heading and a line a resolver of the first series; none where no floors were looked for.
    func lines(width: Int) -> [String] {
        let parts = parts
        guard !parts.isEmpty else { return [] }
        let names = parts.map { EscapedText.terminal($0.name).truncated(to: max(8, width / 3)) }
        let column = (names.map(\.displayWidth).max() ?? 0) + 2
        return "\(Self.heading):".wrapped(to: width)
            + zip(names, parts.map(\.text)).flatMap { name, text in
                text.wrapped(to: max(20, width - column - 2)).enumerated().map { line in
                    "  " + (line.offset == 0 ? name : "").padded(to: column) + line.element
                }
            }
    }

    static let heading = "The way to the address and back, the least of a few TCP handshakes"

    /// Each resolver, and what is known of it.
    var parts: [(name: String, text: String)] {
        guard isWanted else { return [] }
        return rows.filter { $0.counts.sent > 0 }.map { ($0.name, words(of: $0)) }
    }

    private func words(of row: ResolverRow) -> String {
        guard let floor = row.surroundings.floor else {
            return "not known: no port of it accepts a connection"
        }
        let way = Self.time(floor.roundTrip.milliseconds)
        let port = row.target.endpoint.hasSuffix(":\(floor.port)") ? "" : " (port \(floor.port))"
        guard let median = row.latency.median else {
            return "\(way)\(port); it left most queries unanswered"
        }
        let whole = Self.time(median)
        guard floor.roundTrip.milliseconds > median else {
            return "of \(whole), \(way) are the way there\(port)"
        }
        return
            "\(way)\(port), more than the \(whole) of its answers: the way was slower just then, "
            + "or somebody nearer answers"
    }

    private static func time(_ milliseconds: Double) -> String {
        LatencyFormat(fitting: [milliseconds]).cell(milliseconds)
    }
}
