/// A resolver that was left out before anything was asked.
package struct UnmeasuredResolver: Hashable, Sendable, Codable {
    package var target: Recording.Target
    /// The label, with what tells it apart where two have the same one.
    package var name: String
    package var reason: String

    package init(target: Recording.Target, name: String, reason: String) {
        self.target = target
        self.name = name
        self.reason = reason
    }

    package var sentence: String { "\(name) is not measured: \(reason)" }
}
