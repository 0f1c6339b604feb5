import SimulatedKernel

/// A database of a history at a real PostgreSQL server.
struct CentreDatabase {
    /// The number of the connection for ``rows(_:)``. Connections of the program have positive numbers.
    private static let own: Int64 = 0

    /// Creates the database for a history. `folder` contains the socket of the server. Its user `postgres` needs
    /// no password.
    init(_ name: String, in folder: String) throws {
        guard unsafe simulated_postgresql_use(folder, "postgres") != 0 else {
            throw Violation("libpq is not installed")
        }
        // A history with fewer steps has the same name.
        let statements = [
            "SET client_min_messages = warning", "DROP DATABASE IF EXISTS \(name) WITH (FORCE)",
            "CREATE DATABASE \(name)",
        ]
        for statement in statements { _ = try rows(statement) }
        simulated_postgresql_leave(Self.own)
        guard unsafe simulated_postgresql_use(folder, name) != 0 else {
            throw Violation("libpq is not installed")
        }
    }

    /// The rows of a query, whose columns are texts.
    func rows(_ query: String) throws -> [[String]] {
        let answer = unsafe simulated_postgresql_ask(
            Self.own,
            "postgres",
            query,
            0,
            nil,
            nil,
            nil
        )
        defer { unsafe simulated_rows_free(answer) }
        if let message = unsafe simulated_rows_message(answer) {
            throw Violation("\(query): \(unsafe String(cString: message))")
        }
        var columns: Int32 = 0
        let count = unsafe simulated_rows_count(answer, &columns)
        return (0..<count).map { row in
            (0..<columns).map { column in
                var length = 0
                let value = unsafe simulated_rows_value(answer, row, column, &length)
                guard let value = unsafe value else { return "" }
                return unsafe String(
                    decoding: UnsafeRawBufferPointer(start: value, count: length),
                    as: UTF8.self
                )
            }
        }
    }
}
