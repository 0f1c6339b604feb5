import SQLite
package import Samples

package struct NoticeLog: Hashable, Sendable {
    /// The notices in the order of sending. Of each resolver and kind, they include the last notice that was
    /// not delivered. Of delivered notices, they include the last one per start (`since`).
    package var sent: [SentNotice] = []
    /// The end of the hours that were searched for changes; `nil` if none were searched.
    package var judged: Timestamp?

    package init() {}
}

extension Store {
    /// The notices that were sent from a vantage point, and the hour up to which it was judged.
    package func noticeLog(from vantage: String) throws(StoreError) -> NoticeLog {
        try read { database in
            var log = NoticeLog()
            log.judged = try database.first(
                "SELECT hour FROM judgement JOIN vantage ON vantage.id = vantage WHERE name = ?",
                [vantage]
            ) { Timestamp(hourNumber: try $0.integer(0)) }
            log.sent = try NoticeRow.rows(
                where: """
                    vantage.name = ? AND notice.id IN (
                        SELECT max(id) FROM notice
                        GROUP BY vantage, target, kind, delivered, delivered * since
                    )
                    """,
                [vantage],
                latestBy: NoticeRow.id,
                atMost: .max,
                database
            ).reversed().map(\.notice)
            return log
        }
    }

    /// Stores notices that were sent from a vantage point.
    package func note(_ notices: [SentNotice], from vantage: String) throws(StoreError) {
        try add(notices.map { NoticeRow($0, from: vantage) })
    }

    /// Records that the hours before `end` were searched for changes.
    package func noteJudged(until end: Timestamp, from vantage: String) throws(StoreError) {
        try write { context in
            let place = try context.number(of: .vantage(vantage))
            let hour = end.hourNumber
            try context.database.insert(
                "judgement",
                ["vantage": place, "hour": hour, "checksum": Judgement.checksum(place, hour)],
                replaces: true
            )
        }
    }
}

/// A notice, with the vantage point from which it was sent.
struct NoticeRow: TargetRow {
    static let table = "notice"
    static let names = ["since", "sent", "delivered", "kind"]
    static let id = "notice.id"

    let notice: SentNotice
    let vantage: String
    /// The value of the column, which may be damaged.
    private let delivered: Int64

    var target: Recording.Target { notice.target }

    var values: [(any StatementBinding)?] {
        [notice.since.nanoseconds, notice.sent.nanoseconds, delivered, notice.kind]
    }

    func title(_ id: Int64) -> String { "notice \(id)" }

    init(_ notice: SentNotice, from vantage: String) {
        (self.notice, self.vantage, delivered) = (notice, vantage, notice.isDelivered ? 1 : 0)
    }

    init(
        _ row: Statement,
        from vantage: String,
        _ target: Recording.Target
    ) throws(DatabaseError) {
        delivered = try row.integer(2)
        notice = SentNotice(
            target: target,
            kind: try row.name(3),
            since: try row.moment(0),
            sent: try row.moment(1),
            isDelivered: delivered != 0
        )
        self.vantage = vantage
    }
}

/// The hour up to which a vantage point was judged.
enum Judgement {
    /// Describes the rows that are not as they were stored.
    static func findings(_ database: Database) throws -> [String] {
        try database.rows("SELECT vantage, hour, checksum FROM judgement") { row in
            let (place, sum) = (try row.integer(0), try checksum(row.integer(0), row.integer(1)))
            return try sum == row.integer(2) ? nil : "judgement \(place) is not as it was stored"
        }.compactMap(\.self)
    }

    static func checksum(_ place: Int64, _ hour: Int64) -> Int64 {
        Checksum.value(of: [place, hour, nil])
    }
}
