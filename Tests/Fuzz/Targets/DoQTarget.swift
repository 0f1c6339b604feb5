#if (DEBUG || TESTABLE) && QUIC
import FuzzJudge

@testable import Transports

/// Pieces of two streams of DNS over QUIC (RFC 9250 §4.2). Before each piece, one byte selects the stream and
/// its end, and one byte is the length.
enum DoQTarget {
    @EventLoopActor
    static func take(_ input: [UInt8]) async {
        let streams: any QUICApplication = DNSStreams()
        let conversations = (0..<2).map { place in
            Conversation(Attempt(AnswerTarget.queries[place], id: 0))
        }
        var received: [[UInt8]] = [[], []]
        var rest = input[...]
        do {
            try streams.begin(on: [])
            for (place, conversation) in conversations.enumerated() {
                try streams.add(conversation.query, on: Int64(4 * place))
            }
            while try streams.outgoing() != nil {}
            while let choice = rest.popFirst(), let count = rest.popFirst() {
                let place = Int(choice & 1)
                let octets = Array(rest.prefix(Int(count)))
                rest = rest.dropFirst(Int(count))
                received[place] += octets
                _ = try streams.take(
                    StreamBytes(
                        stream: Int64(4 * place),
                        bytes: octets,
                        isEnd: choice & 0x80 != 0
                    ),
                    conversations[0].arrival
                )
            }
        } catch {}
        for (conversation, octets) in zip(conversations, received) {
            conversation.conclude(FramesTarget.messages(in: octets))
        }
    }
}
#endif
