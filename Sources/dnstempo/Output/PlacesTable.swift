import Central
import Reports
import Samples

/// The places of a central store, as text and as JSON.
struct PlacesTable {
    private let places: [CentralHistory.Place]

    init(_ places: [CentralHistory.Place]) { self.places = places }

    func text(_ format: OutputFormat) -> String { format == .json ? json.text() + "\n" : table }

    private var table: String {
        let rows = places.map { place in
            [
                "\(place.source)", place.vantage, "\(place.rounds)",
                place.shipped?.minuteText ?? "never",
                place.skew.map { "\($0) ms" } ?? "",
                place.isComplete ? "" : "sums still to come",
            ]
        }
        return PlainTable.text(
            [["place", "name", "rounds", "last shipped", "clock ahead", ""]] + rows
        )
    }

    private var json: JSONValue {
        [
            "places": .array(
                places.map { place in
                    [
                        "place": .integer(place.source), "vantage": .string(place.vantage),
                        "rounds": .integer(place.rounds),
                        "shipped": place.shipped.map { .string($0.description) } ?? .null,
                        "clock_ahead_ms": place.skew.map { .integer(Int($0)) } ?? .null,
                        "complete": .bool(place.isComplete),
                    ]
                }
            )
        ]
    }
}
