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

    /// The size of its messages in bytes.
    var size: Int { log.size }

    /// The frames in the order of the messages. An exchange without messages has one frame.
    func frames(from source: FrameSource) -> [[UInt8]] {
        let heads = source.heads[facts.target]
        var first: EncodedMessage? = facts.encoded
        var frames: [[UInt8]] = []
        var queries = 0
        var left: Int64?
        log.forEach { bytes, time, isResponse in
            if !isResponse { (queries, left) = (queries + 1, time) }
            var message = heads.message(isResponse: isResponse, isFurther: queries > 1)
            DnstapMessage.add(sent: left, to: &message)
            if isResponse {
                DnstapMessage.add(bytes, received: time, to: &message)
            } else {
                DnstapMessage.add(bytes, to: &message)
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

/// Reads exchanges frame by frame. The frames may contain any bytes. Throws at a frame that does not belong
/// to one of the resolvers and questions.
struct ExchangeReader {
    private let source: EvidenceSource
    /// The path of the file that contains the frames.
    private let file: String
    private var recorded: RecordedExchange?

    init(_ source: EvidenceSource, file: String) {
        self.source = source
        self.file = file
    }

    /// Adds a frame. If the frame begins a new exchange, returns the previous exchange.
    mutating func take(_ bytes: [UInt8]) throws(EvidenceError) -> ExchangeRecord? {
        guard let frame = try? DnstapFrame(bytes) else { throw .unreadable(file) }
        guard frame.extra != nil else {
            guard recorded?.add(frame) == true else { throw .unreadable(file) }
            return nil
        }
        let ended = try end()
        guard let next = RecordedExchange(first: frame) else { throw .unreadable(file) }
        recorded = next
        return ended
    }

    /// Returns the last exchange; `nil` if it is missing.
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
    /// The size of the messages in bytes, including the minimum overhead of each frame.
    private var bytes = 0

    /// More than the size of any stored exchange: several queries, an answer, and 64 KiB of unusable
    /// messages.
    private static let mostBytes = 1 << 20
    private static let leastFrame = 32

    /// The exchange that `frame` begins; `nil` if the frame does not begin one. The following frames are
    /// added with ``add(_:)``.
    init?(first frame: DnstapFrame) {
        guard let extra = frame.extra, let facts = try? ExchangeFacts(extra) else { return nil }
        self.facts = facts
        guard add(frame) else { return nil }
    }

    /// Adds the message of a frame. Returns false if the message cannot belong to this exchange.
    mutating func add(_ frame: DnstapFrame) -> Bool {
        bytes += frame.message.count + Self.leastFrame
        guard bytes <= Self.mostBytes, let message = try? DnstapMessage(frame.message)
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

    /// The exchange that the messages describe; `nil` if they are invalid, or if `source` does not contain
    /// its resolver or question.
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
