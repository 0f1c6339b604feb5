/// A resolver that was left out before the first query.
package struct UnmeasuredResolver: Hashable, Sendable, Codable {
    package var target: Recording.Target
    /// The label. If several resolvers share it, the name also contains the transport or the endpoint.
    package var name: String
    package var reason: String

    package init(target: Recording.Target, name: String, reason: String) {
        self.target = target
        self.name = name
        self.reason = reason
    }

    package var sentence: String { "\(name) is not measured: \(reason)" }
}
