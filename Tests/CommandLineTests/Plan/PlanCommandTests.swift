import Fixtures
import Foundation
import Servers
import Testing

/// `plan`, which estimates the length of a comparison from earlier rounds.
@Suite struct PlanCommandTests {
    private let folder = TemporaryFolder()

    init() throws {
        let rounds = Rounds(start: "2026-03-16T00:00:00Z", count: 120, interval: 300)
        try folder.write(try rounds.jittery(), to: "a.csv")
    }

    private func plan(_ arguments: String) async throws -> String {
        let words = arguments.split(separator: " ").map(String.init)
        let run = try await Command.run(["plan"] + words, in: folder.path)
        #expect(run.code == 0 && run.errors == "", "\(arguments): \(run.errors)")
        let version = try await Command.run(["--version"]).output.dropLast()
        return run.output.replacing(version, with: "VERSION")
    }

    private func candidates(_ arguments: String) async throws -> [NSDictionary] {
        let json = try JSON(try await plan(arguments + " --format json"))
        #expect(json["schema"] as? String == "dnstempo.plan/1")
        return try #require(json["candidates"] as? [NSDictionary])
    }

    @Test(arguments: [
        ("several", "--difference 8ms --for 1m --baseline harbour"),
        ("single", "--difference 8ms --baseline harbour --candidate meadow"),
        ("below", "--difference 2ms --baseline harbour --candidate meadow"),
        ("time", "--for 1m --baseline harbour --margin 0ms"),
        ("hard", "--difference 5.01ms --baseline harbour"),
    ])
    func `a plan matches the golden files`(name: String, arguments: String) async throws {
        try Golden.expect(try await plan("a.csv \(arguments)"), in: "plan.\(name).txt")
    }

    @Test func `a plan in JSON matches the golden file`() async throws {
        let text = try await plan(
            "a.csv --difference 8ms --for 1m --baseline harbour --format json"
        )
        try Golden.expect(text, in: "plan.json")
    }

    @Test func `a store and a file of the same rounds give the same plan`() async throws {
        try await Command.succeed(
            ["store", "import", "a.csv", "--store", "a.sqlite"],
            in: folder.path
        )
        let wanted = "--difference 8ms --baseline harbour --since 2026-03-16 --until 2026-03-17"
        #expect(try await plan("a.sqlite \(wanted)") == plan("a.csv \(wanted)"))
        #expect(try await plan("--store a.sqlite \(wanted)") == plan("a.csv \(wanted)"))
    }

    @Test func `several candidates need more rounds than one`() async throws {
        let wanted = "a.csv --difference 7ms --baseline harbour"
        let all = try await candidates(wanted)
        let one = try await candidates(wanted + " --candidate meadow")
        #expect(all.compactMap { $0["name"] as? String } == ["meadow", "brook"])
        #expect(all.compactMap { $0["compared"] as? Int } == [2, 2])
        #expect(one.compactMap { $0["compared"] as? Int } == [1])
        let rounds = try [all, one].map { try #require($0[0]["rounds"] as? Int) }
        #expect(rounds[0] > rounds[1])
    }

    @Test func `half the rate takes twice the time`() async throws {
        let wanted = "a.csv --difference 8ms --baseline harbour"
        let times = try await [wanted, wanted + " --rate 2.5 --total-rate 7.5"].asyncMap {
            try #require(try await candidates($0)[0]["duration_s"] as? Double)
        }
        #expect(abs(times[1] - 2 * times[0]) < 0.01)
    }

    @Test func `rounds in hours with few rounds are not used`() async throws {
        let rounds = Rounds(start: "2026-03-17T00:00:00Z", count: 8, run: "later")
        try folder.write(try rounds.jittery(), to: "b.csv")
        let both = try await candidates("a.csv b.csv --difference 8ms --baseline harbour")
        #expect(both.compactMap { $0["history_rounds"] as? Int } == [128, 128])
        #expect(both.compactMap { $0["usable_rounds"] as? Int } == [120, 120])
    }

    @Test func `rounds of two places are distinguished`() async throws {
        let far = Rounds(
            start: "2026-03-16T00:00:00Z",
            count: 120,
            run: "far",
            vantage: "office",
            interval: 300
        )
        try folder.write(try far.jittery(), to: "b.csv")
        let text = try await plan("a.csv b.csv --difference 8ms --baseline harbour")
        #expect(text.contains("from 2 vantage points: choose one with --vantage"))
        let one = try await plan("a.csv b.csv --difference 8ms --baseline harbour --vantage office")
        #expect(!one.contains("vantage points"))
    }

    @Test func `a plan for the lab uses the rate of the lab`() async throws {
        try await Command.succeed(
            ["compare", "--lab", "--rounds", "36", "-q", "--samples", "lab.csv"],
            in: folder.path
        )
        let json = try JSON(
            try await plan("lab.csv --difference 8ms --baseline harbour --format json")
        )
        #expect(json["rate"] as? Double == 50)
        let rows = try #require(json["candidates"] as? [NSDictionary])
        #expect(rows.allSatisfy { $0["questions"] as? Int == 10 })
    }
}

extension Array {
    fileprivate func asyncMap<Result>(
        _ transform: (Element) async throws -> Result
    ) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
