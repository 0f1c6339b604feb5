import Foundation
import Servers
import Testing

/// `instrument`, which reports whether this machine measures accurately.
@Suite struct InstrumentCommandTests {
    @Test func `all outputs report the same figures of this machine`() async throws {
        let folder = TemporaryFolder()
        let run = try await Command.succeed(
            [
                "instrument", "--duration", "1s", "--vantage", "here", "-o", "i.json", "-o",
                "i.html",
            ],
            in: folder.path
        )
        let report = try JSON(folder.text("i.json"))
        #expect(report["schema"] as? String == "dnstempo.instrument/1")
        #expect(report["vantage"] as? String == "here")
        let isTrusted = report["trusted"] as? Bool == true
        let reasons = try #require(report["reasons"] as? [[String: Any]])
        #expect(isTrusted == reasons.isEmpty)
        let first = String(run.output.prefix { $0 != "\n" })
        #expect(
            isTrusted
                ? first == "This machine can be trusted to measure."
                : first.hasPrefix("Do not trust this machine to measure: ")
        )
        #expect(folder.text("i.html").contains(first))
        for moment in ["idle", "loaded"] {
            let check = try #require(report[moment] as? [String: Any])
            let queries = try #require(check["queries"] as? Int)
            #expect(queries >= 1)
            #expect((check["clocks"] as? [String: Int])?.values.reduce(0, +) == queries)
            #expect(check["error_median_ms"] as? Double ?? -1 >= 0)
        }
        let machine = try #require(report["machine"] as? [String: Any])
        let cores = try #require(machine["cores"] as? Int)
        #expect(cores == ProcessInfo.processInfo.activeProcessorCount)
        #expect(report["load_threads"] as? Int == min(cores, 256))
        #if os(Linux)
        let release = try String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        #expect(machine["kernel"] as? String == "Linux \(release.dropLast())")
        let source = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
        let clock = (try? String(contentsOfFile: source, encoding: .utf8))?.dropLast()
        #expect(machine["clock_source"] as? String == clock.map(String.init))
        #endif
    }

    @Test func `with a vantage, the host name is not printed`() async throws {
        let run = try await Command.run(
            ["instrument", "--duration", "1s", "--vantage", "here", "--format", "json"]
        )
        let name = ProcessInfo.processInfo.hostName
        #expect(name.count < 4 || !run.output.contains(name))
    }

    @Test func `an untrusted machine fails a script with --fail-if untrusted`() async throws {
        let run = try await Command.run(
            ["instrument", "--duration", "1s", "--format", "json", "--fail-if", "untrusted"]
        )
        let isTrusted = try JSON(run.output)["trusted"] as? Bool == true
        #expect(run.code == (isTrusted ? 0 : 1))
        #expect(run.errors.hasPrefix("dnstempo: --fail-if untrusted: ") == !isTrusted)
    }

    @Test(arguments: try BadInput.cases("instrument"))
    func `impossible options are rejected with a reason`(input: BadInput) async throws {
        try await input.check()
    }
}
