import Foundation
import Servers
import Testing

/// A hostile place of a central store. The place cannot impersonate another place, and readers continue to
/// work.
@Suite struct CentralHostileTests {
    private static let window = ["--since", "2026-03-01", "--until", "2026-03-11"]
    private static let days = ["--since", "2026-03-01", "--until", "2026-03-03"]

    /// Runs `body` with two places. Place 1, `home`, is honest. Place 2, `mallory`, has shipped two days of
    /// rows with the vantage point `vantage`.
    private func withPlaces(
        named vantage: String = "mallory",
        _ body: (CentralPlaces, RunningServer) async throws -> Void
    ) async throws {
        let places = try CentralPlaces()
        let samples = CentralPlaces.samples(from: vantage, router: 30, days: 2)
        try places.folder.write(samples, to: "mallory.csv")
        try await withPostgreSQL { server in
            _ = try await places.run(["store", "init", "--store", server.url()])
            for (role, place) in [(1, "home"), (2, "mallory")] {
                _ = try await places.run([
                    "store", "import", "\(place).csv", "--store", "\(place).sqlite",
                ])
                _ = try await places.run([
                    "store", "enrol", place, "--label", "country=\(place)", "--store",
                    server.url(),
                ])
                _ = try await places.ship("\(place).sqlite", as: role, to: server)
            }
            try await body(places, server)
        }
    }

    @Test func `a place that ships under a used name is shown separately`() async throws {
        try await withPlaces(named: "home") { places, server in
            let store = ["--store", server.url()]
            for window in [Self.window, Self.days] {
                let report = ["report", "--vantage", "home", "--format", "csv"] + window
                let own = try await places.run(report + ["home.sqlite"])
                #expect(try await places.run(report + store).output == own.output)
                let both = ["report", "--by", "vantage", "--format", "csv"] + window
                let table = try await places.run(both + store).output
                #expect(table.contains("home (place 2)"), "\(table)")
            }
            let export = ["export", "--vantage", "home"]
            let own = try await places.run(export + ["home.sqlite"]).output
            #expect(try await places.run(export + store).output == own)
            // Labels belong to the place that was enrolled, not to the shipped name.
            let labels = try await places.run(
                ["report", "--by", "label:country", "--format", "json"] + Self.days + store
            )
            #expect(labels.output.contains("mallory"), "\(labels.output)")
            let words = "home (place 2)'"
            let check = try await places.run(["store", "check"] + store)
            #expect(check.output.contains(words) && check.output.contains("is sound"))
            let info = try await places.run(["store", "info"] + store)
            #expect(info.output.contains("place's name: they are shown as '\(words)"))
            for view in ["samples", "rounds", "hours"] {
                let names = try await server.psql(
                    "SELECT DISTINCT source, vantage FROM dnstempo.\(view) ORDER BY source"
                )
                #expect(names == "1|home\n2|home (place 2)", "\(view): \(names)")
            }
            let page = "/api/window?by=vantage&since=2026-03-01&until=2026-03-03"
            try await Binary.withServe(of: server.url()) { served in
                let reply = try await served.ask(page)
                #expect(reply.body.contains("home (place 2)"))
            }
        }
    }

    @Test func `the name of a place without rounds selects another place's rounds`() async throws {
        try await withPlaces(named: "office") { places, server in
            let store = ["--store", server.url()]
            _ = try await places.run(["store", "enrol", "office"] + store)
            let report = ["report", "--vantage", "office", "--format", "json"] + Self.days + store
            let told = try await places.run(report).output
            #expect(told.contains("from office (place 2)"), "\(told)")
            let export = ["export", "--vantage", "office"] + store
            let rows = try await places.run(export).output.split(separator: "\n")
            let areShown = rows.dropFirst().allSatisfy { $0.contains(",office (place 2),") }
            #expect(rows.count > 1 && areShown)
            let unknown = try await places.run(["export", "--vantage", "attic"] + store, code: 64)
            #expect(unknown.errors.contains("--vantage"))
        }
    }

    @Test func `a unique name stays, and a re-enrolled place counts as one place`() async throws {
        try await withPlaces(named: "debian") { places, server in
            let report = ["report", "--by", "vantage", "--format", "csv"] + Self.days
            let store = ["--store", server.url()]
            #expect(try await places.run(report + store).output.contains("debian"))
            // The place home is enrolled again, as after its store was restored from a backup.
            _ = try await places.run(["store", "enrol", "home", "--again"] + store)
            _ = try await places.ship("home.sqlite", as: 3, to: server)
            let vantage = report + ["--vantage", "home"]
            let own = try await places.run(vantage + ["home.sqlite"]).output
            #expect(try await places.run(vantage + store).output == own)
        }
    }

