import GRDB
package import Samples

/// What has been done about notices from one place.
package struct NoticeLog: Hashable, Sendable {
    /// In the order of sending; of a resolver and kind the last one, and the last delivered.
    package var sent: [SentNotice] = []
    /// Changes were looked for up to here; `nil` where they never were.
    package var judged: Timestamp?

    package init() {}
}

extension Store {
    /// What was sent from a place, and up to which hour it was judged.
    package func noticeLog(from vantage: String) throws(StoreError) -> NoticeLog {
        try read { database in
            var log = NoticeLog()
            let hour = try BoundStatement(
                database,
                """
                SELECT hour FROM judgement JOIN vantage ON vantage.id = vantage WHERE name = ?
                """
            )
            hour.bind(vantage, at: 1)
            defer { hour.reset() }
            if try hour.step() { log.judged = Timestamp(hourNumber: try hour.integer(0)) }
            let rows = try BoundStatement(
                database,
                """
                SELECT max(notice.id), label, transport, address, series, kind, since, sent,
                    delivered
                FROM notice JOIN vantage ON vantage.id = vantage
                    JOIN target ON target.id = target JOIN endpoint ON endpoint.id = endpoint
                WHERE name = ? GROUP BY target, kind, delivered ORDER BY 1
                """
            )
            rows.bind(vantage, at: 1)
            defer { rows.reset() }
            while try rows.step() {
                log.sent.append(
                    SentNotice(
                        target: try Recording.Target(rows, from: 1),
                        kind: try rows.name(5),
                        since: Timestamp(nanoseconds: try rows.integer(6)),
                        sent: Timestamp(nanoseconds: try rows.integer(7)),
                        isDelivered: try rows.integer(8) != 0
                    )
                )
            }
            return log
        }
    }

    /// Keeps in mind what was sent from a place.
    package func note(_ notices: [SentNotice], from vantage: String) throws(StoreError) {
        try write { database, registry in
            let place = try registry.vantage(vantage, database)
            for notice in notices {
                let target = try registry.target(notice.target, database)
                try NoticeTable.insert(notice, vantage: place, target: target, database)
            }
        }
    }

    /// Keeps in mind that changes were looked for in the hours before `end`.
    package func noteJudged(until end: Timestamp, from vantage: String) throws(StoreError) {
        try write { database, registry in
            let place = try registry.vantage(vantage, database)
            try NoticeTable.setJudged(hour: end.hourNumber, vantage: place, database)
        }
    }
}

/// The rows of notices and judgements, each with a checksum of what it says.
enum NoticeTable {
    static func insert(
        _ notice: SentNotice,
        vantage: Int64,
        target: Int64,
        _ database: Database
    ) throws {
        let insert = try BoundStatement(
            database,
            """
            INSERT INTO notice (vantage, target, kind, since, sent, delivered, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        )
        let delivered: Int64 = notice.isDelivered ? 1 : 0
        insert.bind(vantage, at: 1)
        insert.bind(target, at: 2)
        insert.bind(notice.kind, at: 3)
        insert.bind(notice.since.nanoseconds, at: 4)
        insert.bind(notice.sent.nanoseconds, at: 5)
        insert.bind(delivered, at: 6)
        let numbers = [
            vantage, target, notice.since.nanoseconds, notice.sent.nanoseconds, delivered,
        ]
        insert.bind(checksum(numbers, notice.kind), at: 7)
        try insert.run()
    }

    static func setJudged(hour: Int64, vantage: Int64, _ database: Database) throws {
        let insert = try BoundStatement(
            database,
            "INSERT OR REPLACE INTO judgement (vantage, hour, checksum) VALUES (?, ?, ?)"
        )
        insert.bind(vantage, at: 1)
        insert.bind(hour, at: 2)
        insert.bind(checksum([vantage, hour]), at: 3)
        try insert.run()
    }

    /// What is not as it was stored.
    static func findings(_ database: Database) throws -> [String] {
        var findings: [String] = []
        let notices = try BoundStatement(
            database,
            """
            SELECT vantage, target, since, sent, delivered, kind, checksum, id FROM notice
            """
        )
        defer { notices.reset() }
        while try notices.step() {
            let sum = try checksum((0..<5).map { try notices.integer($0) }, notices.text(5))
            guard try sum != notices.integer(6) else { continue }
            findings.append("notice \(try notices.integer(7)) is not as it was stored")
        }
        let judgements = try BoundStatement(
            database,
            "SELECT vantage, hour, checksum FROM judgement"
        )
        defer { judgements.reset() }
        while try judgements.step() {
            let sum = try checksum((0..<2).map { try judgements.integer($0) })
            guard try sum != judgements.integer(2) else { continue }
            findings.append("judgement \(try judgements.integer(0)) is not as it was stored")
        }
        return findings
    }

    private static func checksum(_ numbers: [Int64], _ text: String? = nil) -> Int64 {
        var checksum = Checksum()
        for number in numbers { checksum.add(number) }
        checksum.add(text)
        return checksum.value
    }
}
