import Foundation
import Servers
import Testing

/// A watch that cannot write its store for some time, or until its end.
@Suite struct WatchTroubleTests {
    private static let lab = ["--lab", "meadow", "--store", "s.sqlite"]

    private func numbers(_ watch: WatchedLines) async throws -> [Int] {
        try await StoredFile(watch.folder.file("s.sqlite"))
            .query("SELECT number FROM round ORDER BY number")
            .split(separator: "\n").compactMap { Int($0) }
    }

    /// Runs `body` while another program locks the store.
    private func withHolder<Result>(
        of store: String,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let files = TemporaryFolder()
        let pipe = files.file("sql")
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let holder = try ChildProcess(
            Program("sh", package: "dash"),
            ["-c", "exec sqlite3 -batch -init /dev/null \"$0\" <\"$1\"", store, pipe],
            output: files.file("output"),
            errors: files.file("errors")
        )
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        let begin = ".timeout 20000\nBEGIN IMMEDIATE;\nSELECT 'held';\n"
        try writer.write(contentsOf: Data(begin.utf8))
        // sqlite3 may have to wait until the watch releases the store.
        let isHeld = try await eventually(while: holder) { files.text("output") == "held\n" }
        try #require(isHeld, "\(files.text("errors"))")
        let result: Result
        do { result = try await body() } catch {
            await holder.stop()
            throw error
        }
        try writer.close()
        _ = await holder.end()
        return result
    }

    @Test func `rounds measured while the store is locked are stored later`() async throws {
        try await Binary.withWatch(Self.lab) { watch in
            try await watch.wait { $0.stored.count >= 2 }
            let store = watch.folder.file("s.sqlite")
            let before = try await withHolder(of: store) {
                try await watch.wait { !$0.errors.isEmpty }
                let stored = try await numbers(watch)
                #expect(watch.stored == stored)
                return stored.count
            }
            try await watch.wait { $0.stored.count >= before + 5 }
            #expect(watch.errors.count == 1)
            #expect(watch.errors.first?.contains("is locked") == true)
            watch.process.send(signal: SIGTERM)
            #expect(await watch.process.end() == .code(0))
            #expect(watch.stored == Array(1...watch.stored.count))
            let found = try await numbers(watch)
            #expect(found == watch.stored, "\(watch.output.suffix(3))")
        }
    }

    @Test func `a store that stays unwritable to the end is an error`() async throws {
        try await Binary.withWatch(Self.lab) { watch in
            try await watch.wait { $0.stored.count >= 2 }
            let store = watch.folder.file("s.sqlite")
            try FileManager.default.moveItem(atPath: store, toPath: store + ".away")
            // Even root cannot write to a folder as if it were a file.
            try FileManager.default.createDirectory(
                atPath: store,
                withIntermediateDirectories: false
            )
            try await watch.wait { !$0.errors.isEmpty }
            watch.process.send(signal: SIGTERM)
            #expect(await watch.process.end() == .code(74))
            #expect(watch.errors.count == 2)
            #expect(watch.errors.last?.contains("could not be stored") == true)
            // The moved file contains all announced rounds, although its log was not moved with it.
            let moved = try await StoredFile(store + ".away").query("SELECT number FROM round")
            #expect(moved.split(separator: "\n").compactMap { Int($0) } == watch.stored)
            try await Command.succeed(["store", "check", "--store", store + ".away"])
        }
    }

    @Test func `after a store is moved, the new and the old store are sound`() async throws {
        try await Binary.withWatch(Self.lab) { watch in
            try await watch.wait { $0.stored.count >= 2 }
            let store = watch.folder.file("s.sqlite")
            try FileManager.default.moveItem(atPath: store, toPath: store + ".away")
            let count = watch.stored.count
            try await watch.wait { $0.stored.count >= count + 3 }
            watch.process.send(signal: SIGTERM)
            #expect(await watch.process.end() == .code(0))
            var found: [Int] = []
            for path in [store + ".away", store] {
                try await Command.succeed(["store", "check", "--store", path])
                let numbers = try await StoredFile(path).query("SELECT number FROM round")
                found += numbers.split(separator: "\n").compactMap { Int($0) }
            }
            #expect(found == watch.stored)
            #expect(watch.errors == [])
        }
    }

