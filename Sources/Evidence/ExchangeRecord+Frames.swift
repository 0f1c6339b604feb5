import Catalogue
import DNSWire
import SwiftProtobuf
import Transports

/// What the frames of an exchange have.
struct ExchangeOnFile: Sendable {
    private let target: Int
    private let sent: Int64?
    private let facts: ExchangeFacts
    private let log: MessageLog

    init(_ record: ExchangeRecord, over transport: TransportKind) {
        let told = record.exchange.facts(over: transport)
        target = record.target
        sent = told.sent
        facts = ExchangeFacts(record, told)
        log = record.exchange.log
    }

    /// The frames in the order of the messages; there is one even where nothing was sent.
    func frames(from source: FrameSource) throws -> [[UInt8]] {
        let heads = source.heads[target]
        var facts: [UInt8]? = try facts.serializedBytes()
        var frames: [[UInt8]] = []
        var queries = 0
        var left: Int64?
        func add(_ message: EncodedFields) {
            frames.append(source.frame(message, facts: facts.take()))
        }
        log.forEach { octets, time, isResponse in
            if !isResponse { (queries, left) = (queries + 1, time) }
            var message = heads.message(isResponse: isResponse, isFurther: queries > 1)
            message.add(left, as: .queryTimeSec, .queryTimeNsec)
            if isResponse {
                message.add(time, as: .responseTimeSec, .responseTimeNsec)
                message.add(octets, as: .responseMessage)
            } else {
                message.add(octets, as: .queryMessage)
            }
            add(message)
        }
        if frames.isEmpty {
            var none = heads.message(isResponse: false, isFurther: false)
            none.add(sent, as: .queryTimeSec, .queryTimeNsec)
            add(none)
        }
        return frames
    }
}

extension ExchangeFacts {
    fileprivate init(_ record: ExchangeRecord, _ told: Exchange.Facts) {
        self.init()
        round = UInt32(clamping: record.round)
        resolver = UInt32(clamping: record.target)
        question = UInt32(clamping: record.question)
        position = UInt32(clamping: record.position)
        queries = UInt32(clamping: record.queries)
        scheduled = record.scheduled
        late = record.lateness
        clock = Clock(rawValue: Int(told.clock.rawValue)) ?? .user
        connection = told.connection.flatMap { .init(rawValue: Int($0.rawValue) + 1) } ?? .none
        if let time = told.connect { connect = time }
        if let time = told.handshake { handshake = time }
        if let step = told.clockStep { clockStep = step }
        if let time = told.roundTrip { roundTrip = time }
        let isSet = [told.isUnverified, told.isOverHTTP1, record.isWarmup]
        for (bit, isSet) in isSet.enumerated() where isSet { flags |= 1 << bit }
        (ending, reason) = Self.ending(told.ending)
    }
}

/// Reads exchanges frame by frame, which may be any octets; throws at a frame that is no evidence of one of
/// the resolvers and questions.
struct ExchangeReader {
    private let source: EvidenceSource
    /// Whose frames they are.
    private let file: String
    private var recorded: RecordedExchange?

    init(_ source: EvidenceSource, file: String) {
        self.source = source
        self.file = file
    }

    /// Takes a frame; returns the exchange before it, where it begins another.
    mutating func take(_ octets: [UInt8]) throws(EvidenceError) -> ExchangeRecord? {
        guard let frame = try? Dnstap(serializedBytes: octets) else { throw .unreadable(file) }
        guard frame.hasExtra else {
            guard recorded?.add(frame) == true else { throw .unreadable(file) }
            return nil
        }
        let ended = try end()
        guard let next = RecordedExchange(first: frame) else { throw .unreadable(file) }
        recorded = next
        return ended
    }

    /// The last exchange, if there is one.
    mutating func end() throws(EvidenceError) -> ExchangeRecord? {
        guard let ended = recorded.take() else { return nil }
        guard let record = ended.record(of: source) else { throw .unreadable(file) }
        return record
    }
}

/// An exchange that is read frame by frame.
struct RecordedExchange {
    private let facts: ExchangeFacts
    private var messages: [SentQuery] = []
    /// Of an exchange without messages.
    private var sent: Int64?

