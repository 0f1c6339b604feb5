import CPostgreSQL
package import Catalogue
import Store

/// A connection to a central store, whose words are waited for within limits. One that broke is made again
/// for the next statement.
@safe package final class CentralConnection {
    /// For what a server has at hand.
    package static let patience = Duration.seconds(10)
    /// For what it has to work for, of which it gives up itself what takes a minute. A host that is gone is
    /// found by TCP, as ``CentralAddress`` asks for.
    private static let longPatience = Duration.seconds(70)

    private let functions: UnsafePointer<cpostgresql_functions>
    private let options: [(key: String, value: String)]
    private var connection: OpaquePointer
    private var isBroken = false
    /// How long the server works on one statement at most.
    private var timeLimit = "60s"
    package let place: String

    /// Connects to `address`, which is that of the host, or `nil` on this machine's socket.
    package init(_ target: CentralAddress, at address: IPAddress?) throws(CentralError) {
        guard let functions = unsafe cpostgresql() else { throw .noLibrary }
        unsafe self.functions = unsafe functions
        place = target.place
        options = target.options(to: address).sorted { $0.key < $1.key }
        unsafe connection = try Self.start(options, to: place, functions)
        try open()
    }

    private static func start(
        _ options: [(key: String, value: String)],
        to place: String,
        _ functions: UnsafePointer<cpostgresql_functions>
    ) throws(CentralError) -> OpaquePointer {
        let keywords = unsafe options.map { unsafe strdup($0.key) } + [nil]
        let values = unsafe options.map { unsafe strdup($0.value) } + [nil]
        defer { unsafe (keywords + values).forEach { unsafe free($0) } }
        let started = unsafe functions.pointee.connect_start(
            keywords.map { unsafe UnsafePointer($0) },
            values.map { unsafe UnsafePointer($0) },
            0
        )
        guard let connection = unsafe started else {
            throw CentralError(.unavailable, "out of memory for a connection to \(place)")
        }
        return unsafe connection
    }

    private func openAgain() throws(CentralError) {
        let other = unsafe try Self.start(options, to: place, functions)
        unsafe functions.pointee.finish(connection)
        unsafe connection = other
        try open()
        isBroken = false
    }

    private func open() throws(CentralError) {
        try greet()
        _ = unsafe functions.pointee.set_nonblocking(connection, 1)
        try run(
            """
            SELECT set_config('client_min_messages', 'warning', false),
                set_config('statement_timeout', $1, false),
                set_config('lock_timeout', '20s', false),
                set_config('idle_in_transaction_session_timeout', '60s', false)
            """,
            [.text(timeLimit)]
        )
    }

    /// Lets the server work on one statement for `timeLimit`, on this connection and on those made in
    /// its place.
    func allow(_ timeLimit: String) throws(CentralError) {
        self.timeLimit = timeLimit
        try query("SELECT set_config('statement_timeout', $1, false)", [.text(timeLimit)])
    }

    deinit { unsafe functions.pointee.finish(connection) }

    private func greet() throws(CentralError) {
        while true {
            switch unsafe functions.pointee.connect_poll(connection) {
            case Int32(cpostgresql_polling_ok): return
            case Int32(cpostgresql_polling_reading): try wait(for: POLLIN, Self.patience)
            case Int32(cpostgresql_polling_writing): try wait(for: POLLOUT, Self.patience)
            default: throw failedOpening()
            }
        }
    }

    private func failedOpening() -> CentralError {
        // Hints follow on lines of their own.
        let lines = errorMessage.split(whereSeparator: \.isNewline).map(String.init)
        let line = lines.last { $0.contains(" failed: ") } ?? lines.last ?? ""
        let reason = line.split(separator: " failed: ", maxSplits: 1).last.map(String.init) ?? line
        let needsPassword = unsafe functions.pointee.connection_needs_password(connection) != 0
        let isRefused =
            needsPassword || ["FATAL", "certificate", "SSL"].contains { reason.contains($0) }
        let isAway =
            reason.contains("starting up") || reason.contains("shutting down")
            || reason.contains("too many") || reason.contains("recovery mode")
        let kind: CentralError.Kind = isRefused && !isAway ? .refused : .unavailable
        let advice =
            kind == .refused
            ? needsPassword ? "put it into ~/.pgpass" : "see the role, ~/.pgpass and sslmode"
            : "try again later"
        return CentralError(
            kind,
            "cannot reach the central store at \(place): \(reason): \(advice)"
        )
    }

    private func wait(for events: Int32, _ patience: Duration) throws(CentralError) {
        let socket = unsafe functions.pointee.socket(connection)
        var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
        while true {
            let count = unsafe poll(&entry, 1, Int32(clamping: patience.components.seconds * 1_000))
            if count > 0 { return }
            if count < 0, errno == EINTR { continue }
            throw CentralError(
                .unavailable,
                "the central store at \(place) has not answered for "
                    + "\(patience.components.seconds) s: try again later"
            )
        }
    }

    /// Runs statements as one, of which nothing stays where one of them fails.
    package func transaction<Result>(
        _ mode: String = "",
        _ statements: () throws -> Result
    ) throws -> Result {
        try query("BEGIN \(mode)")
        do {
            let result = try statements()
            try query("COMMIT")
            return result
        } catch {
            if !isBroken { _ = try? query("ROLLBACK") }
            throw error
        }
    }

    /// Runs one statement with these values, $1 first, and returns its rows, for each word of which it
    /// waits within `patience`; by default for longer than the server works on one.
    @discardableResult
    package func query(
        _ sql: String,
        _ values: [CentralValue] = [],
        patience: Duration? = nil
    ) throws(CentralError) -> CentralRows {
        if isBroken { try openAgain() }
        do {
            return try run(sql, values, patience ?? Self.longPatience)
        } catch {
            isBroken = error.kind == .unavailable
            throw error
        }
    }

    @discardableResult
    private func run(
        _ sql: String,
        _ values: [CentralValue] = [],
        _ patience: Duration = patience
    ) throws(CentralError) -> CentralRows {
        let types = values.map(\.type)
        let octets = values.map(\.octets)
        let lengths = octets.map { Int32(clamping: $0?.count ?? 0) }
        let formats = values.map { _ in 1 as Int32 }
        // One stretch for all of them: the pointers hold while it does.
        let all = octets.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
        let code = unsafe all.withUnsafeBufferPointer { buffer in
            var place = 0
            let pointers = unsafe octets.map { value -> UnsafePointer<CChar>? in
                guard let value else { return nil }
                defer { place += value.count }
                return unsafe UnsafeRawPointer(buffer.baseAddress.unsafelyUnwrapped + place)
                    .assumingMemoryBound(to: CChar.self)
            }
            return unsafe functions.pointee.send_query_params(
                connection,
                sql,
                Int32(values.count),
                types,
                pointers,
                lengths,
                formats,
                1
            )
        }
        guard code == 1 else { throw lost() }
        try flush(patience)
        return try result(patience)
    }

    private func flush(_ patience: Duration) throws(CentralError) {
        while true {
            switch unsafe functions.pointee.flush(connection) {
            case 0: return
            case 1:
                try wait(for: POLLIN | POLLOUT, patience)
                guard unsafe functions.pointee.consume_input(connection) == 1 else { throw lost() }
            default: throw lost()
            }
        }
    }

    /// The result of the last statement, once all of it is there.
    private func result(_ patience: Duration) throws(CentralError) -> CentralRows {
        var rows = CentralRows()
        var failure: CentralError?
        while true {
            while unsafe functions.pointee.is_busy(connection) != 0 {
                try wait(for: POLLIN, patience)
                guard unsafe functions.pointee.consume_input(connection) == 1 else { throw lost() }
            }
            guard let result = unsafe functions.pointee.get_result(connection) else { break }
            defer { unsafe functions.pointee.clear(result) }
            let status = unsafe functions.pointee.result_status(result)
            if status == cpostgresql_command_ok || status == cpostgresql_tuples_ok {
                unsafe rows = CentralRows(result, functions)
            } else {
                failure = unsafe failure ?? fault(of: result)
            }
        }
        if let failure { throw failure }
        return rows
    }

    private func fault(of result: OpaquePointer) -> CentralError {
        let field = Int32(cpostgresql_diag_sqlstate)
        let state = unsafe functions.pointee.result_error_field(result, field)
            .map { unsafe String(cString: $0) }
        let message =
            unsafe functions.pointee.result_error_message(result)
            .map { unsafe String(cString: $0) } ?? ""
        guard let state else { return lost() }
        return .server(state, message, at: place)
    }

    private func lost() -> CentralError {
        CentralError(
            .unavailable,
            "the connection to the central store at \(place) broke (\(errorMessage.firstLine)): try "
                + "again later"
        )
    }

    private var errorMessage: String {
        unsafe functions.pointee.error_message(connection).map { unsafe String(cString: $0) } ?? ""
    }
}

