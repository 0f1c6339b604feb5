import CPostgreSQL
import CSockets
package import Catalogue
import Failures
import LibC
import Store

/// A connection to a central store, with limits of time and memory for each statement. If the connection
/// breaks, the next statement opens a new one.
@safe package final class CentralConnection {
    /// The time limit for connecting, and for statements that the server can answer at once.
    package static let patience = Duration.seconds(10)
    /// The time limit for any other statement. The server ends a statement after a minute.
    private static let longPatience = Duration.seconds(70)
    /// The allowance of bytes in addition to the rows of a statement.
    private static let mostBesideRows = 1 << 20
    private static let mostExcess = 64 << 20

    private let options: [(key: String, value: String)]
    private let limits: CentralLimits
    private let notices: CentralNotices
    private var connection: OpaquePointer
    private var reception = Reception()
    /// Whether the answer to the last statement was read completely.
    private var isSettled = true
    private var isBroken = false
    /// The number of bytes on this connection that were not rows.
    private var excess = 0
    private var isInTransaction = false
    /// The server's time limit for one statement.
    private var timeLimit = "60s"
    package let place: String

    /// Connects to `address`, the address of the host, or to this machine's socket if it is `nil`. `notice`
    /// receives the server's first notices, one line each.
    package init(
        _ target: CentralAddress,
        at address: IPAddress?,
        limits: CentralLimits = .reading,
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(CentralError) {
        self.limits = limits
        place = target.place
        notices = CentralNotices(of: place, notice)
        options = target.options(to: address).sorted { $0.key < $1.key }
        unsafe connection = try Self.start(options, to: place)
        try open()
    }

    private static func start(
        _ options: [(key: String, value: String)],
        to place: String
    ) throws(CentralError) -> OpaquePointer {
        let keywords = unsafe options.map { unsafe strdup($0.key) } + [nil]
        let values = unsafe options.map { unsafe strdup($0.value) } + [nil]
        defer { unsafe (keywords + values).forEach { unsafe free($0) } }
        let started = unsafe PQconnectStartParams(
            keywords.map { unsafe UnsafePointer($0) },
            values.map { unsafe UnsafePointer($0) },
            0
        )
        guard let connection = unsafe started else {
            throw CentralError(.busy, "out of memory for a connection to \(place)")
        }
        return unsafe connection
    }

    private func openAgain() throws(CentralError) {
        let other = unsafe try Self.start(options, to: place)
        unsafe PQfinish(connection)
        unsafe connection = other
        excess = 0
        try open()
        isBroken = false
    }

    private func open() throws(CentralError) {
        unsafe notices.attach(to: connection)
        try greet(until: end(after: Self.patience))
        _ = unsafe PQsetnonblocking(connection, 1)
        try run(
            """
            SELECT pg_catalog.set_config('search_path', '', false),
                set_config('client_min_messages', 'warning', false),
                set_config('statement_timeout', $1, false),
                set_config('lock_timeout', '20s', false),
                set_config('idle_in_transaction_session_timeout', '60s', false)
            """,
            [.text(timeLimit)]
        )
    }

    /// Sets the server's time limit for a statement, on this connection and on connections that replace it.
    func allow(_ timeLimit: String) throws(CentralError) {
        self.timeLimit = timeLimit
        try query("SELECT set_config('statement_timeout', $1, false)", [.text(timeLimit)])
    }

    deinit { unsafe PQfinish(connection) }

    private func greet(until end: ContinuousClock.Instant) throws(CentralError) {
        reception = Reception()
        while true {
            switch unsafe PQconnectPoll(connection) {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: try wait(for: POLLIN, until: end)
            case PGRES_POLLING_WRITING: try wait(for: POLLOUT, until: end)
            default:
                let needsPassword = unsafe PQconnectionNeedsPassword(connection) != 0
                throw .unopened(errorMessage, needsPassword: needsPassword, at: place)
            }
            try check(received, within: Self.mostBesideRows)
        }
    }

    /// The end of an operation that begins now and may take `patience`.
    private func end(after patience: Duration) -> ContinuousClock.Instant {
        let end = ContinuousClock.now.advanced(by: patience)
        return limits.deadline.map { min($0, end) } ?? end
    }

    /// Waits until the socket is ready. The limits are checked first, so that they also end a busy
    /// connection.
    private func wait(
        for events: Int32,
        until end: ContinuousClock.Instant
    ) throws(CentralError) {
        let socket = unsafe PQsocket(connection)
        var entries = [
            pollfd(fd: socket, events: Int16(events), revents: 0),
            pollfd(fd: limits.stop, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else {
                throw fault(.busy, "did not answer in time: try again later")
            }
            let limit = Int32(min(60_000, (rest / .milliseconds(1)).rounded(.up)))
            guard unsafe poll(&entries, 2, limit) > 0 else { continue }
            guard entries[1].revents != 0 else { return }
            throw CentralError(
                .busy,
                "the work at the central store at \(place) was ended: run it again"
            )
        }
    }

    /// Reads the bytes that have arrived. libpq keeps parameters as long as the connection lasts, so that
    /// everything except the rows has a limit. `rows` is the number of bytes of rows that were kept.
    private func takeIn(_ rows: Int) throws(CentralError) {
        let waiting = Int(cs_waiting(unsafe PQsocket(connection)))
        reception.estimate += min(waiting, Reception.leastRead)
        guard unsafe PQconsumeInput(connection) == 1 else { throw lost() }
        while let notification = unsafe PQnotifies(connection) {
            unsafe PQfreemem(notification)
        }
        // TLS may double the number of bytes.
        try check(received, within: 2 * rows + limits.bytes / 4 + Self.mostBesideRows)
    }

    private func check(_ bytes: Int, within most: Int) throws(CentralError) {
        guard bytes > most else { return }
        throw fault(
            .busy,
            "sent more than \(most >> 20) MB: shorten the span, or see what answers there"
        )
    }

    private var received: Int {
        let taken = Int(cs_received(unsafe PQsocket(connection)))
        return taken < 0 ? reception.estimate : taken - reception.start
    }

    /// The bytes that arrived since the statement began.
    private struct Reception {
        /// The number of bytes taken from the socket before the statement.
        var start = 0
        /// The minimum number of bytes that arrived, for systems that do not count them.
        var estimate = 0

        /// The minimum room in libpq's buffer for each read, in bytes.
        static let leastRead = 8192
    }

    /// Runs statements as one transaction. If one of them fails, all are rolled back.
    package func transaction<Result>(
        _ mode: String = "",
        _ statements: () throws -> Result
    ) throws -> Result {
        try query("BEGIN \(mode)")
        isInTransaction = true
        defer { isInTransaction = false }
        do {
            let result = try statements()
            try query("COMMIT")
            return result
        } catch {
            if !isBroken { _ = try? query("ROLLBACK") }
            throw error
        }
    }

    /// Runs one statement with these values ($1 first), and returns its rows. All rows must arrive within
    /// `patience`. The default is longer than the server's time limit for a statement.
    @discardableResult
    package func query(
        _ sql: String,
        _ values: [CentralValue] = [],
        patience: Duration? = nil
    ) throws(CentralError) -> CentralRows {
        // A new connection would not be in the transaction.
        if isBroken, isInTransaction { throw lost() }
        // A new connection frees the memory that libpq keeps for the old one.
        if isBroken || excess > Self.mostExcess && !isInTransaction { try openAgain() }
        do {
            return try run(sql, values, patience ?? Self.longPatience)
        } catch {
            isBroken = !isSettled || error.status == .busy
            throw error
        }
    }

    /// Passes the rows of a statement to `body`, in parts of `rows` rows, or all at once if `rows` is `nil`.
    /// Parts come from a cursor, which needs a transaction.
    func forEachPart(
        of sql: String,
        _ values: [CentralValue],
        rows: Int64?,
        _ body: (CentralRows) throws -> Void
    ) throws {
        guard let rows else { return try body(query(sql, values)) }
        try query("DECLARE part NO SCROLL CURSOR FOR \(sql)", values)
        while case let part = try query("FETCH \(rows) FROM part"), part.count > 0 {
            try body(part)
        }
        try query("CLOSE part")
    }

    @discardableResult
    private func run(
        _ sql: String,
        _ values: [CentralValue] = [],
        _ patience: Duration = patience
    ) throws(CentralError) -> CentralRows {
        let types = values.map(\.type)
        let bytes = values.map(\.bytes)
        let lengths = bytes.map { Int32(clamping: $0?.count ?? 0) }
        let formats = values.map { _ in 1 as Int32 }
        isSettled = false
        // One buffer holds all values. The pointers are valid as long as the buffer.
        let all = bytes.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
        let code = unsafe all.withUnsafeBufferPointer { buffer in
            var place = 0
            let pointers = unsafe bytes.map { value -> UnsafePointer<CChar>? in
                guard let value else { return nil }
                defer { place += value.count }
                return unsafe UnsafeRawPointer(buffer.baseAddress.unsafelyUnwrapped + place)
                    .assumingMemoryBound(to: CChar.self)
            }
            return unsafe PQsendQueryParams(
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
        guard code == 1, unsafe PQsetSingleRowMode(connection) == 1 else {
            throw lost()
        }
        let end = end(after: patience)
        let taken = Int(cs_received(unsafe PQsocket(connection)))
        reception = Reception(start: max(0, taken))
        try flush(until: end)
        return try result(until: end)
    }

    private func flush(until end: ContinuousClock.Instant) throws(CentralError) {
        while true {
            switch unsafe PQflush(connection) {
            case 0: return
            case 1:
                try wait(for: POLLIN | POLLOUT, until: end)
                try takeIn(0)
            default: throw lost()
            }
        }
    }

    /// The complete result of the last statement. Rows are taken one by one, so that the rows in memory stay
    /// within the limits.
    private func result(until end: ContinuousClock.Instant) throws(CentralError) -> CentralRows {
        var rows = CentralRows()
        var failure: CentralError?
        while true {
            while unsafe PQisBusy(connection) != 0 {
                try wait(for: POLLIN, until: end)
                try takeIn(rows.cost)
            }
            guard let result = unsafe PQgetResult(connection) else { break }
            defer { unsafe PQclear(result) }
            switch unsafe PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE:
                guard unsafe rows.add(result) else { throw unasked }
                try check(rows.cost, within: limits.bytes)
            case PGRES_FATAL_ERROR, PGRES_NONFATAL_ERROR:
                failure = unsafe failure ?? fault(of: result)
            // libpq would return the result of a COPY without end. No statement asks for a COPY.
            default: throw unasked
            }
        }
        isSettled = true
        excess += max(0, received - rows.cost)
        if let failure { throw failure }
        return rows
    }

    private func fault(of result: OpaquePointer) -> CentralError {
        let state = unsafe PQresultErrorField(result, Int32(cpostgresql_sqlstate))
            .map { unsafe String(cString: $0) }
        let message =
            unsafe PQresultErrorMessage(result)
            .map { unsafe String(cString: $0) } ?? ""
        guard let state else { return lost() }
        return .server(state, message, at: place)
    }

    private var unasked: CentralError {
        fault(.badData, "gave an answer that no statement asked for: see what answers there")
    }

    private func fault(_ status: ExitStatus, _ words: String) -> CentralError {
        CentralError(status, "the central store at \(place) \(words)")
    }

    private func lost() -> CentralError {
        CentralError(
            .busy,
            "the connection to the central store at \(place) broke (\(errorMessage.shortLine)): try "
                + "again later"
        )
    }

    private var errorMessage: String {
        unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    }
}
