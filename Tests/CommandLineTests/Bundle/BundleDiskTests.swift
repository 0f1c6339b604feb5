import Foundation
import Servers
import Testing

/// Evidence on full and read-only disks.
@Suite(.enabled("mounting a disk needs root") { await SmallDisk.isPermitted })
struct BundleDiskTests {
    private static let words = ["--lab", "meadow", "brook", "-d", "a.test", "-d", "b.test"]

    @Test func `a comparison on a full disk is printed, and reports a write error`() async throws {
        try await SmallDisk.with(kilobytes: 16) { disk in
            let run = try await Binary.run(
                ["compare"] + Self.words + ["--rounds", "12", "--no-store", "--format", "json"]
                    + ["--evidence", disk.file("kept")]
            )
            #expect(try JSON(run.output).resolvers.count == 2)
            #expect(run.code == 73 || run.code == 74)
            #expect(run.errors.split(separator: "\n").count == 1)
            // The sizes of the files decide which file does not fit on the disk.
            #expect(run.errors.hasPrefix("dnstempo: cannot write "))
            #expect(run.errors.contains(" '\(disk.path)/kept/"))
        }
    }

    @Test func `a watch continues on a full disk, and ends with an error`() async throws {
        try await SmallDisk.with(kilobytes: 16) { disk in
            let run = try await Binary.run(
                ["watch"] + Self.words + ["--rounds", "14", "--interval", "50ms"]
                    + ["--evidence", disk.file("kept")]
            )
            let lines = run.output.split(separator: "\n")
            #expect(lines.filter { $0.hasSuffix(": 4 answered; measured") }.count == 14)
            #expect(run.code == 73 || run.code == 74)
            let told = run.errors.split(separator: "\n")
            #expect(told.count == 2 && told[0].hasPrefix("dnstempo: --evidence: "), "\(told)")
        }
    }

    @Test func `a read-only disk is rejected before any query`() async throws {
        try await SmallDisk.with(kilobytes: 16) { disk in
            try await disk.makeReadOnly()
            try await withResponder { _ in
                []
            } _: { responder in
                for command in ["compare", "watch"] {
                    let kept = disk.file("kept")
                    let run = try await Binary.run(
                        [command, "\(responder.endpoint)", "-d", "a.test", "--evidence", kept]
                    )
                    #expect(run.code == 73)
                    #expect(
                        run.errors
                            == "dnstempo: --evidence '\(kept)': no folder can be made there: "
                            + "name another\n"
                    )
                }
                #expect(responder.queries.isEmpty)
            }
        }
    }
}
