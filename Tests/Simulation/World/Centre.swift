import Foundation
import SimulatedKernel
import Store

/// A central store, as far as shipping needs it: a model of the tables and of the transactions in PostgreSQL. It
/// answers the statements of the shipper, whatever tables and columns they name.
final class Centre: @unchecked Sendable {
    // Safe because one thread runs at a time, which the simulated kernel chooses.

    typealias Value = [UInt8]?
    typealias Row = [String: Value]

    /// What the server keeps of a source on its disk.
    struct Tables {
        /// The rows by table, and by the values of their keys.
        var rows: [String: [[Value]: Row]] = [:]
        var progress: Row = ["round": Int64(0).bytes]
        /// The number of commits.
        var version = 0
    }

    /// The transaction of a connection.
    private struct Transaction {
        let source: Int64
        /// The tables of the source, as the transaction sees them.
        var tables: Tables
        /// Whether other transactions of the source wait for its end.
        var hasLock = false
        var isChanged = false
    }

    /// The centre of the current history.
    static var current: Centre {
        get { shared.value }
        set { shared.value = newValue }
    }

    private static let shared = Shared(Centre(nil))

    init(_ database: CentreDatabase?) { self.database = database }

    /// The tables by source.
    private(set) var tables: [Int64: Tables] = [:]
    /// The transactions by connection.
    private var transactions: [Int64: Transaction] = [:]
    /// The number of times that a connection waited for the lock of another one.
    private(set) var waits = 0
    /// The time that a statement waits for a lock, in nanoseconds. Then the server ends the statement.
    private static let patience: Int64 = 20_000_000_000
    /// The database of a real server that runs the statements instead of the model.
    let database: CentreDatabase?
    /// The number of statements until the connection breaks; `nil` if it does not.
    var untilCut: Int?
    /// Whether a commit that is cut was done before.
    var isCutAfterCommit = false
    /// The numbers of finished transactions, and of connections that broke.
    private(set) var commits = 0
    private(set) var cuts = 0

    /// A statement as libpq passes it.
    @safe fileprivate struct Call {
        let connection: Int64
        let user: String
        let text: UnsafePointer<CChar>
        let count: Int32
        let types: UnsafePointer<UInt32>?
        let values: UnsafePointer<UnsafePointer<CChar>?>?
        let lengths: UnsafePointer<Int32>?

        var statement: CentreStatement { unsafe CentreStatement.parsed(String(cString: text)) }

        var parameters: [Value] {
            (0..<Int(count)).map { index in
                guard let start = unsafe values?[index], let length = unsafe lengths?[index]
                else { return nil }
                return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(length)))
            }
        }
    }

    /// Becomes the server of libpq.
    static func begin() {
        unsafe simulated_postgresql_begin(
            { connection, user, statement, count, types, values, lengths in
                guard let user = unsafe user, let statement = unsafe statement else { return nil }
                let call = unsafe Call(
                    connection: connection,
                    user: String(cString: user),
                    text: statement,
                    count: count,
                    types: types,
                    values: values,
                    lengths: lengths
                )
                return unsafe Centre.current.answer(call)
            },
            { Centre.current.end($0) }
        )
    }

    private func end(_ connection: Int64) {
        transactions[connection] = nil
        if database != nil { simulated_postgresql_leave(connection) }
    }

    /// The server is replaced by a copy of an earlier time.
    func fail(over earlier: [Int64: Tables]) {
        tables = earlier
        transactions = [:]
    }

    private func answer(_ call: Call) -> OpaquePointer? {
        // The way to the server and back. Others go on during this time.
        Kernel.wait(for: Int64(50_000 + simulated_random() % 5_000_000)) { false }
        if let left = untilCut {
            untilCut = left > 0 ? left - 1 : nil
            if left == 0 {
                cuts += 1
                if call.statement.kind == .commit, isCutAfterCommit {
                    unsafe simulated_rows_free(rows(of: call))
                }
                end(call.connection)
                return nil
            }
        }
        return unsafe rows(of: call)
    }

    private func rows(of call: Call) -> OpaquePointer? {
        let source = call.user.split(separator: "_").last.flatMap { Int64($0) } ?? 0
        do {
            let rows = try run(call.statement, call.parameters, on: call.connection, of: source)
            guard database == nil else {
                return unsafe simulated_postgresql_ask(
                    call.connection,
                    call.user,
                    call.text,
                    call.count,
                    call.types,
                    call.values,
                    call.lengths
                )
            }
            return unsafe Self.rows(rows ?? [])
        } catch let error as ServerError {
            return unsafe simulated_rows_error(error.state, error.message)
        } catch {
            return unsafe simulated_rows_error("XX000", "\(error)")
        }
    }

    /// Runs a statement in the model. If there is a real server, only locks and transactions are the model's:
    /// a connection that waited at the server would stop all others.
    private func run(
        _ statement: CentreStatement,
        _ values: [Value],
        on connection: Int64,
        of source: Int64
    ) throws -> [[Value]]? {
        let known = tables[source] ?? Tables()
        switch statement.kind {
        case .begin:
            transactions[connection] = Transaction(source: source, tables: known)
            return nil
        case .commit:
            try commit(connection)
            return nil
        case .rollback:
            transactions[connection] = nil
            return nil
        default: break
        }
        if statement.isLocking { try lock(source, for: connection) }
        guard database == nil else { return nil }
        // Its tables are changed in place: otherwise each statement would copy them.
        guard var transaction = transactions.removeValue(forKey: connection) else {
            guard !statement.isChange else {
                throw ServerError(state: "25P01", message: "a change outside a transaction")
            }
            var tables = known
            return try tables.run(statement, values, of: source)
        }
        defer { transactions[connection] = transaction }
        transaction.isChanged = transaction.isChanged || statement.isChange
        return try transaction.tables.run(statement, values, of: source)
    }

    /// Takes the lock of a source for a transaction, which then sees the last commit.
    private func lock(_ source: Int64, for connection: Int64) throws {
        let isFree = { [self] in
            !transactions.contains {
                $0.key != connection && $0.value.source == source && $0.value.hasLock
            }
        }
        if !isFree() {
            waits += 1
            Kernel.wait(for: Self.patience, until: isFree)
        }
        guard isFree() else {
            throw ServerError(state: "55P03", message: "canceling statement due to lock timeout")
        }
        transactions[connection]?.hasLock = true
        transactions[connection]?.tables = tables[source] ?? Tables()
    }

    private func commit(_ connection: Int64) throws {
        guard var ended = transactions.removeValue(forKey: connection) else { return }
        commits += 1
        guard ended.isChanged, database == nil else { return }
        // The server finds the rows of the other transaction as soon as they are inserted.
        guard ended.tables.version == tables[ended.source]?.version ?? 0 else {
            throw ServerError(state: "23505", message: "another transaction added these rows")
        }
        ended.tables.version += 1
        tables[ended.source] = ended.tables
    }

    private static func rows(_ rows: [[Value]]) -> OpaquePointer? {
        let made = unsafe simulated_rows_new(Int32(rows.count), Int32(rows.first?.count ?? 0))
        for (row, values) in rows.enumerated() {
            for (column, value) in values.enumerated() {
                guard let value else { continue }
                unsafe simulated_rows_set(made, Int32(row), Int32(column), value, value.count)
            }
        }
        return unsafe made
    }
}

struct ServerError: Error {
    let state: String
    let message: String
}
