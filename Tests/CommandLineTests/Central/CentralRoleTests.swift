import Foundation
import Servers
import Testing

/// Functions that a place's role creates, and central stores in other databases of one server.
@Suite struct CentralRoleTests {
    @Test func `functions of a place run neither as the owner nor as a reader`()
        async throws
    {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            _ = try await server.psql("CREATE TABLE public.calls (name text)")
            _ = try await server.psql("GRANT INSERT ON public.calls TO PUBLIC")
            _ = try await server.psql("GRANT CREATE ON SCHEMA public TO PUBLIC")
            // The argument types of these functions match a call better than the types of the server's
            // functions.
            for (name, arguments, result, call) in [
                ("array_fill", "bigint, integer[]", "bigint[]", "array_fill($1, $2)"),
                ("to_regclass", "varchar", "regclass", "to_regclass($1::text)"),
                ("format", "text", "text", "format($1)"),
                ("obj_description", "regclass, text", "text", "obj_description($1::oid, $2::name)"),
                ("exp", "bigint", "float8", "exp($1::float8)"),
                ("div", "numeric, integer", "numeric", "div($1, $2::numeric)"),
                ("get_byte", "bytea, bigint", "integer", "get_byte($1, $2::int)"),
                ("set_config", "text, varchar, boolean", "text", "set_config($1, $2::text, $3)"),
            ] {
                _ = try await server.psql(
                    """
                    CREATE FUNCTION public.\(name)(\(arguments)) RETURNS \(result) LANGUAGE plpgsql AS $$
                    BEGIN
                        INSERT INTO public.calls VALUES ('\(name) as ' || current_user);
                        RETURN pg_catalog.\(call);
                    END $$
                    """,
                    as: "dnstempo_2"
                )
            }
            let making = ["store", "init", "--store", server.url()]
            // `init` creates the views again.
            _ = try await server.psql("DROP VIEW dnstempo.current CASCADE")
            _ = try await places.run(making)
            _ = try await server.psql("CREATE ROLE reader LOGIN IN ROLE dnstempo_reader")
            for view in ["samples", "rounds", "hours"] {
                let all = "SELECT count(one::text) > 0 FROM dnstempo.\(view) AS one"
                #expect(try await server.psql(all, as: "reader") == "t")
            }
            for command in [["store", "check"], ["report", "--since", "2026-03-01"]] {
                _ = try await places.run(command + ["--store", server.url("reader")])
            }
            #expect(try await server.psql("SELECT DISTINCT name FROM public.calls") == "")
            await #expect(throws: ServerError.self) {
                let sql = "CREATE FUNCTION public.more() RETURNS int LANGUAGE sql AS 'SELECT 1'"
                return try await server.psql(sql, as: "dnstempo_2")
            }
        }
    }

    @Test func `a schema that the owner cannot close is reported`() async throws {
        let places = try CentralPlaces()
        try await withPostgreSQL { server in
            for sql in [
                "CREATE ROLE owner LOGIN CREATEROLE", "CREATE DATABASE old OWNER owner",
            ] { _ = try await server.psql(sql) }
            // Sets the rights that the schema has in a database of an older server.
            for sql in [
                "ALTER SCHEMA public OWNER TO postgres", "GRANT CREATE ON SCHEMA public TO PUBLIC",
            ] { _ = try await server.psql(sql, database: "old") }
            let url = server.url("owner", database: "old")
            let made = try await places.run(["store", "init", "--store", url])
            #expect(made.output.contains("run REVOKE CREATE ON SCHEMA public FROM PUBLIC"))
            #expect(made.errors == "")
        }
    }

    @Test func `two central stores on one server have their own roles`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await server.psql("CREATE DATABASE \"Second store\"")
            let name = "Second%20store"
            let second = server.url(database: name)
            _ = try await places.run(["store", "init", "--store", second])
            let enrolled = try await places.run(["store", "enrol", "home", "--store", second])
            let role = try #require(
                enrolled.output.firstMatch(of: #/ships as the role (dnstempo_secondstore_\w+_1)\n/#)
            )
            let to = ["store", "ship", "--store", "home.sqlite", "--to"]
            _ = try await places.run(to + [server.url(String(role.1), database: name)])
            _ = try await server.psql("CREATE ROLE reader LOGIN IN ROLE dnstempo_reader")
            for stranger in ["reader", "dnstempo_1"] {
                let url = ["--store", server.url(stranger, database: name)]
                let refused = try await places.run(["store", "info"] + url, code: 78)
                #expect(refused.errors.contains("permission denied"), "\(refused.errors)")
            }
            _ = try await places.run(to + [server.url("dnstempo_1", database: name)], code: 78)
            _ = try await places.run(to + [server.url(String(role.1))], code: 78)
            _ = try await server.psql("CREATE ROLE other LOGIN")
            let group = role.1.dropLast(1) + "reader"
            _ = try await server.psql("GRANT \(group) TO other")
            let report = ["report", "--since", "2026-03-01", "--until", "2026-03-11"]
            let own = try await places.run(report + ["home.sqlite"]).output
            let url = ["--store", server.url("other", database: name)]
            #expect(try await places.run(report + url).output == own)
            // Another `init` keeps the roles.
            _ = try await places.run(["store", "init", "--store", second])
            _ = try await places.run(["store", "init", "--store", server.url()])
            #expect(try await places.run(report + url).output == own)
            _ = try await places.ship("office.sqlite", as: 2, to: server)
        }
    }

    @Test func `init waits for another database that creates the same roles`() async throws {
        let places = try CentralPlaces()
        try await withPostgreSQL { server in
            _ = try await server.psql("CREATE DATABASE other")
            // The other transaction creates a role, and ends after `init` waits for it.
            async let created = server.psql(
                """
                SET statement_timeout = '60s'; BEGIN; CREATE ROLE dnstempo_vantage;
                DO $$ BEGIN
                    WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted) LOOP
                        PERFORM pg_sleep(0.01);
                    END LOOP;
                END $$;
                COMMIT
                """,
                database: "other"
            )
            let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            let isReady = try await eventually { try await server.psql(sleeping) == "1" }
            #expect(isReady)
            let made = try await places.run(["store", "init", "--store", server.url()])
            #expect(made.errors == "")
            _ = try await created
        }
    }

    @Test func `init gives an older second central store its own roles`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await server.psql("CREATE DATABASE second")
            let second = server.url(database: "second")
            _ = try await places.run(["store", "init", "--store", second])
            // Recreates the state of an older version, in which all databases share their roles.
            for sql in [
                "DROP TABLE dnstempo.roles",
                "GRANT USAGE ON SCHEMA dnstempo TO dnstempo_reader, dnstempo_vantage",
                "GRANT SELECT ON ALL TABLES IN SCHEMA dnstempo TO dnstempo_reader, dnstempo_vantage",
                "INSERT INTO dnstempo.source (id, vantage) OVERRIDING SYSTEM VALUE VALUES (3, 'x')",
                "INSERT INTO dnstempo.shipped (source) SELECT id FROM dnstempo.source",
                "CREATE ROLE dnstempo_3 LOGIN IN ROLE dnstempo_vantage",
                "CREATE ROLE reader LOGIN IN ROLE dnstempo_reader",
            ] { _ = try await server.psql(sql, database: "second") }
            let made = try await places.run(["store", "init", "--store", second])
            #expect(made.output.contains("grant dnstempo_second_reader to its readers"))
            #expect(made.output.contains("run REVOKE dnstempo_vantage FROM dnstempo_3"))
            let info = ["store", "info", "--store"]
            _ = try await places.run(info + [server.url("reader", database: "second")], code: 78)
            _ = try await places.run(info + [server.url("reader")])
            let to = ["store", "ship", "--store", "home.sqlite", "--to"]
            _ = try await places.run(to + [server.url("dnstempo_3", database: "second")])
            _ = try await places.run(to + [server.url("dnstempo_1")])
            let again = try await places.run(["store", "init", "--store", second])
            #expect(!again.output.contains("REVOKE"))
        }
    }
}