/// The rows that a statement gave.
package struct CentralRows: Sendable {
    /// All values one after the other, and where each ends; `nil` stands for NULL.
    private var data: [UInt8] = []
    private var ends: [Int?] = []
    private var starts: [Int] = []
    private var fields = 0
    package private(set) var count = 0

    init() {}

    fileprivate init(_ result: OpaquePointer, _ functions: UnsafePointer<cpostgresql_functions>) {
        let rows = unsafe functions.pointee.ntuples(result)
        let columns = unsafe functions.pointee.nfields(result)
        (count, fields) = (Int(rows), Int(columns))
        starts.reserveCapacity(count * fields)
        ends.reserveCapacity(count * fields)
        for row in 0..<rows {
            for field in 0..<columns {
                starts.append(data.count)
                guard unsafe functions.pointee.getisnull(result, row, field) == 0,
                    let start = unsafe functions.pointee.getvalue(result, row, field)
                else {
                    ends.append(nil)
                    continue
                }
                let count = Int(unsafe functions.pointee.getlength(result, row, field))
                unsafe data.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
                ends.append(data.count)
            }
        }
    }

    private func range(_ row: Int, _ column: Int) -> Range<Int>? {
        let place = row * fields + column
        guard column < fields, starts.indices.contains(place), let end = ends[place] else {
            return nil
        }
        return starts[place]..<end
    }

    /// The value of a column of type int8; `nil` for NULL, and of any other type.
    package func integer(_ row: Int, _ column: Int) -> Int64? {
        guard let range = range(row, column), range.count == 8 else { return nil }
        return data[range].reduce(0) { $0 << 8 | Int64($1) }
    }

    package func text(_ row: Int, _ column: Int) -> String? {
        range(row, column).map { String(decoding: data[$0], as: UTF8.self) }
    }

    package func octets(_ row: Int, _ column: Int) -> [UInt8]? {
        range(row, column).map { Array(data[$0]) }
    }

    /// The rows of each source, whose number is the first column, in the order of these.
    var rangesOfSources: [(source: Int64, rows: Range<Int>)] {
        var ranges: [(source: Int64, rows: Range<Int>)] = []
        for row in 0..<count {
            guard let source = integer(row, 0) else { continue }
            if ranges.last?.source == source {
                ranges[ranges.count - 1].rows = ranges[ranges.count - 1].rows.lowerBound..<(row + 1)
            } else {
                ranges.append((source, row..<(row + 1)))
            }
        }
        return ranges
    }

    /// A column of some rows of a table, whose type is that of the kind.
    func values(
        _ kind: StoredTable.Kind,
        _ column: Int,
        _ rows: Range<Int>
    ) throws(CentralError) -> StoredValues {
        func words(_ row: Int) throws(CentralError) -> Int64? {
            guard let range = range(row, column) else { return nil }
            guard range.count == 8 else {
                throw CentralError(.badData, "the central store has a value of another type")
            }
            return integer(row, column)
        }
        switch kind {
        case .integer:
            var found: [Int64?] = []
            for row in rows { found.append(try words(row)) }
            return .integers(found)
        case .real:
            var found: [Double?] = []
            for row in rows {
                found.append(try words(row).map { Double(bitPattern: UInt64(bitPattern: $0)) })
            }
            return .reals(found)
        case .text: return .texts(rows.map { text($0, column) })
        case .blob: return .blobs(rows.map { octets($0, column) })
        }
    }
}
