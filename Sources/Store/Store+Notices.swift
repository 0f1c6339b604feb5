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
