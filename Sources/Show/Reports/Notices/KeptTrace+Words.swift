import Catalogue
package import Samples

extension KeptTrace {
    /// The path as a sentence, such as `Path: 192.0.2.1 1.2 ms, no answer at hop 2, 198.51.100.1 3.4 ms; no
    /// answer beyond hop 3.`
    package var sentence: String { "Path: \(way)." }

    /// The hops, and the end of the trace.
    package var way: String {
        var hops = path.hops
        if path.end == .silent { while let last = hops.last, last == nil { hops.removeLast() } }
        let told = hops.enumerated().map { index, hop in
            guard let hop else { return "no answer at hop \(index + 1)" }
            return "\(hop.address) \(format.cell(hop.roundTrip.milliseconds))"
        }
        guard !told.isEmpty else { return ending(after: 0) }
        return told.joined(separator: ", ") + "; " + ending(after: hops.count)
    }

    private func ending(after hops: Int) -> String {
        let reached = "reached at hop \(hops)"
        switch path.end {
        case .answered:
            let site = path.site.map { ", site \(EscapedText.terminal($0).truncated(to: 40))" }
            return reached + (site ?? "")
        case .closed: return "\(reached), no DNS over UDP at its port"
        case .rejected: return "hop \(hops) reports it unreachable"
        case .silent: return hops == 0 ? "no answer from any hop" : "no answer beyond hop \(hops)"
        case .limit: return "not reached in \(hops) hops"
        case .unsent:
            return hops == 0
                ? "no query could be sent" : "no query could be sent beyond hop \(hops)"
        }
    }

    /// The common format of all hops.
    private var format: LatencyFormat {
        LatencyFormat(fitting: path.hops.compactMap { $0?.roundTrip.milliseconds })
    }

    static let shape = Shape<KeptTrace>(
        "trace",
        [
            .moment("time", "Time of the trace.") { $0.time },
            .text("run", "Run of the round that caused the trace.") { $0.run },
            .count("round", "Number of that round.") { $0.round },
            .word("end", "Reason why the trace ended.") { $0.path.end },
            .text("site", null: "no answer named it", "Site that answered, by NSID.") {
                $0.path.site
            },
            .time(
                "network_rtt_ms",
                null: "it was not measured",
                "Time of the round's TCP handshake with the address; without one, of the last "
                    + "hop if it is the resolver."
            ) { $0.networkRTT?.milliseconds },
            .list("hops", hop, "Hops from the first router on.") { $0.path.hops },
        ]
    )

    private static let hop = Shape<PathTrace.Hop?>(
        "hop",
        [
            .text("address", null: "the hop is silent", "Address of the router.") {
                $0?.address.description
            },
            .time("rtt_ms", null: "the hop is silent", "Round trip to the router.") {
                $0?.roundTrip.milliseconds
            },
        ]
    )
}