    /// The exchange that `frame` begins; `nil` where it begins none. The frames that follow it are
    /// added.
    init?(first frame: Dnstap) {
        guard let facts = try? ExchangeFacts(serializedBytes: Array(frame.extra)) else {
            return nil
        }
        self.facts = facts
        guard add(frame) else { return nil }
    }

    /// Adds the message of a frame; false where it cannot be one of this exchange.
    mutating func add(_ frame: Dnstap) -> Bool {
        guard let message = try? DnstapMessage(serializedBytes: frame.message) else { return false }
        switch message.type {
        case .toolQuery where !message.hasQueryMessage: sent = message.queryTime
        case .toolQuery:
            messages.append(
                SentQuery(message: [UInt8](message.queryMessage), sent: message.queryTime)
            )
        case .toolResponse:
            guard !messages.isEmpty, let received = message.responseTime else { return false }
            messages[messages.count - 1].responses.append(
                .init(message: [UInt8](message.responseMessage), received: received)
            )
        }
        return true
    }

    /// The exchange that its messages tell; `nil` where they tell none, or where it is of no resolver
    /// or question of `source`.
    func record(of source: EvidenceSource) -> ExchangeRecord? {
        let (target, question) = (Int(facts.resolver), Int(facts.question))
        guard source.endpoints.indices.contains(target), question < source.questions else {
            return nil
        }
        let exchange = Exchange(
            of: messages,
            told,
            over: source.endpoints[target].transport,
            timeout: source.timeout,
            keepsData: source.keepsData.contains(question)
        )
        guard let exchange else { return nil }
        var record = ExchangeRecord(exchange)
        record.round = Int(facts.round)
        record.isWarmup = facts.flags & 4 != 0
        (record.target, record.question) = (target, question)
        record.position = Int(facts.position)
        record.queries = Int(facts.queries)
        record.scheduled = facts.scheduled
        record.lateness = facts.late
        return record
    }

    private var told: Exchange.Facts {
        var told = Exchange.Facts()
        told.ending = facts.result
        told.sent = sent
        told.clock = ClockSource(rawValue: UInt8(clamping: facts.clock.rawValue)) ?? .user
        told.roundTrip = facts.hasRoundTrip ? facts.roundTrip : nil
        told.connect = facts.hasConnect ? facts.connect : nil
        told.handshake = facts.hasHandshake ? facts.handshake : nil
        if facts.connection != .none {
            told.connection = ConnectionUse(
                rawValue: UInt8(clamping: facts.connection.rawValue - 1)
            )
        }
        told.clockStep = facts.hasClockStep ? facts.clockStep : nil
        told.isUnverified = facts.flags & 1 != 0
        told.isOverHTTP1 = facts.flags & 2 != 0
        return told
    }
}

extension ExchangeFacts {
    fileprivate static func ending(_ result: QueryResult?) -> (Ending, String) {
        switch result {
        case nil, .response: (.messages, "")
        case .timeout: (.timeout, "")
        case .unreachable(let reason): (.unreachable, reason)
        case .noRoute(let reason): (.noRoute, reason)
        case .malformed(let reason): (.malformed, reason)
        case .untrusted(let distrust): (.untrusted, distrust.reason)
        case .blocked: (.blocked, "")
        case .cancelled: (.cancelled, "")
        }
    }

    fileprivate var result: QueryResult? {
        switch ending {
        case .messages: nil
        case .timeout: .timeout
        case .unreachable: .unreachable(reason)
        case .noRoute: .noRoute(reason)
        case .malformed: .malformed(reason)
        case .untrusted: .untrusted(Distrust(reason))
        case .blocked: .blocked
        case .cancelled, .UNRECOGNIZED: .cancelled
        }
    }
}

extension DnstapMessage {
    private static let second: Int64 = 1_000_000_000

    fileprivate var queryTime: Int64? {
        hasQueryTimeSec ? Self.moment(queryTimeSec, queryTimeNsec) : nil
    }

    fileprivate var responseTime: Int64? {
        hasResponseTimeSec ? Self.moment(responseTimeSec, responseTimeNsec) : nil
    }

    /// A file may say anything: no later than can be told.
    private static func moment(_ seconds: UInt64, _ nanoseconds: UInt32) -> Int64 {
        let whole = Int64(min(seconds, UInt64(Int64.max / second) - 1))
        return whole * second + Int64(min(nanoseconds, UInt32(second) - 1))
    }
}
