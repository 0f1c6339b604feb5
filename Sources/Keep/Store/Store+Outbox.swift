import SQLite
package import Samples

/// A notice that waits in the store for a web service.
package struct WaitingNotice: Hashable, Sendable {
    /// Its number in the store.
    package let id: Int64
    /// The body of the request.
    package let body: String
    /// The number of attempts, with the one that is beginning.
    package let attempts: Int
}

/// Notices that wait for a receiver no longer.
package struct LostNotices: Hashable, Sendable {
    /// The number of notices that no attempt delivered in ``Store/noticeAge``.
    package var expired = 0
    /// The number of notices whose attempt did not end, because the program was ended.
    package var interrupted = 0
}

extension Store {
    /// The age at which a waiting notice is given up.
    package static let noticeAge = Duration.seconds(24 * 3600)
    /// The longest time between two attempts to send a notice.
    package static let longestNoticePause = Duration.seconds(3600)
    /// The longest time of an attempt. A later attempt has been interrupted.
    private static let longestNoticeAttempt = Duration.seconds(120)
    /// The maximum number of notices that wait for a receiver. The oldest are given up.
    private static let mostWaiting = 1000

    /// The state of a row of `outbox`.
    private enum State: Int64 {
        case waits, isSent, isDone
    }

    /// The values of a row whose notice is no longer needed.
    private static let done = "state = \(State.isDone.rawValue), body = ''"

    /// Adds the body of a notice about `event` for a receiver, unless it had one for this event before.
    package func enqueue(
        _ body: String,
        of event: String,
        for receiver: String,
        now: Timestamp
    ) throws(StoreError) {
        try write { context in
            try context.database.run(
                """
                INSERT OR IGNORE INTO outbox (receiver, event, body, created, due, attempts, state)
                VALUES (?, ?, ?, ?, ?, 0, \(State.waits.rawValue))
                """,
                [receiver, event, body, now.nanoseconds, now.nanoseconds]
            )
            try context.database.run(
                """
                UPDATE outbox SET \(Self.done) WHERE id IN (
                    SELECT id FROM outbox WHERE receiver = ? AND state = \(State.waits.rawValue)
                    ORDER BY id DESC LIMIT -1 OFFSET \(Self.mostWaiting)
                )
                """,
                [receiver]
            )
        }
    }

    /// Begins an attempt to send the first notice that is due. The store records the attempt before anything
    /// is sent, so that no notice is sent twice.
    package func beginNotice(
        for receiver: String,
        now: Timestamp
    ) throws(StoreError) -> WaitingNotice? {
        try write { context in
            let database = context.database
            // A time far in the future is from before the clock was set back.
            let notice = try database.first(
                """
                SELECT id, body, attempts FROM outbox
                WHERE receiver = ? AND state = \(State.waits.rawValue) AND (due <= ? OR due > ?)
                ORDER BY id LIMIT 1
                """,
                [receiver, now.nanoseconds, now.advanced(by: Self.longestNoticePause).nanoseconds]
            ) { row in
                WaitingNotice(
                    id: try row.integer(0),
                    body: try row.text(1),
                    attempts: Int(clamping: try row.integer(2)) + 1
                )
            }
            guard let notice else { return nil }
            try database.run(
                """
                UPDATE outbox SET state = \(State.isSent.rawValue), due = ?, attempts = ?
                WHERE id = ?
                """,
                [now.nanoseconds, Int64(notice.attempts), notice.id]
            )
            return notice
        }
    }

    /// Ends an attempt. The notice waits until `due`, or is done if this is `nil`.
    package func endNotice(_ id: Int64, waitingUntil due: Timestamp?) throws(StoreError) {
        try write { context in
            guard let due else {
                return try context.database.run(
                    "UPDATE outbox SET \(Self.done) WHERE id = ?",
                    [id]
                )
            }
            try context.database.run(
                "UPDATE outbox SET state = \(State.waits.rawValue), due = ? WHERE id = ?",
                [due.nanoseconds, id]
            )
        }
    }

    /// Gives up the notices of a receiver that are too old, or whose attempt was interrupted. Their rows stay
    /// for a while, so that the same event causes no other notice.
    package func giveUpNotices(for receiver: String, now: Timestamp) throws(StoreError)
        -> LostNotices
    {
        let oldest = now.advanced(by: .zero - Self.noticeAge).nanoseconds
        let begun = now.advanced(by: .zero - Self.longestNoticeAttempt).nanoseconds
        return try write { context in
            func giveUp(_ state: State, _ column: String, before time: Int64) throws -> Int {
                let rows = "receiver = ? AND state = \(state.rawValue) AND \(column) < ?"
                let bounds: [(any StatementBinding)?] = [receiver, time]
                let count = try context.database.first(
                    "SELECT count(*) FROM outbox WHERE \(rows)",
                    bounds
                ) { Int(clamping: try $0.integer(0)) }
                try context.database.run(
                    "UPDATE outbox SET \(Self.done) WHERE \(rows)",
                    bounds
                )
                return count ?? 0
            }
            let lost = LostNotices(
                expired: try giveUp(.waits, "created", before: oldest),
                interrupted: try giveUp(.isSent, "due", before: begun)
            )
            try context.database.run(
                "DELETE FROM outbox WHERE created < ?",
                [now.advanced(by: .zero - Self.noticeAge * 7).nanoseconds]
            )
            return lost
        }
    }
}

extension Schema {
    /// The notices for web services. `receiver` identifies a service, and `event` the event. `due` is the time
    /// of the next attempt, or of the one that has begun. Times are in nanoseconds of POSIX time. `state` is 0
    /// while the notice waits, 1 during an attempt, and 2 afterwards.
    static let outbox = """
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY,
            receiver TEXT NOT NULL,
            event TEXT NOT NULL,
            body TEXT NOT NULL,
            created INTEGER NOT NULL,
            due INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            state INTEGER NOT NULL,
            UNIQUE (receiver, event)
        ) STRICT;
        """
}
