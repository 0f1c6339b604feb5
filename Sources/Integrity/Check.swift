/// What is looked at: whether a resolver, and the way to it, tells the truth.
package enum Check: String, Hashable, Sendable, CaseIterable {
    /// Names that do not exist are given an address.
    case rewriting
    /// Answers with wrong signatures are refused (RFC 4035 §5).
    case validation
    /// Private addresses are kept out of public names.
    case rebinding
    case filtering
    /// Which of a service's servers answers (RFC 5001, RFC 4892).
    case identity
    /// From which address the resolver asks others.
    case egress
    /// The network of who asks is sent on (RFC 7871).
    case ecs
    /// Somebody on the way answers in the place of others.
    case interception
    /// Answers over TCP, and whole ones for those that were cut (RFC 7766).
    case tcp
    /// EDNS and the DO bit (RFC 6891, RFC 3225).
    case edns

    /// Whether a resolver that fails puts something else in the place of the truth.
    package var isTampering: Bool { self == .rewriting || self == .interception }
}
