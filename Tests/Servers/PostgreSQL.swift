import Foundation

/// PostgreSQL with an empty database `postgres`, whose owner `postgres` and all others need no password.
package struct PostgreSQL: ServerProgram {
    package static let command = "sh"
    package static let package = "dash"

    package let address = "127.0.0.1"
    package let sign = ReadinessSign.accepts

    package init() {}

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let data = folder.file("data")
        let run = """
            set -e
            "$1/initdb" -D '\(data)' -A trust -U postgres --no-sync > '\(data)/../initdb.log'
            exec "$1/postgres" -D '\(data)' -p \(ports[0]) -k '\(data)' -h \(address) -F
            """
        // It refuses to run as root.
        let start = """
            bin=$(ls -d /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin 2>/dev/null | tail -1)
            if [ -z "$bin" ]; then echo "install the package postgresql" >&2; exit 1; fi
            mkdir '\(data)'; chmod 700 '\(data)'; : > '\(folder.file("initdb.log"))'
            if [ "$(id -u)" != 0 ]; then exec sh '\(folder.file("run"))' "$bin"; fi
            chown postgres '\(data)' '\(folder.file("initdb.log"))'
            exec setpriv --reuid=postgres --regid=postgres --clear-groups sh '\(folder.file("run"))' "$bin"
            """
        try folder.write(run + "\n", to: "run")
        return [try folder.write(start + "\n", to: "start")]
    }
}

extension RunningServer {
    /// Its URL for a role.
    package func url(_ role: String = "postgres") -> String {
        "postgresql://\(role)@\(endpoint.address):\(port)/postgres?sslmode=disable"
    }

    /// Runs SQL as a role, and returns what psql prints, a row a line; throws where it fails.
    package func psql(_ sql: String, as role: String = "postgres") async throws -> String {
        let output = try await Program("psql", package: "postgresql-client").run(
            ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url(role), "-c", sql]
        )
        guard output.code == 0 else { throw ServerError("psql: \(output.errors)") }
        return output.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// Starts PostgreSQL, and waits until it takes statements.
package func withPostgreSQL<Result>(
    _ body: (RunningServer) async throws -> Result
) async throws -> Result {
    try await withServer(PostgreSQL()) { server in
        let isUp = try await eventually { (try? await server.psql("SELECT 1")) == "1" }
        guard isUp else { throw ServerError("PostgreSQL takes no statements") }
        return try await body(server)
    }
}