    @Test func `an unreadable place is reported in a note, and can be left out`() async throws {
        try await withPlaces { places, server in
            _ = try await server.psql(HostileRows.withoutConstraints)
            _ = try await server.psql(
                "UPDATE dnstempo.round SET data = '\\x0102' WHERE source = 2 AND number = 7"
            )
            let store = ["--store", server.url()]
            let note = "Place 2 (mallory) could not be read: the samples of a round are not as "
            let report = ["report"] + Self.days
            for format in ["table", "json", "markdown"] {
                let told = try await places.run(report + ["--format", format] + store)
                #expect(told.output.flowing.contains(note), "\(told.output)")
            }
            let chart = ["chart"] + Self.days
            #expect(try await places.run(chart + store).output.flowing.contains(note))
            let own = try await places.run(chart + ["home.sqlite"]).output
            #expect(try await places.run(chart + ["--without-place", "2"] + store).output == own)
            for command in [report + ["--format", "csv"], ["export"]] {
                let told = try await places.run(command + store)
                #expect(told.errors.contains(note), "\(told.errors)")
                let left = try await places.run(command + ["--without-place", "2"] + store)
                #expect(left.errors == "" && left.output == told.output)
                #expect(try await places.run(command + ["home.sqlite"]).output == left.output)
            }
            _ = try await places.run(report + ["-o", "report.html"] + store)
            let page = String(decoding: places.folder.read("report.html"), as: UTF8.self)
            #expect(page.contains(note))
            let compared = report + ["--baseline", "brook", "--format", "json"] + store
            #expect(try await places.run(compared).output.contains(note))
            try await Binary.withServe(of: server.url()) { served in
                let page = "/api/window?since=2026-03-01&until=2026-03-03"
                let reply = try await served.ask(page)
                #expect(reply.body.contains(note))
            }
            let unknown = try await places.run(report + ["--without-place", "7"] + store, code: 64)
            #expect(unknown.errors.contains("--without-place 7: the central store has no place"))
            let file = report + ["home.sqlite", "--without-place", "2"]
            #expect(try await places.run(file, code: 64).errors.contains("for a central store"))
        }
    }

    @Test func `a place without sums is checked as far as possible`() async throws {
        try await withPlaces { places, server in
            let check = ["store", "check", "--store", server.url()]
            _ = try await server.psql("UPDATE dnstempo.shipped SET sums_from = 0 WHERE source = 2")
            let part = try await places.run(check, code: 75)
            #expect(part.output.contains("place 2 (mallory): its latest hourly sums were not "))
            #expect(!part.output.contains("is sound"))
            let json = try await places.run(check + ["--format", "json"], code: 75).output
            #expect(json.contains("\"sound\": false") && !json.contains("\"unchecked\": []"))
            let rest = try await places.run(check + ["--without-place", "2"], code: 75)
            #expect(rest.output.contains("place 2 (mallory) was not checked: it is left out"))
            _ = try await server.psql(
                "UPDATE dnstempo.round SET checksum = 1 WHERE source = 2 AND number = 7"
            )
            let found = try await places.run(check, code: 65)
            #expect(found.output.contains("place 2 (mallory): round 7 of run"), "\(found.output)")
        }
    }

    @Test func `places are read one by one if a statement fails for one place`() async throws {
        try await withPlaces { places, server in
            _ = try await server.psql(
                """
                CREATE OR REPLACE VIEW dnstempo.current WITH (security_invoker = true) AS
                SELECT * FROM dnstempo.round WHERE 1 / (source - 2) IS NOT NULL
                """
            )
            let report = ["report", "--format", "csv"] + Self.days
            let own = try await places.run(report + ["home.sqlite"]).output
            let told = try await places.run(report + ["--store", server.url()])
            #expect(told.output == own && told.errors.contains("division by zero"))
            _ = try await places.run(["store", "check", "--store", server.url()], code: 65)
        }
    }

