import Samples

/// What was read for a report over a window, and from when on.
struct Provenance {
    var firstSample: Timestamp?
    var firstSum: Timestamp?
    var clock: LocalClock

    func text(toolVersion: String) -> String {
        let tool = "dnstempo \(EscapedText.terminal(toolVersion))."
        switch (firstSample, firstSum) {
        case (nil, nil): return tool
        case (let sample?, nil): return "From samples since \(clock.text(sample)), \(tool)"
        case (nil, let sum?):
            return "From hourly sums since \(clock.text(sum)), quantiles within 1 %, \(tool)"
        case (let sample?, let sum?):
            return "From hourly sums since \(clock.text(sum)), quantiles within 1 %, and from "
                + "samples since \(clock.text(sample)), \(tool)"
        }
    }

    /// The two members that every report has.
    var members: [JSONValue.Member] {
        [
            .init(
                name: "samples_since",
                value: firstSample.map { .string($0.description) } ?? .null
            ),
            .init(
                name: "rollups_since",
                value: firstSum.map { .string($0.description) } ?? .null
            ),
        ]
    }
}
