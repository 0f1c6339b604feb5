/// A client's cookie, and the server's for it as far as there is one yet (RFC 7873 §4).
package struct DNSCookie: Hashable, Sendable {
    /// Eight octets.
    package let client: [UInt8]
    /// Eight to 32 octets, or none.
    package private(set) var server: [UInt8] = []

    private static let clientSize = 8
    private static let serverSizes = 8...32

    /// A new client's, which nobody can guess.
    package init() { self.init(client: .random(in: 0 ... .max)) }

    package init(client number: UInt64) {
        client = (0..<Self.clientSize).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// The cookie that a query has in its option; `nil` where that is no cookie.
    init?(sent option: [UInt8]) {
        let server = option.dropFirst(Self.clientSize)
        guard option.count >= Self.clientSize,
            server.isEmpty || Self.serverSizes.contains(server.count)
        else { return nil }
        client = Array(option.prefix(Self.clientSize))
        self.server = Array(server)
    }

    /// The data of the option that has it.
    package var octets: [UInt8] { client + server }

    /// Whether the option that a response has is an answer to this client's: nobody else knows what
    /// it begins with (RFC 7873 §5.3).
    func isAnswered(by option: [UInt8]) -> Bool {
        option.starts(with: client)
            && (option.count == client.count
                || Self.serverSizes.contains(option.count - client.count))
    }

    /// Takes the server's part of an option that answers it.
    package mutating func take(_ option: [UInt8]) {
        guard isAnswered(by: option), option.count > client.count else { return }
        server = Array(option.dropFirst(client.count))
    }
}
