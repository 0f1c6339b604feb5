import Catalogue
import Protobuf

/// The part that all frames of a bundle have alike: who measured, and with what; and whom, by the
/// plan's index of targets. It is encoded once: to encode it for each frame took four times as
/// long.
struct FrameSource: Sendable {
    /// The fields of a message to or from one resolver, but its times and itself.
    struct Heads: Sendable {
        /// Those of the first sending, and those of further ones.
        private let heads: [(query: [UInt8], response: [UInt8])]

        fileprivate init(_ endpoint: Endpoint) {
            heads = [false, true].map { isFurther in
                (
                    DnstapMessage.head(.query, endpoint, isFurther: isFurther).octets,
                    DnstapMessage.head(.response, endpoint, isFurther: isFurther).octets
                )
            }
        }

        /// A message that its own fields are added to, with room for a usual one; `isFurther` where it is not
        /// of the first sending.
        func message(isResponse: Bool, isFurther: Bool) -> EncodedMessage {
            let head = heads[isFurther ? 1 : 0]
            return EncodedMessage(isResponse ? head.response : head.query, reserving: 256)
        }
    }

    let heads: [Heads]
    private let frame: [UInt8]

    init(identity: String, version: String, endpoints: [Endpoint]) {
        frame = DnstapFrame.head(identity: identity, version: version).octets
        heads = endpoints.map(Heads.init)
    }

    /// The frame of `message`; `facts` are those of its exchange, in the first of its frames.
    func frame(_ message: EncodedMessage, facts: EncodedMessage?) -> [UInt8] {
        let more = message.octets.count + (facts?.octets.count ?? 0) + 16
        var encoded = EncodedMessage(frame, reserving: more)
        DnstapFrame.add(message, facts: facts, to: &encoded)
        return encoded.octets
    }
}
