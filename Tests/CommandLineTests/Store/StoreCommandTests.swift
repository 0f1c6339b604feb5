import Foundation
import Servers
import Testing

/// The subcommands of `store` on an intact store.
struct StoreCommandTests {
    private let folder = TemporaryFolder()

    private static func run(_ arguments: [String], in folder: TemporaryFolder) async throws
        -> CommandOutput
    {
        try await Binary.run(["store"] + arguments, in: folder.path)
    }

    @Test func `an import reports new and known rounds of each file`() async throws {
        try folder.write(GeneratedSamples(run: "a", rounds: 12).text, to: "a.csv")
        try folder.write(GeneratedSamples(run: "b", rounds: 1, day: 2).text, to: "b.csv")
        try await Binary.succeed(["export", "b.csv", "-o", "b.jsonl"], in: folder.path)
        let first = try await Self.run(
            ["import", "a.csv", "b.jsonl", "--store", "s.sqlite"],
            in: folder
        )
        #expect(first.code == 0 && first.errors == "")
        #expect(
            first.output == """
                a.csv: 12 rounds, 480 samples imported; 0 rounds were there already
                b.jsonl: 1 round, 40 samples imported; 0 rounds were there already

                """
        )
        let again = try await Self.run(["import", "b.csv", "--store", "s.sqlite"], in: folder)
        #expect(again.output == "b.csv: 0 rounds, 0 samples imported; 1 round was there already\n")
        let quiet = try await Self.run(
            ["import", "-q", "a.csv", "--store", "s.sqlite"],
            in: folder
        )
        #expect(quiet.code == 0 && quiet.output == "" && quiet.errors == "")
        try await StoredFile(folder.file("s.sqlite")).expectSound(rounds: 13)
    }

    @Test func `a store is always a file, even under special names of SQLite`() async throws {
        try folder.write(GeneratedSamples(run: "a", rounds: 3).text, to: "a.csv")
        let refused = try await Self.run(["import", "a.csv", "--store", ":memory:"], in: folder)
        #expect(refused.code == 64 && refused.output == "")
        let line = "':memory:': a store is a file; give a path, such as './:memory:'"
        #expect(refused.errors == "dnstempo: \(line)\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.csv"])
        for name in ["./:memory:", ":new", "file:a?mode=memory"] {
            let taken = try await Self.run(["import", "a.csv", "--store", name], in: folder)
            #expect(taken.code == 0, "\(taken.errors)")
            try await StoredFile(folder.file(name)).expectSound(rounds: 3)
            let info = try await Self.run(["info", "--store", name], in: folder)
            #expect(info.code == 0, "\(info.errors)")
        }
    }

    @Test func `an import that stops at a bad line reports its imported rounds`() async throws {
        let good = GeneratedSamples(run: "a", rounds: 3).text
        try folder.write(good + "x,y\n", to: "short.csv")
        let short = try await Self.run(["import", "short.csv", "--store", "s.sqlite"], in: folder)
        #expect(short.code == 65 && short.output == "")
        #expect(
            short.errors == "dnstempo: short.csv, line 122: has 2 cells where the header has 13; "
                + "nothing of 'short.csv' was imported\n"
        )
        try await StoredFile(folder.file("s.sqlite")).expectSound(rounds: 0)
        // The import needs more than one transaction for these rounds.
        let many = GeneratedSamples(run: "b", rounds: 1_500).text
        try folder.write(many + "x,y\n", to: "long.csv")
        let long = try await Self.run(["import", "long.csv", "--store", "s.sqlite"], in: folder)
        #expect(long.code == 65)
        let told = /; of 'long.csv' (\d+) rounds, (\d+) samples were imported: import it again/
        let match = try #require(long.errors.firstMatch(of: told))
        let info = try await StoredFile(folder.file("s.sqlite")).info()
        #expect(info["rounds"] as? Int == Int(match.output.1))
        #expect(info["samples"] as? Int == Int(match.output.2))
        try folder.write(many, to: "long.csv")
        let rest = try await Self.run(["import", "long.csv", "--store", "s.sqlite"], in: folder)
        #expect(rest.code == 0)
        try await StoredFile(folder.file("s.sqlite")).expectSound(rounds: 1_500)
    }

    @Test func `a merge adds missing rounds and leaves the source unchanged`() async throws {
        for (name, day) in [("a", 1), ("b", 5)] {
            try folder.write(
                GeneratedSamples(run: name, rounds: 4, day: day).text,
                to: "\(name).csv"
            )
            let store = ["import", "\(name).csv", "--store", "\(name).sqlite"]
            #expect(try await Self.run(store, in: folder).code == 0)
        }
        let before = folder.read("b.sqlite")
        for added in [4, 0] {
            let run = try await Self.run(["merge", "b.sqlite", "--store", "a.sqlite"], in: folder)
            #expect(run.code == 0 && run.errors == "")
            let known = 4 - added
            #expect(
                run.output == "b.sqlite: \(added) rounds, \(40 * added) samples added; "
                    + "\(known) rounds were there already\n"
            )
        }
        #expect(folder.read("b.sqlite") == before)
        try await StoredFile(folder.file("a.sqlite")).expectSound(rounds: 8)
        for (other, code, words) in [
            ("a.sqlite", Int32(64), "is the store itself"),
            ("./a.sqlite", 64, "is the store itself"),
            ("c.sqlite", 66, "there is no store 'c.sqlite' to merge; check the path"),
            ("a.csv", 65, "is not a store of dnstempo"),
        ] {
            let arguments = ["merge", "b.sqlite", other, "--store", "a.sqlite"]
            let run = try await Self.run(arguments, in: folder)
            #expect(run.code == code && run.output == "")
            #expect(run.errors.contains(words))
        }
    }

    @Test func `a merge rejects pruned hours that the store contains in part`() async throws {
        for (name, rounds) in [("a", 2), ("b", 4)] {
            try folder.write(GeneratedSamples(run: "r", rounds: rounds).text, to: "\(name).csv")
            let store = ["import", "\(name).csv", "--store", "\(name).sqlite"]
            #expect(try await Self.run(store, in: folder).code == 0)
        }
        let prune = ["prune", "--older-than", "1d", "--store", "b.sqlite"]
        #expect(try await Self.run(prune, in: folder).code == 0)
        let reason =
            ": in hours of which samples are pruned they have a part of the rounds in common"
        let merge = try await Self.run(["merge", "b.sqlite", "--store", "a.sqlite"], in: folder)
        #expect(merge.code == 65 && merge.output == "")
        #expect(
            merge.errors == "dnstempo: the store 'b.sqlite' cannot be merged into 'a.sqlite'"
                + "\(reason); nothing was added: report on each alone\n"
        )
        let report = try await Binary.run(
            ["report", "--origin", "import", "--since", "2026-10-01", "a.sqlite", "b.sqlite"],
            in: folder.path
        )
        #expect(report.code == 65 && report.output == "")
        #expect(
            report.errors == "dnstempo: the stores 'a.sqlite' and 'b.sqlite' cannot be read as one"
                + "\(reason); report on each alone\n"
        )
    }

    @Test func `a store's resolvers, vantages and origins are listed`() async throws {
        try folder.write(GeneratedSamples(run: "a", rounds: 12).text, to: "a.csv")
        let store = ["--store", "s.sqlite"]
        #expect(try await Self.run(["import", "a.csv"] + store, in: folder).code == 0)
        let run = try await Self.run(["info"] + store, in: folder)
        #expect(run.code == 0 && run.errors == "")
        let lists = run.output.split(separator: "\n\n").dropFirst().joined(separator: "\n\n")
        #expect(
            lists == """
                origin  rounds  samples  first              last
                import      12      480  2026-10-01T00:00Z  2026-10-01T00:11Z

                vantage  rounds  samples  first              last
                here         12      480  2026-10-01T00:00Z  2026-10-01T00:11Z

                resolver  rounds  samples  first              last               endpoint
                r0            12      120  2026-10-01T00:00Z  2026-10-01T00:11Z  127.0.0.1:53
                r1            12      120  2026-10-01T00:00Z  2026-10-01T00:11Z  127.0.0.2:53
                r2            12      120  2026-10-01T00:00Z  2026-10-01T00:11Z  127.0.0.3:53
                r3            12      120  2026-10-01T00:00Z  2026-10-01T00:11Z  127.0.0.4:53

                """
        )
        let json = try await StoredFile(folder.file("s.sqlite")).info()
        let resolver = try #require((json["resolvers"] as? [[String: Any]])?.first)
        #expect(resolver["name"] as? String == "r0" && resolver["rounds"] as? Int == 12)
        #expect(resolver["endpoint"] as? String == "127.0.0.1:53")
        #expect(resolver["transport"] as? String == "udp" && resolver["samples"] as? Int == 120)
        for (key, name) in [("vantages", "here"), ("origins", "import")] {
            let holding = try #require((json[key] as? [[String: Any]])?.first)
            #expect(holding["name"] as? String == name && holding["samples"] as? Int == 480)
            #expect(holding["first"] as? String == json["first"] as? String)
            #expect(holding["last"] as? String == json["last"] as? String)
        }
    }

    @Test func `a table of hundreds of resolvers shows the most sampled ones`() async throws {
        let header =
            "run,round,scheduled,vantage,resolver,endpoint,transport,name,type,outcome,rtt_ms,"
            + "timeout_ms"
        let rows = (1...300).map { number in
            "a,1,2026-10-01T00:00:00Z,here,r\(number),127.0.\(number / 250).\(number % 250 + 1):53,"
                + "udp,n.example,A,answered,5,5000"
        }
        try folder.write(([header] + rows).joined(separator: "\n") + "\n", to: "a.csv")
        let store = ["--store", "s.sqlite"]
        #expect(try await Self.run(["import", "a.csv"] + store, in: folder).code == 0)
        let run = try await Self.run(["info"] + store, in: folder)
        #expect(run.output.hasSuffix("\nand 280 more (--format json lists all)\n"))
        #expect(run.output.split(separator: "\n").count < 40)
        let json = try await StoredFile(folder.file("s.sqlite")).info()
        #expect((json["resolvers"] as? [Any])?.count == 300)
    }

    @Test func `pruning reports the deleted and the kept data`() async throws {
        try folder.write(GeneratedSamples(run: "a", rounds: 120).text, to: "a.csv")
        let store = ["--store", "s.sqlite"]
        #expect(try await Self.run(["import", "a.csv"] + store, in: folder).code == 0)
        let sums = try await StoredFile(folder.file("s.sqlite")).info()["hourly_sums"] as? Int
        #expect(sums == 8)
        let old = try await Self.run(["prune", "--older-than", "36500d"] + store, in: folder)
        #expect(old.output.hasPrefix("nothing is from before 19"))
        let dry = ["prune", "--older-than", "1d", "--dry-run"]
        let would = try await Self.run(dry + store, in: folder)
        let what = /would drop 4800 samples of 120 rounds from before [-0-9]{10}T[0-9]{2}:00Z;/
        #expect(would.output.prefixMatch(of: what) != nil)
        #expect(would.output.hasSuffix("; their rounds and hourly sums stay\n"))
        #expect(try await StoredFile(folder.file("s.sqlite")).info()["samples"] as? Int == 4800)
        let run = try await Self.run(["prune", "--older-than", "1d"] + store, in: folder)
        let did = /dropped 4800 samples of 120 rounds from before .*; their rounds and hourly sums/
        #expect(run.output.prefixMatch(of: did) != nil)
        let info = try await StoredFile(folder.file("s.sqlite")).info()
        #expect(info["samples"] as? Int == 0 && info["pruned_samples"] as? Int == 4800)
        #expect(info["rounds"] as? Int == 120 && info["hourly_sums"] as? Int == sums)
        try await StoredFile(folder.file("s.sqlite")).expectSound()
    }

    @Test func `a check upgrades an older store, as the error advises`() async throws {
        try folder.write(GeneratedSamples(run: "a", rounds: 3).text, to: "a.csv")
        let store = ["--store", "s.sqlite"]
        #expect(try await Self.run(["import", "a.csv"] + store, in: folder).code == 0)
        // Older versions have other checksums of sums. Without rounds, no sum is missed.
        try await StoredFile(folder.file("s.sqlite")).query(
            """
            DELETE FROM connection; DELETE FROM warmup; DELETE FROM rollup;
            DELETE FROM detail; DELETE FROM sample; DELETE FROM round;
            DROP VIEW samples; DROP VIEW rounds; DROP VIEW hours; DROP TABLE word;
            DROP TABLE trace; DROP TABLE written; DROP TABLE store; DROP TABLE warmup; DROP TABLE cause;
            DROP TABLE notice; DROP TABLE judgement; DROP TABLE outbox;
            ALTER TABLE rollup DROP COLUMN rounds; ALTER TABLE rollup DROP COLUMN unanswered;
            ALTER TABLE rollup DROP COLUMN wrong; DROP INDEX round_by_extension;
            ALTER TABLE round DROP COLUMN extended; ALTER TABLE run DROP COLUMN schedule;
            ALTER TABLE run DROP COLUMN margin; DROP TABLE connection;
            ALTER TABLE run DROP COLUMN baseline; ALTER TABLE run DROP COLUMN in_use;
            ALTER TABLE detail DROP COLUMN network_rtt; ALTER TABLE detail DROP COLUMN edge;
            ALTER TABLE detail DROP COLUMN hits; ALTER TABLE detail DROP COLUMN misses;
            ALTER TABLE detail DROP COLUMN miss_time; ALTER TABLE detail DROP COLUMN cause;
            ALTER TABLE detail DROP COLUMN wire_out; ALTER TABLE detail DROP COLUMN wire_in;
            ALTER TABLE detail DROP COLUMN wire_packets;
            PRAGMA user_version = 1
            """
        )
        let info = try await Self.run(["info"] + store, in: folder)
        #expect(info.code == 65)
        #expect(info.errors.contains("is of an older version (1): store a round, or run dnstempo"))
        let check = try await Self.run(["check"] + store, in: folder)
        #expect(check.code == 0 && check.output.hasPrefix("'s.sqlite' is sound"))
        #expect(try await Self.run(["info"] + store, in: folder).code == 0)
    }

    @Test(arguments: try BadInput.cases("store"))
    func `an impossible command creates no store`(input: BadInput) async throws {
        try await input.check()
    }
}
