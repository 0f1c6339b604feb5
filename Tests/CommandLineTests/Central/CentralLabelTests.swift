import Foundation
import Servers
import Testing

/// Groups of places by a label in a central store.
@Suite struct CentralLabelTests {
    private static let window = ["--since", "2026-03-01", "--until", "2026-03-03"]
    private let folder = TemporaryFolder()

    /// The samples of two days at a place. meadow answers after 12 ms, and harbour after `harbour`
    /// milliseconds.
    private func samples(from place: String, harbour: Double) throws -> String {
        try Rounds(start: "2026-03-01T00:00:00Z", count: 96, run: place, vantage: place).file {
            .answer([12, harbour, 16][$0.resolver] + $0.noise)
        }
    }

    private func run(_ arguments: [String], code: Int32 = 0) async throws -> CommandOutput {
        let output = try await Binary.run(arguments, in: folder.path, limit: .seconds(120))
        #expect(output.code == code, "\(arguments.joined(separator: " ")): \(output.errors)")
        return output
    }

    @Test func `places are grouped by country`() async throws {
        try await withPostgreSQL { server in
            _ = try await run(["store", "init", "--store", server.url()])
            let places = [("berlin", "DE", 30.0), ("bonn", "DE", 34), ("oslo", "NO", 8)]
            for (index, (place, country, harbour)) in places.enumerated() {
                let file = try folder.write(
                    samples(from: place, harbour: harbour),
                    to: "\(place).csv"
                )
                let store = "\(place).sqlite"
                _ = try await run(["store", "import", file, "--store", store])
                _ = try await run([
                    "store", "enrol", place, "--label", "country=\(country)", "--store",
                    server.url(),
                ])
                _ = try await run([
                    "store", "ship", "--store", store, "--to", server.url("dnstempo_\(index + 1)"),
                ])
            }
            let report = ["report", "--origin", "import", "--store", server.url()] + Self.window
            let table = Table(
                try await run(
                    report + ["--by", "label:country", "--resolver", "harbour", "--format", "csv"]
                ).output
            )
            // The slowest group is first. The figure of a group is the lower median of the places' medians.
            #expect(table.column("group") == ["DE", "NO"])
            #expect(table.column("places") == ["2", "1"])
            let medians = table.column("median_ms").compactMap(Double.init)
            try #require(medians.count == 2)
            #expect((30...31).contains(medians[0]))
            #expect((8...9).contains(medians[1]))
            let compared = try await run(
                report + ["--by", "label:country", "--baseline", "harbour"]
            )
            #expect(
                compared.output.hasPrefix(
                    "brook is more than 5 ms faster than harbour at 2 of 3 places.\n"
                ) && compared.output.contains(#/DE +2 +32\.\d ms +2 of 2 +2 of 2/#),
                "\(compared.output)"
            )
            let gated = try await run(
                report + ["--by", "label:country", "--fail-if", "p95 > 1ms"],
                code: 64
            )
            #expect(gated.errors.contains("--fail-if applies to one place, and --by label:country"))
            let wrong = try await run(report + ["--by", "label:land"], code: 64)
            #expect(wrong.errors.contains("no place has that label; choose label:country"))
            let file = try await run(
                ["report", "berlin.sqlite", "--by", "label:country"],
                code: 64
            )
            #expect(file.errors.contains("files have no labels of places"))
        }
    }
}
