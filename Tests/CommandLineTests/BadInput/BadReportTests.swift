import Servers
import Testing

/// Reports that the program rejects, with the error lines.
@Suite struct BadReportTests {
    private static let samples = [
        "a.csv": "run,round,scheduled,resolver,name,type,outcome,rtt_ms\n"
            + "r,1,2026-03-16T00:00:00Z,meadow,example.com,A,answered,12.5\n"
    ]

    @Test(arguments: try BadInput.cases("reports", files: samples))
    func `an impossible report is rejected with one line`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: try BadInput.cases("windows", files: samples))
    func `an impossible window is rejected with one line`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: try BadInput.cases("report-files", files: samples))
    func `an unusable file is rejected with one line`(input: BadInput) async throws {
        try await input.check()
    }
}