    @Test func `rows that need much more memory than disk are not read`() async throws {
        try await withPlaces { places, server in
            _ = try await server.psql(HostileRows.withoutConstraints)
            let report = ["report", "--format", "csv"] + Self.days
            let own = try await places.run(report + ["home.sqlite"]).output
            for (bomb, reason) in [
                (
                    "UPDATE dnstempo.round SET data = decode(repeat('00', 40000000), 'hex') "
                        + "WHERE source = 2 AND number = 7",
                    "the samples of a round are not as they were packed"
                ),
                (
                    "INSERT INTO dnstempo.text VALUES (2, 900001, repeat('a', 280000000))",
                    "it has more than 256 MiB of rows to read"
                ),
            ] {
                _ = try await server.psql(bomb)
                let told = try await places.run(report + ["--store", server.url()])
                #expect(told.output == own && told.errors.contains(reason), "\(told.errors)")
            }
        }
    }

    @Test func `no row of a place changes the reports about other places`() async throws {
        try await withPlaces { places, server in
            let kinds = try await hostilePlaces(server)
            let store = ["--store", server.url()]
            let all = kinds.flatMap { ["--without-place", "\($0)"] }
            for command in [
                ["report", "--format", "csv"] + Self.window,
                ["report", "--format", "csv", "--baseline", "brook"] + Self.days,
                ["chart"] + Self.window, ["export"] + Self.days,
            ] {
                let command = command + ["--vantage", "home"]
                let own = try await places.run(command + ["home.sqlite"])
                let central = try await places.run(command + store)
                #expect(central.output.withoutNotes == own.output.withoutNotes, "\(command)")
                #expect((central.output + central.errors).flowing.contains("could not be read: "))
                let left = try await places.run(command + all + store)
                #expect(left.output == own.output && left.errors == "", "\(left.errors)")
            }
            let info = try await places.run(["store", "info"] + store)
            #expect(info.output.contains(#/1 +home +288 /#))
            let check = try await places.run(["store", "check"] + store, code: 65)
            #expect(!check.output.contains("place 1 (home)"), "\(check.output)")
            #expect(!check.output.contains("place 2 (mallory)"), "\(check.output)")
        }
    }

    /// Adds one place for each kind of hostile row. Each added place has the rows of place 2 and one hostile
    /// row. Returns the numbers of the added places.
    private func hostilePlaces(_ server: RunningServer) async throws -> Range<Int> {
        _ = try await server.psql(HostileRows.withoutConstraints)
        let sources = 101..<(101 + HostileRows.of(0).count)
        let places = "generate_series(\(sources.lowerBound), \(sources.upperBound - 1))"
        let copied = """
            DO $$ DECLARE one record; BEGIN
                INSERT INTO dnstempo.source (id, vantage) OVERRIDING SYSTEM VALUE
                    SELECT id, 'mallory-' || id FROM \(places) AS id;
                FOR one IN SELECT c.table_name AS name, string_agg(
                    format('own.%I', c.column_name), ', ' ORDER BY c.column_name) AS columns
                    FROM information_schema.columns AS c
                    JOIN information_schema.tables AS t USING (table_schema, table_name)
                    WHERE table_schema = 'dnstempo' AND t.table_type = 'BASE TABLE'
                        AND c.column_name <> 'source'
                        AND c.table_name NOT IN ('source', 'version', 'word', 'roles')
                    GROUP BY c.table_name ORDER BY min(array_position(
                        '{shipped,vantage,endpoint,target,question,probe,text,run,rollup_key,rollup}',
                        c.table_name::text))
                LOOP
                    EXECUTE format('INSERT INTO dnstempo.%I (source, %s) SELECT place.id, %s
                        FROM dnstempo.%I AS own, \(places) AS place (id) WHERE source = 2',
                        one.name, replace(one.columns, 'own.', ''), one.columns, one.name);
                END LOOP;
            END $$
            """
        _ = try await server.psql(copied)
        for source in sources {
            let row = HostileRows.of(source)[source - sources.lowerBound]
            do { _ = try await server.psql(row.sql) } catch {
                Issue.record("\(row.name): \(error)")
            }
        }
        return sources
    }
}

extension String {
    /// The text on one line.
    fileprivate var flowing: String { replacing(#/\s+/#, with: " ") }

    /// The lines of a chart, or the lines of a table without its notes.
    fileprivate var withoutNotes: [String] {
        let lines = split(separator: "\n").map(String.init)
        let drawn = lines.filter { $0.contains("│") }
        return drawn.isEmpty ? lines.map { $0.replacing(#/"selection: .*"/#, with: "") } : drawn
    }
}
