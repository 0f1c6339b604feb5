import Catalogue
import Protobuf

/// The content that all frames of a bundle share: the vantage point, the program's version, and the resolvers
/// by the plan's index of targets. It is encoded once, because encoding it for each frame took four times as
/// long.
struct FrameSource: Sendable {
    /// The fields of a message to or from one resolver, without its times and its content.
    struct Heads: Sendable {
        /// The fields of the first query and its response, and the fields of further ones.
        private let heads: [(query: [UInt8], response: [UInt8])]

        fileprivate init(_ endpoint: Endpoint) {
            heads = [false, true].map { isFurther in
                (
                    DnstapMessage.head(.query, endpoint, isFurther: isFurther).bytes,
                    DnstapMessage.head(.response, endpoint, isFurther: isFurther).bytes
                )
            }
        }

        /// A message to which the caller adds its own fields. It reserves space for a typical message.
        /// `isFurther` is true after the first query of an exchange.
        func message(isResponse: Bool, isFurther: Bool) -> EncodedMessage {
            let head = heads[isFurther ? 1 : 0]
            return EncodedMessage(isResponse ? head.response : head.query, reserving: 256)
        }
    }

    let heads: [Heads]
    private let frame: [UInt8]

    init(identity: String, version: String, endpoints: [Endpoint]) {
        frame = DnstapFrame.head(identity: identity, version: version).bytes
        heads = endpoints.map(Heads.init)
    }

    /// The frame of `message`. The first frame of an exchange contains its `facts`.
    func frame(_ message: EncodedMessage, facts: EncodedMessage?) -> [UInt8] {
        let more = message.bytes.count + (facts?.bytes.count ?? 0) + 16
        var encoded = EncodedMessage(frame, reserving: more)
        DnstapFrame.add(message, facts: facts, to: &encoded)
        return encoded.bytes
    }
}