    @Test func `a store that is moved before the end contains its rounds`() async throws {
        try await Binary.withWatch(Self.lab + ["--interval", "1h"]) { watch in
            try await watch.wait { $0.stored == [1] }
            let moved = watch.folder.file("moved.sqlite")
            let store = watch.folder.file("s.sqlite")
            try FileManager.default.moveItem(atPath: store, toPath: moved)
            watch.process.send(signal: SIGTERM)
            #expect(await watch.process.end() == .code(0))
            #expect(try await StoredFile(moved).query("SELECT number FROM round") == "1\n")
            #expect(watch.errors == [])
        }
    }

    /// This test requires root, because it mounts a small disk.
    @Test(.enabled(if: geteuid() == 0))
    func `rounds that a full disk rejects are stored once space is free`() async throws {
        let disk = TemporaryFolder()
        let mount = try Program("mount", package: "mount")
        let made = try await mount.run(["-t", "tmpfs", "-o", "size=400k", "tmpfs", disk.path])
        try #require(made.code == 0)
        let store = disk.file("s.sqlite")
        do {
            try await Binary.withWatch(["--lab", "meadow", "--store", store]) { watch in
                try await watch.wait { !$0.errors.isEmpty }
                #expect(watch.errors.first?.hasPrefix("dnstempo: the disk is full") == true)
                let more = try await mount.run(["-o", "remount,size=8m", disk.path])
                #expect(more.code == 0)
                let count = watch.stored.count
                try await watch.wait { $0.stored.count >= count + 3 }
                watch.process.send(signal: SIGTERM)
                #expect(await watch.process.end() == .code(0))
                #expect(watch.stored == Array(1...watch.stored.count))
                try await Command.succeed(["store", "check", "--store", store])
                let info = try await StoredFile(store).info()
                #expect(info["rounds"] as? Int == watch.stored.count)
            }
        } catch {
            Issue.record(error)
        }
        let freed = try await Program("umount", package: "mount").run([disk.path])
        #expect(freed.code == 0)
    }

    @Test func `two watches of one store take turns`() async throws {
        let folder = TemporaryFolder()
        let store = folder.file("s.sqlite")
        let lab = ["--lab", "meadow", "--store", store]
        try await Binary.withWatch(lab) { one in
            try await one.wait { $0.stored.count >= 1 }
            try await Binary.withWatch(lab) { other in
                try await other.wait { $0.stored.count >= 5 }
                let count = one.stored.count
                try await one.wait { $0.stored.count >= count + 5 }
                #expect(one.errors == [])
                #expect(other.errors == [])
            }
        }
        try await Command.succeed(["store", "check", "--store", store])
        #expect(try await StoredFile(store).query("SELECT count(*) FROM run") == "2\n")
    }

    @Test func `a watch waits while a sample uses its store`() async throws {
        let folder = TemporaryFolder()
        let store = folder.file("s.sqlite")
        let (asked, announce) = AsyncStream<Void>.makeStream()
        try await withResponder { _ in
            announce.yield()
            return []
        } _: { responder in
            let sample = [
                "sample", "\(responder.endpoint)", "-d", "example.com", "--timeout", "60s",
                "--store", store,
            ]
            try await Binary.withRunning(sample) { process, _ in
                for await _ in asked { break }
                try await Binary.withWatch(["--lab", "meadow", "--store", store]) { watch in
                    // The lab of the watch answers at once. If the sample had not locked the store, the watch
                    // would soon store rounds.
                    let second = try await Command.run(sample)
                    #expect(second.code == 75)
                    #expect(watch.output == [] && watch.errors == [])
                    process.send(signal: SIGINT)
                    #expect(await process.end() == .code(130))
                    try await watch.wait { $0.stored.count >= 2 }
                }
            }
        }
    }

    @Test(arguments: [
        (arguments: ["--store", "/dev/null/s.sqlite"], code: Int32(73)),
        (["--store", "s.sqlite", "--no-store"], Int32(64)), (["--interval", "-1s"], Int32(64)),
        (["--rounds", "0"], Int32(64)), (["--rounds", "3", "--duration", "1m"], Int32(64)),
        (["--durability", "some"], Int32(64)), (["--campaign", "none"], Int32(66)),
    ])
    func `invalid commands fail before any query`(arguments: [String], code: Int32) async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let run = try await Command.run(
                ["watch", "\(responder.endpoint)", "-d", "example.com"] + arguments
            )
            #expect(run.code == code, "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(run.output == "" && responder.queries.isEmpty)
        }
    }
}
