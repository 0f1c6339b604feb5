import Catalogue
import DNSWire
import Protobuf
import Transports

/// The facts about one query that its messages do not contain. They are a Protocol Buffers message in the
/// field `extra` of the exchange's first frame. `data/docs/reference/evidence.md` names its fields.
struct ExchangeFacts {
    /// The result of an exchange if its messages do not show it, as a number.
    private enum Ending: UInt64 {
        case messages = 0
        case timeout, unreachable, noRoute, malformed, untrusted, blocked, cancelled, wrongAddress
    }

    private enum Flag {
        static let unverified: UInt64 = 1
        static let overHTTP1: UInt64 = 2
        static let warmup: UInt64 = 4
        static let followed: UInt64 = 8
        static let earlyRefused: UInt64 = 16
    }

    let target: Int
    let question: Int
    let told: Exchange.Facts
    private let round: Int
    private let position: Int
    private let queries: Int
    private let scheduled: Int64
    private let lateness: Int64
    private let isWarmup: Bool

    init(_ record: ExchangeRecord, over transport: TransportKind) {
        told = record.exchange.facts(over: transport)
        (target, question) = (record.target, record.question)
        (round, position, queries) = (record.round, record.position, record.queries)
        (scheduled, lateness) = (record.scheduled, record.lateness)
        isWarmup = record.isWarmup
    }

    /// Creates the record of `exchange` with these facts.
    func record(_ exchange: Exchange) -> ExchangeRecord {
        var record = ExchangeRecord(exchange)
        (record.target, record.question) = (target, question)
        (record.round, record.position, record.queries) = (round, position, queries)
        (record.scheduled, record.lateness) = (scheduled, lateness)
        record.isWarmup = isWarmup
        return record
    }

    var encoded: EncodedMessage {
        var message = EncodedMessage([], reserving: 64)
        for (field, number) in [round, target, question, position].enumerated() {
            message.add(UInt32(clamping: number), as: field + 1)
        }
        message.add(scheduled, as: 5)
        message.add(lateness, as: 6)
        message.add(told.clock.rawValue, as: 7)
        let (ending, reason) = Self.ending(told.ending)
        message.add(ending.rawValue, as: 8)
        message.add(reason, as: 9)
        message.add(told.connection.map { $0.rawValue + 1 } ?? 0, as: 10)
        message.add(optional: told.connect, as: 11)
        message.add(optional: told.handshake, as: 12)
        message.add(optional: told.clockStep, as: 13)
        let flags = [
            told.isUnverified ? Flag.unverified : 0, told.isOverHTTP1 ? Flag.overHTTP1 : 0,
            isWarmup ? Flag.warmup : 0, told.isFollowed ? Flag.followed : 0,
            told.isEarlyRefused ? Flag.earlyRefused : 0,
        ]
        message.add(flags.reduce(0, |), as: 14)
        message.add(UInt32(clamping: queries), as: 15)
        message.add(optional: told.roundTrip, as: 16)
        for (field, count) in told.unkept.counts.enumerated() {
            message.add(UInt32(clamping: count), as: field + 17)
        }
        message.add(told.fault?.description ?? "", as: 21)
        return message
    }

    init(_ bytes: ArraySlice<UInt8>) throws(MessageReader.Fault) {
        var values = [MessageReader.Value?](repeating: nil, count: 22)
        var reader = MessageReader(bytes)
        while let (field, value) = try reader.next() {
            if field < values.count { values[Int(field)] = value }
        }
        func number(_ field: Int) -> UInt64 { values[field]?.number ?? 0 }
        func count(_ field: Int) -> Int { Int(UInt32(truncatingIfNeeded: number(field))) }
        guard let reason = String(validating: values[9]?.bytes ?? [], as: UTF8.self),
            let fault = String(validating: values[21]?.bytes ?? [], as: UTF8.self)
        else { throw MessageReader.Fault() }
        (round, target, question, position) = (count(1), count(2), count(3), count(4))
        queries = count(15)
        (scheduled, lateness) = (values[5]?.signed ?? 0, values[6]?.signed ?? 0)
        let flags = number(14)
        isWarmup = flags & Flag.warmup != 0
        var told = Exchange.Facts()
        told.clock = ClockSource(rawValue: UInt8(clamping: number(7))) ?? .user
        told.ending = Self.result(number(8), reason)
        told.connection =
            number(10) > 0 ? ConnectionUse(rawValue: UInt8(clamping: number(10) - 1)) : nil
        told.connect = values[11]?.signed
        told.handshake = values[12]?.signed
        told.clockStep = values[13]?.signed
        told.isUnverified = flags & Flag.unverified != 0
        told.isFollowed = flags & Flag.followed != 0
        told.isEarlyRefused = flags & Flag.earlyRefused != 0
        told.isOverHTTP1 = flags & Flag.overHTTP1 != 0
        told.roundTrip = values[16]?.signed
        told.unkept = .init(counts: (17...20).map(count))
        told.fault = FailureCause(fault)
        self.told = told
    }

    private static func ending(_ result: QueryResult?) -> (Ending, reason: String) {
        switch result {
        case nil, .response: (.messages, "")
        case .timeout: (.timeout, "")
        case .unreachable(let reason): (.unreachable, reason)
        case .noRoute(let reason): (.noRoute, reason)
        case .wrongAddress(let reason): (.wrongAddress, reason)
        case .malformed(let reason): (.malformed, reason)
        case .untrusted(let distrust): (.untrusted, distrust.reason)
        case .blocked: (.blocked, "")
        case .cancelled: (.cancelled, "")
        }
    }

    private static func result(_ ending: UInt64, _ reason: String) -> QueryResult? {
        switch Ending(rawValue: ending) {
        case .messages: nil
        case .timeout: .timeout
        case .unreachable: .unreachable(reason)
        case .noRoute: .noRoute(reason)
        case .wrongAddress: .wrongAddress(reason)
        case .malformed: .malformed(reason)
        case .untrusted: .untrusted(Distrust(reason))
        case .blocked: .blocked
        case .cancelled, nil: .cancelled
        }
    }
}
