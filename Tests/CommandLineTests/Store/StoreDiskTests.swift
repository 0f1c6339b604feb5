import Foundation
import Servers
import Testing

/// Stores on full and read-only disks.
@Suite(.enabled("mounting a disk needs root") { await SmallDisk.isPermitted })
struct StoreDiskTests {
    private static let sample = ["sample", "--lab", "meadow", "-d", "example.com", "--store"]

    /// Imports files until an import fails. Returns the number of files announced as imported, and the
    /// output.
    private func importFiles(
        into store: String,
        from folder: TemporaryFolder
    ) async throws -> (announced: Int, failed: CommandOutput) {
        let files = try (1...60).map { number in
            try folder.write(
                GeneratedSamples(run: "run\(number)", rounds: 10, day: number % 25 + 1).text,
                to: "f\(number).csv"
            )
        }
        let run = try await Binary.run(["store", "import"] + files + ["--store", store])
        return (run.output.split(separator: "\n").count, run)
    }

    @Test func `a full disk ends an import with one line, and stored files stay`() async throws {
        let folder = TemporaryFolder()
        try await SmallDisk.with(kilobytes: 700) { disk in
            let store = disk.file("s.sqlite")
            let (announced, failed) = try await importFiles(into: store, from: folder)
            #expect(announced > 2)
            #expect(failed.code == 74)
            #expect(
                failed.errors == "dnstempo: the disk is full: nothing more can be stored in "
                    + "'\(store)', and what was stored before is safe; free some space; nothing of "
                    + "'\(folder.file("f\(announced + 1).csv"))' was imported\n"
            )
            let info = try await StoredFile(store).info()
            #expect(info["rounds"] as? Int == 10 * announced)
            #expect(info["samples"] as? Int == 10 * announced * GeneratedSamples.queries)
            try await StoredFile(store).expectSound()
            // The stored rounds can be merged into a store on another disk.
            let another = folder.file("all.sqlite")
            try await Binary.succeed(["store", "merge", store, "--store", another])
            #expect(try await StoredFile(another).info()["rounds"] as? Int == 10 * announced)
        }
    }

    @Test func `a sample on a full disk names a remedy and loses nothing`() async throws {
        try await SmallDisk.with(kilobytes: 400) { disk in
            let store = disk.file("s.sqlite")
            #expect(try await Binary.run(Self.sample + [store]).code == 0)
            try disk.fill()
            let run = try await Binary.run(Self.sample + [store])
            #expect(run.code == 74)
            #expect(run.output == "")
            #expect(run.errors.hasPrefix("dnstempo: the disk is full"))
            #expect(run.errors.hasSuffix("free some space\n"))
            for command in ["info", "check"] {
                let run = try await Binary.run(["store", command, "--store", store])
                #expect(run.code == 74)
                #expect(run.errors.hasPrefix("dnstempo: the disk is full"))
            }
            try #require(unsafe unlink(disk.file("filler")) == 0)
            #expect(try await StoredFile(store).info()["rounds"] as? Int == 1)
            #expect(try await Binary.run(Self.sample + [store]).code == 0)
            try await StoredFile(store).expectSound(rounds: 2)
        }
    }

    @Test func `a comparison on a full disk prints its result, and then fails`() async throws {
        try await SmallDisk.with(kilobytes: 700) { disk in
            let store = disk.file("s.sqlite")
            #expect(try await Binary.run(Self.sample + [store]).code == 0)
            // The store is opened while there is space. The disk is filled during the measurement.
            try await withResponder { query in
                if query.ordinal == 2 { try? disk.fill() }
                return [.reply(query.answer())]
            } _: { responder in
                let run = try await Binary.run(
                    ["compare", "\(responder.endpoint)", "-d", "example.com", "--rounds", "300"]
                        + ["--rate", "500", "--total-rate", "500", "--store", store]
                )
                #expect(run.code == 74)
                #expect(run.output.contains("median"))
                #expect(run.errors.hasPrefix("dnstempo: the disk is full"))
            }
            try #require(unsafe unlink(disk.file("filler")) == 0)
            try await StoredFile(store).expectSound()
        }
    }

    @Test func `a read-only store is readable, and a writer gets a remedy`() async throws {
        let folder = TemporaryFolder()
        let samples = try folder.write(GeneratedSamples(run: "a", rounds: 2).text, to: "a.csv")
        try await SmallDisk.with(kilobytes: 700) { disk in
            let store = disk.file("s.sqlite")
            #expect(try await Binary.run(Self.sample + [store]).code == 0)
            try await disk.makeReadOnly()
            try await StoredFile(store).expectSound(rounds: 1)
            let merge = ["store", "merge", store, "--store", folder.file("m.sqlite")]
            #expect(try await Binary.run(merge).code == 0)
            let writers = [
                Self.sample + [store], ["store", "import", samples, "--store", store],
                ["store", "prune", "--older-than", "1d", "--store", store],
                ["compare", "--lab", "meadow", "--store", store],
            ]
            for arguments in writers {
                let run = try await Binary.run(arguments)
                if arguments[1] == "prune" {
                    // Pruning writes nothing, since all samples are new.
                    #expect(run.code == 0)
                    continue
                }
                #expect(run.code == 73, "\(arguments)")
                #expect(run.output == "")
                #expect(run.errors.split(separator: "\n").count == 1)
                #expect(run.errors.contains("'\(store)"))
                #expect(run.errors.contains("name another with --store"), "\(run.errors)")
            }
        }
    }
}
