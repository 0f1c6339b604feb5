import Catalogue
import DNSWire
import Protobuf
import Transports

/// The content of an exchange's frames.
struct ExchangeOnFile: Sendable {
    private let facts: ExchangeFacts
    private let log: MessageLog

    init(_ record: ExchangeRecord, over transport: TransportKind) {
        facts = ExchangeFacts(record, over: transport)
        log = record.exchange.log
    }

    /// The octets of its messages.
    var size: Int { log.size }

    /// The frames in the order of the messages; there is one even where nothing was sent.
    func frames(from source: FrameSource) -> [[UInt8]] {
        let heads = source.heads[facts.target]
        var first: EncodedMessage? = facts.encoded
        var frames: [[UInt8]] = []
        var queries = 0
        var left: Int64?
        log.forEach { octets, time, isResponse in
            if !isResponse { (queries, left) = (queries + 1, time) }
            var message = heads.message(isResponse: isResponse, isFurther: queries > 1)
            DnstapMessage.add(sent: left, to: &message)
            if isResponse {
                DnstapMessage.add(octets, received: time, to: &message)
            } else {
                DnstapMessage.add(octets, to: &message)
            }
            frames.append(source.frame(message, facts: first.take()))
        }
        if frames.isEmpty {
            var none = heads.message(isResponse: false, isFurther: false)
            DnstapMessage.add(sent: facts.told.sent, to: &none)
            frames.append(source.frame(none, facts: first.take()))
        }
        return frames
    }
}

/// Reads exchanges frame by frame, which may be any octets; throws at a frame that is no evidence of one of
/// the resolvers and questions.
struct ExchangeReader {
    private let source: EvidenceSource
    /// The file that the frames are of.
    private let file: String
    private var recorded: RecordedExchange?

    init(_ source: EvidenceSource, file: String) {
        self.source = source
        self.file = file
    }

    /// Takes a frame; returns the exchange before it, where it begins another.
    mutating func take(_ octets: [UInt8]) throws(EvidenceError) -> ExchangeRecord? {
        guard let frame = try? DnstapFrame(octets) else { throw .unreadable(file) }
        guard frame.extra != nil else {
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
    /// The sending time of an exchange without messages.
    private var sent: Int64?
    /// The octets of the messages, each with those that its frame takes at least.
    private var octets = 0

    /// More than an exchange keeps: some sendings, an answer, and 64 KiB of messages that are none.
    private static let mostOctets = 1 << 20
    private static let leastFrame = 32

    /// The exchange that `frame` begins; `nil` where it begins none. The frames that follow it are
    /// added.
    init?(first frame: DnstapFrame) {
        guard let extra = frame.extra, let facts = try? ExchangeFacts(extra) else { return nil }
        self.facts = facts
        guard add(frame) else { return nil }
    }

    /// Adds the message of a frame; false where it cannot be one of this exchange.
    mutating func add(_ frame: DnstapFrame) -> Bool {
        octets += frame.message.count + Self.leastFrame
        guard octets <= Self.mostOctets, let message = try? DnstapMessage(frame.message)
        else { return false }
        switch message.kind {
        case nil: return false
        case .query:
            guard let query = message.queryMessage else {
                sent = message.queryTime
                return true
            }
            messages.append(SentQuery(message: Array(query), sent: message.queryTime))
        case .response:
            guard !messages.isEmpty, let received = message.responseTime else { return false }
            messages[messages.count - 1].responses.append(
                .init(message: Array(message.responseMessage), received: received)
            )
        }
        return true
    }

    /// The exchange that its messages tell; `nil` where they tell none, or where it is of no resolver
    /// or question of `source`.
    func record(of source: EvidenceSource) -> ExchangeRecord? {
        guard source.endpoints.indices.contains(facts.target), facts.question < source.questions
        else { return nil }
        var told = facts.told
        told.sent = sent
        let exchange = Exchange(
            of: messages,
            told,
            over: source.endpoints[facts.target].transport,
            timeout: source.timeout,
            keepsData: source.keepsData.contains(facts.question)
        )
        return exchange.map(facts.record)
    }
}
