package import DNSWire

extension Claim {
    /// The facts that the program read from a message.
    package init(_ response: Response) {
        id = response.id
        isTruncated = response.truncated
        code = response.code.rawValue
        answers = response.answerCount
        ttl = response.ttl
        addresses = response.addresses
        size = response.size
        changesCase = response.changesCase
        hasTrailingBytes = response.hasTrailingBytes
    }
}
