import Catalogue
import Samples
import Statistics

extension ComparisonReport {
    /// The share of each resolver's time that the network takes, such as `21.0 ms of 23.1 ms`. The
    /// pairs are empty if no network round trips were requested.
    var floorTerms: Document.Terms {
        let isWanted = context.wantedFloors || !context.floors.isEmpty
        let rows = isWanted ? rows(of: series.first ?? .cached) : []
        return (
            "Network round trip, the least of a few TCP handshakes",
            rows.filter { $0.counts.sent > 0 }.map { ($0.name, floorWords(of: $0)) }
        )
    }

    private func floorWords(of row: ResolverSummary) -> String {
        guard let floor = row.context.floor else {
            return "unknown: no port accepts a connection"
        }
        let way = LatencyFormat.single(floor.roundTrip.milliseconds)
        let isUsual = row.target.isSimulated || row.target.endpoint.hasSuffix(":\(floor.port)")
        let port = isUsual ? "" : " (port \(floor.port))"
        guard let median = row.latency.median else {
            let isSilent = row.counts.failed > row.counts.answered
            let silence = isSilent ? "; it \(FailureNoun(of: row).prevails(in: row.failures))" : ""
            return "\(way)\(port)\(silence)"
        }
        let whole = LatencyFormat.single(median)
        guard floor.roundTrip.milliseconds > median else {
            return "\(way) of \(whole)\(port)"
        }
        return
            "\(way)\(port), more than the \(whole) of its answers: the network was slower then, or "
            + "a nearer machine answers"
    }
}
