import Central
import Reports
import Samples

/// The places of a central store, as text and as JSON.
extension [CentralHistory.Place] {
    func text(_ format: OutputFormat) -> String {
        format == .json ? json.text() + "\n" : table + notes
    }

    private var table: String {
        let rows = map { place in
            [
                "\(place.source)", place.vantage, "\(place.rounds)",
                place.shipped?.minuteText ?? "never",
                place.skew.map { "\($0) ms" } ?? "",
                place.isComplete ? "" : "sums not yet shipped",
            ]
        }
        return Table(["place", "name", "rounds", "last shipped", "clock ahead", ""], rows).text()
    }

    /// One line for each name in a place's rounds that belongs to another place.
    private var notes: String {
        let lines = flatMap { place in
            place.foreignNames.map { name, shown in
                "\(place.title) has rounds of the vantage point '\(name)', which is another place's "
                    + "name: they are shown as '\(shown)'"
            }
        }
        let more = lines.count - Self.mostNotes
        return
            (lines.prefix(Self.mostNotes).map { EscapedText.terminal($0) }
            + (more > 0 ? ["and \(more) more names (--format json lists all)"] : []))
            .map { "\($0)\n" }.joined()
    }

    private static var mostNotes: Int { 20 }

    private var json: JSONValue {
        [CentralHistory.Place.places].members(of: self)
    }
}

extension CentralHistory.Place {
    /// The places of a central store.
    static let places = Field<[CentralHistory.Place]>.list("places", shape, "One entry per place.")
    {
        $0
    }

    private static let shape = Shape<CentralHistory.Place>(
        "place",
        [
            .count("place", "Number of the place.") { $0.source },
            .text("vantage", "Name of the place.") { $0.vantage },
            .count("rounds", "Rounds of the place.") { $0.rounds },
            .moment("shipped", null: "it never shipped", "Time of the last shipment.") {
                $0.shipped
            },
            Field(
                "clock_ahead_ms",
                .integer,
                unit: .milliseconds,
                null: "unknown",
                "How far the clock of the place is ahead of the store's."
            ) { $0.skew.map { .integer(Int($0)) } ?? .null },
            .flag("complete", "Whether all rounds and sums have arrived.") { $0.isComplete },
            .texts("shown_as", "Names that reports show for its rounds.") {
                Set($0.names.values).sorted()
            },
        ]
    )
}
