import GRDB
import Samples

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
