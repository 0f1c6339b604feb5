import Servers
import Testing

/// The time limits at the server for the sessions of readers and owners of a central store.
@Suite struct CentralLimitTests {
    /// A function that fails if a setting of the session has an unexpected value.
    private static let condition = """
        CREATE FUNCTION public.is_set(name text, wanted text) RETURNS boolean LANGUAGE plpgsql AS
        $$ BEGIN ASSERT current_setting(name) = wanted; RETURN true; END $$
        """

    @Test func `readers have no idle limit, and pruning may take a day`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            for statement in [
                Self.condition,
                "ALTER TABLE dnstempo.endpoint RENAME TO asked",
                """
                CREATE VIEW dnstempo.endpoint AS SELECT * FROM dnstempo.asked
                WHERE public.is_set('idle_in_transaction_session_timeout', '0')
                """,
                """
                CREATE TRIGGER has_time BEFORE UPDATE ON dnstempo.shipped FOR EACH ROW
                WHEN (public.is_set('statement_timeout', '1d'))
                EXECUTE FUNCTION suppress_redundant_updates_trigger()
                """,
            ] { _ = try await server.psql(statement) }
            let window = ["--since", "2026-03-01", "--until", "2026-03-11"]
            for command in [
                ["store", "check"], ["report"] + window, ["store", "prune", "--older-than", "24h"],
            ] { _ = try await places.run(command + ["--store", server.url()]) }
            let pruned = "SELECT pruned IS NOT NULL FROM dnstempo.shipped WHERE source = 1"
            #expect(try await server.psql(pruned) == "t")
        }
    }
}
