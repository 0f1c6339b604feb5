import Foundation

/// PostgreSQL with an empty database `postgres`, which the role `postgres` owns. Roles need no password.
package struct PostgreSQL: ServerProgram {
    package static let command = "sh"
    package static let package = "dash"

    package let sign = ReadinessSign.accepts

    package init() {}

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let data = folder.file("data")
        // initdb takes longer than most tests. The first server therefore stores a copy of its data for the
        // others. PostgreSQL refuses to run as root.
        let start = """
            set -e
            bin=$(ls -d /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin 2>/dev/null | tail -1)
            if [ -z "$bin" ]; then echo "install the package postgresql" >&2; exit 1; fi
            template=$PWD/.build/postgresql-$(basename "$(dirname "$bin")")
            user=
            if [ "$(id -u)" = 0 ]; then user='setpriv --reuid=postgres --regid=postgres --clear-groups'; fi
            if [ -d "$template" ]; then
                cp -a "$template" '\(data)'
            else
                mkdir -m 700 '\(data)'
                if [ -n "$user" ]; then chown postgres '\(data)'; fi
                $user "$bin/initdb" -D '\(data)' -A trust -U postgres --no-sync > '\(folder.file("log"))'
                if mkdir "$template.new" 2>/dev/null; then
                    # Another server may have left its copy since the first look.
                    if [ ! -d "$template" ]; then
                        cp -a '\(data)' "$template.new/data"
                        mv "$template.new/data" "$template"
                    fi
                    rmdir "$template.new"
                fi
            fi
            exec $user "$bin/postgres" -D '\(data)' -p \(ports[0]) -k '\(data)' -h \(address) -F
            """
        return [try folder.write(start + "\n", to: "start")]
    }
}

extension RunningServer {
    /// Returns the URL of the PostgreSQL server for a role.
    package func url(_ role: String = "postgres", database: String = "postgres") -> String {
        "postgresql://\(role)@\(endpoint.address):\(port)/\(database)?sslmode=disable"
    }

    /// Runs SQL as a role. Returns psql's output, with one line per row. Throws if psql fails.
    package func psql(
        _ sql: String,
        as role: String = "postgres",
        database: String = "postgres"
    ) async throws -> String {
        let url = url(role, database: database)
        let arguments = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql]
        var output = try await Program.psql.run(arguments)
        // The server ends a connection later than its client, and a role may have two connections only.
        for _ in 0..<100 where output.errors.contains("too many connections for role") {
            output = try await Program.psql.run(arguments)
        }
        guard output.code == 0 else { throw ServerError("psql: \(output.errors)") }
        return output.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension Program {
    /// The folder with the versions of PostgreSQL on Debian. Debian's psql in PATH is a script that searches
    /// for the newest version, which takes seven times as long.
    private static let folders = "/usr/lib/postgresql"

    fileprivate static var psql: Program {
        get throws(ServerError) {
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: folders)) ?? []
            let path = versions.sorted().last.map { "\(folders)/\($0)/bin/psql" } ?? ""
            let isThere = FileManager.default.isExecutableFile(atPath: path)
            return try Program(isThere ? path : "psql", package: "postgresql-client")
        }
    }
}

extension RunningServer {
    /// Makes PostgreSQL accept roles only with a password and over TLS. Its owner is exempt.
    package func encrypt(_ certificate: Certificate) async throws {
        let data = try await psql("SHOW data_directory")
        let owner = geteuid() == 0 ? ["-o", "postgres"] : []
        for (file, name) in [(certificate.file, "server.crt"), (certificate.key, "server.key")] {
            let copied = try await Program("install", package: "coreutils")
                .run(owner + ["-m", "600", file, "\(data)/\(name)"])
            guard copied.code == 0 else { throw ServerError("install: \(copied.errors)") }
        }
        _ = try await psql(
            """
            COPY (VALUES ('host all postgres 127.0.0.1/32 trust'),
                ('hostssl all all 127.0.0.1/32 scram-sha-256')) TO '\(data)/pg_hba.conf'
            """
        )
        _ = try await psql("ALTER SYSTEM SET ssl = on")
        _ = try await psql("SELECT pg_reload_conf()")
        let isOn = try await eventually { try await psql("SHOW ssl") == "on" }
        guard isOn else { throw ServerError("PostgreSQL does not encrypt") }
    }
}

/// Starts PostgreSQL, waits until it accepts statements, and runs `body`.
package func withPostgreSQL<Result>(
    _ body: (RunningServer) async throws -> Result
) async throws -> Result {
    try await withServer(PostgreSQL()) { server in
        let isUp = try await eventually { (try? await server.psql("SELECT 1")) == "1" }
        guard isUp else { throw ServerError("PostgreSQL takes no statements") }
        return try await body(server)
    }
}
