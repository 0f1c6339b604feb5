import Servers
import Testing

/// The sync calls before a round is announced.
struct StoreSyncTests {
    /// For each announced round, whether the store's log was synced since the previous announcement.
    private func syncs(durability: String) async throws -> [Bool] {
        let folder = TemporaryFolder()
        let run = try await Program("strace", package: "strace").run(
            ["-f", "-y", "-e", "trace=fsync,fdatasync,write", "-o", folder.file("trace")]
                + [Program.dnstempo().path, "watch", "--lab", "meadow", "-d", "example.com"]
                + ["--interval", "50ms", "--rounds", "12", "--warmup", "0"]
                + ["--store", folder.file("s.sqlite"), "--durability", durability],
            environment: Binary.environment(home: folder.path),
            limit: .seconds(120)
        )
        #expect(run.code == 0)
        #expect(run.output.matches(of: /(?m)^round \d+ at .*; stored$/).count == 12)
        var synced = false
        /// The threads within a sync of the log.
        var pending: Set<Substring> = []
        var announced: [Bool] = []
        for line in folder.text("trace").split(separator: "\n") {
            let thread = line.prefix { $0 != " " }
            if let sync = line.firstMatch(of: /f(?:data)?sync\(\d+<[^>]*s\.sqlite-wal>(\) += 0)?/) {
                if sync.output.1 != nil { synced = true } else { pending.insert(thread) }
            } else if line.contains(/<\.\.\. f(?:data)?sync resumed>\) += 0/) {
                if pending.remove(thread) != nil { synced = true }
            } else if line.contains(/write\(1<[^>]*>, "round \d+ at\b/) {
                announced.append(synced)
                synced = false
            }
        }
        return announced
    }

    @Test func `the log is synced before each announced round`() async throws {
        #expect(try await syncs(durability: "full") == Array(repeating: true, count: 12))
    }

    /// A reader cannot roll back the journal that a killed process leaves.
    @Test func `a new store never has a rollback journal`() async throws {
        let folder = TemporaryFolder()
        let run = try await Program("strace", package: "strace").run(
            ["-f", "-e", "trace=openat", "-o", folder.file("trace"), Program.dnstempo().path]
                + ["sample", "--lab", "meadow", "-d", "example.com"]
                + ["--store", folder.file("s.sqlite")],
            environment: Binary.environment(home: folder.path),
            limit: .seconds(120)
        )
        #expect(run.code == 0)
        let trace = folder.text("trace")
        #expect(trace.contains("s.sqlite-wal\""))
        #expect(!trace.contains("s.sqlite-journal\""))
    }

    @Test func `with durability off, no round waits for a sync`() async throws {
        #expect(try await syncs(durability: "off") == Array(repeating: false, count: 12))
    }
}
