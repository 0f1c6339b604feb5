import CPostgreSQL
import CSockets
package import Catalogue
import Failures
import LibC
import Store

/// A connection to a central store, which has limits of time and memory for each statement. A connection
/// that broke is made again for the next statement.
@safe package final class CentralConnection {
    /// Time to connect, and for a statement whose answer the server has at hand.
    package static let patience = Duration.seconds(10)
    /// Time for any other statement. The server ends a statement itself after a minute.
    private static let longPatience = Duration.seconds(70)
    /// Bytes that may come in addition to the rows of a statement.
    private static let mostBesideRows = 1 << 20
    private static let mostExcess = 64 << 20

    private let options: [(key: String, value: String)]
    private let limits: CentralLimits
    private let notices: CentralNotices
    private var connection: OpaquePointer
    private var reception = Reception()
    /// Whether all of the last statement's answer was read.
    private var isSettled = true
    private var isBroken = false
    /// Bytes of this connection that were not rows.
    private var excess = 0
    private var isInTransaction = false
    /// How long the server works on one statement at most.
    private var timeLimit = "60s"
    package let place: String

    /// Connects to `address`, which is that of the host, or `nil` on this machine's socket. `notice` gets
    /// the server's first notices, a line each.
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

    /// Lets the server work on one statement for `timeLimit`, on this connection and on those made in
    /// its place.
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

    /// The end of what begins now and may take `patience`.
    private func end(after patience: Duration) -> ContinuousClock.Instant {
        let end = ContinuousClock.now.advanced(by: patience)
        return limits.deadline.map { min($0, end) } ?? end
    }

    /// Waits until the socket is ready. The limits end it first, also for a socket that is always ready.
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

    /// Reads what has arrived. libpq keeps parameters as long as the connection lasts, so everything except
    /// the rows has a limit; `rows` bytes of rows were kept.
    private func takeIn(_ rows: Int) throws(CentralError) {
        let waiting = Int(cs_waiting(unsafe PQsocket(connection)))
        reception.estimate += min(waiting, Reception.leastRead)
        guard unsafe PQconsumeInput(connection) == 1 else { throw lost() }
        while let notification = unsafe PQnotifies(connection) {
            unsafe PQfreemem(notification)
        }
        // TLS may take as much as its content again.
        try check(received, within: 2 * rows + limits.octets / 4 + Self.mostBesideRows)
    }

    private func check(_ octets: Int, within most: Int) throws(CentralError) {
        guard octets > most else { return }
        throw fault(
            .busy,
            "sent more than \(most >> 20) MB: shorten the span, or see what answers there"
        )
    }

    private var received: Int {
        let taken = Int(cs_received(unsafe PQsocket(connection)))
        return taken < 0 ? reception.estimate : taken - reception.start
    }

    /// Bytes that came since the statement began.
    private struct Reception {
        /// Bytes that were taken from the socket before.
        var start = 0
        /// Bytes that came at least, if the system does not count them.
        var estimate = 0

        /// libpq has room for this many bytes each time it reads.
        static let leastRead = 8192
    }

    /// Runs statements as one, of which nothing stays where one of them fails.
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

    /// Runs one statement with these values, $1 first, and returns its rows, all of which come within
    /// `patience`; the default is longer than the server works on a statement.
    @discardableResult
    package func query(
        _ sql: String,
        _ values: [CentralValue] = [],
        patience: Duration? = nil
    ) throws(CentralError) -> CentralRows {
        // Another connection knows nothing of the transaction.
        if isBroken, isInTransaction { throw lost() }
        // A new connection has nothing that libpq keeps of the old one.
        if isBroken || excess > Self.mostExcess && !isInTransaction { try openAgain() }
        do {
            return try run(sql, values, patience ?? Self.longPatience)
        } catch {
            isBroken = !isSettled || error.status == .busy
            throw error
        }
    }

    /// Hands over the rows of a statement, in parts of so many `rows`, or all at once. Parts need a
    /// transaction: they come from a cursor.
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
        let octets = values.map(\.octets)
        let lengths = octets.map { Int32(clamping: $0?.count ?? 0) }
        let formats = values.map { _ in 1 as Int32 }
        isSettled = false
        // One buffer for all of them: the pointers hold while it does.
        let all = octets.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
        let code = unsafe all.withUnsafeBufferPointer { buffer in
            var place = 0
            let pointers = unsafe octets.map { value -> UnsafePointer<CChar>? in
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

    /// The result of the last statement, once all of it is there. Rows are taken one by one, so that no
    /// more of them are in memory than the limits allow.
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
                try check(rows.cost, within: limits.octets)
            case PGRES_FATAL_ERROR, PGRES_NONFATAL_ERROR:
                failure = unsafe failure ?? fault(of: result)
            // Of a copy, which no statement asks for, libpq has the same result for ever.
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
