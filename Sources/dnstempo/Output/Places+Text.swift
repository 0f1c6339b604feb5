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
                place.isComplete ? "" : "sums still to come",
            ]
        }
        return Table(["place", "name", "rounds", "last shipped", "clock ahead", ""], rows).text()
    }

    /// A line for each name of a place's rounds that is another place's.
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
        [
            "places": .array(
                map { place in
                    [
                        "place": .integer(place.source), "vantage": .string(place.vantage),
                        "rounds": .integer(place.rounds),
                        "shipped": .moment(place.shipped),
                        "clock_ahead_ms": place.skew.map { .integer(Int($0)) } ?? .null,
                        "complete": .bool(place.isComplete),
                        "shown_as": .array(
                            Set(place.names.values).sorted().map { .string($0) }
                        ),
                    ]
                }
            )
        ]
    }
}
