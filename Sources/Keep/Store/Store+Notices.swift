import SQLite
package import Samples

package struct NoticeLog: Hashable, Sendable {
    /// In the order of sending: of a resolver and kind the last one that was not delivered, and
    /// those that were, of one beginning the last.
    package var sent: [SentNotice] = []
    /// Changes were looked for up to here; `nil` where they never were.
    package var judged: Timestamp?

    package init() {}
}

extension Store {
    /// Notices that were sent from a place, and the hour up to which it was judged.
    package func noticeLog(from vantage: String) throws(StoreError) -> NoticeLog {
        try read { database in
            var log = NoticeLog()
            log.judged = try database.first(
                "SELECT hour FROM judgement JOIN vantage ON vantage.id = vantage WHERE name = ?",
                [vantage]
            ) { Timestamp(hourNumber: try $0.integer(0)) }
            log.sent = try database.rows(
                """
                SELECT max(notice.id), label, transport, address, series, kind, since, sent,
                    delivered
                FROM notice JOIN vantage ON vantage.id = vantage
                    JOIN target ON target.id = target JOIN endpoint ON endpoint.id = endpoint
                WHERE name = ? GROUP BY target, kind, delivered, delivered * since ORDER BY 1
                """,
                [vantage]
            ) { row in
                SentNotice(
                    target: try Recording.Target(row, from: 1),
                    kind: try row.name(5),
                    since: try row.moment(6),
                    sent: try row.moment(7),
                    isDelivered: try row.integer(8) != 0
                )
            }
            return log
        }
    }

    /// Keeps in mind what was sent from a place.
    package func note(_ notices: [SentNotice], from vantage: String) throws(StoreError) {
        try write { context in
            let place = try context.number(of: .vantage(vantage))
            for notice in notices {
                let target = try context.number(of: notice.target)
                let (since, sent) = (notice.since.nanoseconds, notice.sent.nanoseconds)
                let isDelivered: Int64 = notice.isDelivered ? 1 : 0
                let numbers = [place, target, since, sent, isDelivered]
                try context.database.insert(
                    "notice",
                    [
                        "vantage": place, "target": target, "since": since, "sent": sent,
                        "delivered": isDelivered, "kind": notice.kind,
                        "checksum": NoticeTable.checksum(numbers, notice.kind),
                    ]
                )
            }
        }
    }

    /// Keeps in mind that changes were looked for in the hours before `end`.
    package func noteJudged(until end: Timestamp, from vantage: String) throws(StoreError) {
        try write { context in
            let place = try context.number(of: .vantage(vantage))
            let hour = end.hourNumber
            try context.database.insert(
                "judgement",
                ["vantage": place, "hour": hour, "checksum": NoticeTable.checksum([place, hour])],
                replaces: true
            )
        }
    }
}

/// The rows of notices and judgements, each with a checksum of what it says.
enum NoticeTable {
    /// Rows that are not as they were stored.
    static func findings(_ database: Database) throws -> [String] {
        var findings: [String] = []
        try database.forEachRow(
            "SELECT vantage, target, since, sent, delivered, kind, checksum, id FROM notice"
        ) { row in
            let sum = try checksum((0..<5).map { try row.integer($0) }, row.text(5))
            guard try sum != row.integer(6) else { return }
            findings.append("notice \(try row.integer(7)) is not as it was stored")
        }
        try database.forEachRow("SELECT vantage, hour, checksum FROM judgement") { row in
            let sum = try checksum((0..<2).map { try row.integer($0) })
            guard try sum != row.integer(2) else { return }
            findings.append("judgement \(try row.integer(0)) is not as it was stored")
        }
        return findings
    }

    static func checksum(_ numbers: [Int64], _ text: String? = nil) -> Int64 {
        Checksum.value(of: numbers.map { $0 } + [text])
    }
}
