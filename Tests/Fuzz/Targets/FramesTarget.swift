#if DEBUG || TESTABLE
import DNSWire
import FuzzJudge

@testable import Transports

/// A stream of messages, each after its length, as the answers to two queries of one connection.
/// The first byte selects the size of the pieces in which the stream arrives.
enum FramesTarget {
    @EventLoopActor
    static func take(_ input: [UInt8]) async {
        guard let size = input.first else { return }
        let framing: any Framing = DNSFraming()
        let conversations = (0..<2).map { place in
            Conversation(
                Attempt(AnswerTarget.queries[place], id: AnswerTarget.firstID + UInt16(place))
            )
        }
        for conversation in conversations { framing.add(conversation.query) }
        let octets = Array(input.dropFirst())
        do {
            while try framing.outgoing() != nil {}
            for piece in octets.pieces(of: Int(size)) {
                try unsafe piece.withUnsafeBytes { bytes in
                    try unsafe framing.take(bytes, conversations[0].arrival)
                }
            }
        } catch {}
        let messages = messages(in: octets)
        for conversation in conversations { conversation.conclude(messages) }
    }

    /// Returns the complete messages of a stream (RFC 1035 §4.2.2).
    static func messages(in octets: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var place = 0
        while place + 2 <= octets.count {
            let end = place + 2 + Int(octets.number(at: place))
            guard end <= octets.count else { break }
            messages.append(Array(octets[place + 2..<end]))
            place = end
        }
        return messages
    }
}
#endif
