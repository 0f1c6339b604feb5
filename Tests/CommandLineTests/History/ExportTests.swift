import Foundation
import Servers
import Testing

/// Exports of a store for other programs.
@Suite struct ExportTests {
    private let folder = TemporaryFolder()

    /// Measures a run, and writes it into a store and a samples file.
    private func measure(in folder: TemporaryFolder) async throws {
        let run = try await Binary.run(
            ["compare", "--lab", "hostile", "--rounds", "3", "--timeout", "500ms", "--nsid", "-q"]
                + ["--samples", "measured.csv", "--store", "s.sqlite"],
            in: folder.path
        )
        #expect(run.errors == "")
        #expect(!folder.text("measured.csv").isEmpty)
    }

    @Test func `exported samples equal the measured samples`() async throws {
        try await measure(in: folder)
        let shown = try await Binary.succeed(["export", "s.sqlite"], in: folder.path)
        #expect(shown.output == folder.text("measured.csv"))
        for arguments in [
            ["export", "s.sqlite", "-o", "lines.jsonl"],
            ["export", "lines.jsonl", "-o", "again.csv"],
        ] {
            let run = try await Binary.run(arguments, in: folder.path)
            #expect(run.code == 0 && run.output == "" && run.errors == "")
        }
        #expect(folder.text("again.csv") == folder.text("measured.csv"))
    }

    @Test func `a reader that closes the pipe ends an export without an error`() async throws {
        // The export is larger than the buffer of a pipe.
        let rounds = try Rounds(start: "2026-03-16T00:00:00Z", count: 2000).file { _ in .answer(7) }
        try folder.write(rounds, to: "big.csv")
        let program = try Program.dnstempo().path
        let run = try await Program("bash", package: "bash").run(
            ["-c", "'\(program)' export big.csv | head -1 >line; echo ${PIPESTATUS[0]}"],
            environment: Binary.environment(home: folder.path),
            in: folder.path
        )
        #expect(run.output == "0\n" && run.errors == "", "\(run)")
        #expect(folder.text("line").hasPrefix("run,round,"))
    }

    @Test func `a store's matrix equals the matrix of its samples`() async throws {
        try await measure(in: folder)
        for (source, target) in [("s.sqlite", "a"), ("measured.csv", "b")] {
            try await Binary.succeedSilently(
                ["export", source, "--layout", "matrix", "-o", target],
                in: folder.path
            )
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("a"))
        #expect(names.count == 10)
        for name in names { #expect(folder.text("a/\(name)") == folder.text("b/\(name)")) }
    }

    @Test func `hourly sums count as many queries as the samples`() async throws {
        try await measure(in: folder)
        let run = try await Binary.succeedSilently(
            ["export", "s.sqlite", "--rollups"],
            in: folder.path
        )
        let rows = run.output.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let column = try #require(rows.first?.firstIndex(of: "sent"))
        let sent = try rows.dropFirst().reduce(0) { try $0 + #require(Int($1[column])) }
        #expect(sent == folder.text("measured.csv").split(separator: "\n").count - 1)
    }

    @Test func `an export can select one resolver and one window`() async throws {
        try await measure(in: folder)
        let lines = folder.text("measured.csv").split(separator: "\n")
        let labels = Set(lines.dropFirst().map { $0.split(separator: ",")[5] })
        let label = String(try #require(labels.min()))
        let one = try await Binary.run(
            ["export", "s.sqlite", "--resolver", label],
            in: folder.path
        )
        #expect(one.output.split(separator: "\n").count == 1 + (lines.count - 1) / labels.count)
        let none = try await Binary.succeed(
            ["export", "s.sqlite", "--until", "2020-01-01"],
            in: folder.path
        )
        #expect(none.output.split(separator: "\n") == Array(lines.prefix(1)))
        #expect(none.errors.hasPrefix("dnstempo: nothing to export. There are rounds from "))
        let origin = try await Binary.run(
            ["export", "s.sqlite", "--origin", "sample,watch"],
            in: folder.path
        )
        #expect(origin.errors.hasSuffix(": write --origin compare.\n"))
    }

    @Test func `an unwritable output is reported with its file name`() async throws {
        try await measure(in: folder)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("full.csv"),
            withDestinationPath: "/dev/full"
        )
        let full = try await Binary.run(["export", "s.sqlite", "-o", "full.csv"], in: folder.path)
        #expect(full.code == 73)
        #expect(full.errors == "dnstempo: cannot write 'full.csv': No space left on device\n")
    }
}
