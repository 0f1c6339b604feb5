#if DEBUG || TESTABLE
import CSockets
import DNSWire
import FuzzJudge

@testable import Transports

/// One query on a simulated connection: a fuzz target passes the received bytes to it.
@EventLoopActor
struct Conversation {
    let query: StreamQuery
    private let inquiry: Inquiry
    private let wait: WaitToken

    private static let timeout = Duration.seconds(5)

    /// Creates the state just after `attempt` was sent.
    init(_ attempt: Attempt) {
        guard let inquiry = Inquiry(sent: attempt.message) else { accuse("a query cannot be sent") }
        self.inquiry = inquiry
        wait = EventLoop.shared.open(deadline: nil)
        query = StreamQuery(attempt, within: TimeLimit(Self.timeout), wait: wait)
        query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
    }

    /// The arrival of bytes at the present time.
    var arrival: Arrival { Arrival(stamp: nil, clocks: cs_read_clocks()) }

    /// Ends the conversation. An accepted answer must be one of the received `messages`.
    func conclude(_ messages: [[UInt8]]) {
        EventLoop.shared.close(wait)
        if let time = query.exchange.roundTrip, !(.zero...Self.timeout).contains(time) {
            accuse("a time of \(time) under a timeout of \(Self.timeout)")
        }
        guard query.isDone, case .response(let response) = query.exchange.result else { return }
        let claim = Claim(response)
        guard messages.contains(where: { claim.lie(about: $0, to: inquiry) == nil }) else {
            accuse("no message that came is the answer")
        }
    }
}

extension [UInt8] {
    /// Splits the bytes into pieces of at most `size` bytes, as a network may do.
    func pieces(of size: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: count, by: Swift.max(1, size)).map {
            self[$0..<Swift.min(count, $0 + Swift.max(1, size))]
        }
    }
}
#endif
