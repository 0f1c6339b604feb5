import Foundation
import Servers
import Testing

/// A place's store that is restored from a backup.
@Suite struct CentralRestoreTests {
    /// Samples that need more than one transaction to ship.
    private static let many = CentralPlaces.samples(from: "home", router: 2, days: 24, names: 30)

    /// Copies a store and its log over the files of `other`.
    private func copy(_ name: String, to other: String, _ folder: TemporaryFolder) throws {
        for suffix in ["", "-wal", "-shm"] {
            let (from, to) = (folder.file(name + suffix), folder.file(other + suffix))
            try? FileManager.default.removeItem(atPath: to)
            guard FileManager.default.fileExists(atPath: from), suffix != "-shm" else { continue }
            try FileManager.default.copyItem(atPath: from, toPath: to)
        }
    }

    /// Rounds in which some resolver names and query names differ from the names of the places.
    private func samples(_ word: String, from day: String) -> String {
        CentralPlaces.samples(from: "home", router: 3, days: 2, since: day)
            .replacing("meadow", with: "\(word)-meadow").replacing("brook", with: "\(word)-brook")
            .replacing("n0.example", with: "\(word).example").replacing("home-", with: "\(word)-")
    }

    private func add(_ word: String, to store: String, _ places: CentralPlaces) async throws {
        try places.folder.write(samples(word, from: "2026-04-01"), to: "\(word).csv")
        _ = try await places.run(["store", "import", "\(word).csv", "--store", store])
    }

    /// The rows that a store or a central store exports.
    private func rows(_ arguments: [String], _ places: CentralPlaces) async throws -> Set<Substring>
    {
        let export = ["export", "--origin", "all", "--since", "2020-01-01"]
        let output = try await places.run(export + arguments).output
        return Set(output.split(separator: "\n"))
    }

    @Test func `the names of new rounds are shipped from a restored store`() async throws {
        try await CentralPlaces.withEnrolled(home: Self.many) { places, server in
            try copy("home.sqlite", to: "backup.sqlite", places.folder)
            try await add("old", to: "home.sqlite", places)
            for statement in [
                """
                CREATE FUNCTION public.cut_off() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE 'cut off'; END $$
                """,
                """
                CREATE TRIGGER cut_off BEFORE INSERT ON dnstempo.round FOR EACH ROW
                WHEN (NEW.id > 570) EXECUTE FUNCTION public.cut_off()
                """,
            ] { _ = try await server.psql(statement) }
            let cut = try await places.ship("home.sqlite", as: 1, to: server, code: 75)
            #expect(cut.errors.contains("cut off: try again later"))
            #expect(try await server.psql("SELECT count(*) > 500 FROM dnstempo.round") == "t")
            _ = try await server.psql("DROP TRIGGER cut_off ON dnstempo.round")
            try copy("backup.sqlite", to: "home.sqlite", places.folder)
            try await add("new", to: "home.sqlite", places)
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            let own = try await rows(["home.sqlite"], places)
            #expect(try await rows(["--store", server.url()], places) == own)
            #expect(own.contains { $0.contains("new-brook") } && own.count > 50_000)
            _ = try await places.run(["store", "check", "--store", server.url()])
        }
    }

    /// Older versions of dnstempo shipped all rows with a name, including rows without a round.
    @Test func `the error about a restored store names the row that differs`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            for table in ["target", "question", "run"] {
                let last = """
                    FROM dnstempo.\(table) WHERE source = 1 AND id = (
                        SELECT max(id) FROM dnstempo.\(table) WHERE source = 1
                    )
                    """
                let name = table == "target" ? "label" : "name"
                _ = try await server.psql(
                    """
                    INSERT INTO dnstempo.\(table) SELECT (jsonb_populate_record(
                        target, jsonb_build_object('id', id + 1, '\(name)', 'lost')
                    )).* \(last.replacing("dnstempo.\(table) WHERE", with: "dnstempo.\(table) AS target WHERE"))
                    """
                )
                let store = "\(table).sqlite"
                try copy("home.sqlite", to: store, places.folder)
                try await add("new", to: store, places)
                let rounds = "SELECT count(*) FROM dnstempo.round"
                let before = try await server.psql(rounds)
                let shipped = try await places.ship(store, as: 1, to: server, code: 65)
                #expect(shipped.errors.contains("was put back to before it shipped row "))
                #expect(
                    shipped.errors.contains(" of its table '\(table)', which differs"),
                    "\(shipped.errors)"
                )
                #expect(shipped.errors.contains("enrolled anew"))
                #expect(try await server.psql(rounds) == before)
                _ = try await server.psql("DELETE \(last)")
            }
            // Without the additional rows in the central store, the same store ships its rounds.
            try await add("new", to: "home.sqlite", places)
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            let own = try await rows(["home.sqlite"], places)
            #expect(try await rows(["--store", server.url()], places) == own)
        }
    }

    @Test func `shipping ends with an error if a central store keeps no rows`() async throws {
        try await CentralPlaces.withEnrolled(home: Self.many) { places, server in
            _ = try await server.psql(
                "CREATE FUNCTION public.forget() RETURNS trigger LANGUAGE plpgsql AS "
                    + "$$ BEGIN RETURN NULL; END $$"
            )
            for (event, table) in [("INSERT", "round"), ("UPDATE", "shipped")] {
                _ = try await server.psql(
                    "CREATE TRIGGER forget BEFORE \(event) ON dnstempo.\(table) FOR EACH ROW "
                        + "EXECUTE FUNCTION public.forget()"
                )
            }
            let shipped = try await places.ship("home.sqlite", as: 1, to: server, code: 65)
            #expect(shipped.errors.contains("lacks what it has just taken"), "\(shipped.errors)")
        }
    }

    @Test func `a backup that lacks samples added to a shipped round is rejected`() async throws {
        let places = try CentralPlaces()
        let lines = CentralPlaces.samples(from: "home", router: 2, days: 2).split(separator: "\n")
        func add(_ range: Range<Int>) async throws {
            let part = [lines[0]] + lines[range]
            try places.folder.write(part.joined(separator: "\n") + "\n", to: "part.csv")
            _ = try await places.run(["store", "import", "part.csv", "--store", "grown.sqlite"])
        }
        try await withPostgreSQL { server in
            try await places.enrol(server)
            try await add(4..<lines.count)
            _ = try await places.ship("grown.sqlite", as: 1, to: server)
            try copy("grown.sqlite", to: "backup.sqlite", places.folder)
            try await add(1..<4)
            _ = try await places.ship("grown.sqlite", as: 1, to: server)
            let back = try await places.ship("backup.sqlite", as: 1, to: server, code: 65)
            #expect(
                back.errors.contains("before it shipped what was added to its round 1:"),
                "\(back.errors)"
            )
            let again = try await places.ship("grown.sqlite", as: 1, to: server)
            #expect(again.output.hasPrefix("0 rounds, 0 samples shipped"))
        }
    }
}
