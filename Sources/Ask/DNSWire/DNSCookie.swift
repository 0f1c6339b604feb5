/// A client's cookie, and the server's cookie once it is known (RFC 7873 §4).
package struct DNSCookie: Hashable, Sendable {
    /// The eight bytes of the client's cookie.
    package let client: [UInt8]
    /// The eight to 32 bytes of the server's cookie; empty if it is unknown.
    package private(set) var server: [UInt8] = []

    private static let clientSize = 8
    private static let serverSizes = 8...32

    /// Creates an unpredictable client's cookie.
    package init() { self.init(client: .random(in: 0 ... .max)) }

    package init(client number: UInt64) {
        client = (0..<Self.clientSize).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// Reads the cookie in the option of a query; `nil` if it is not a valid cookie.
    init?(sent option: [UInt8]) {
        let server = option.dropFirst(Self.clientSize)
        guard option.count >= Self.clientSize,
            server.isEmpty || Self.serverSizes.contains(server.count)
        else { return nil }
        client = Array(option.prefix(Self.clientSize))
        self.server = Array(server)
    }

    /// The data of the cookie option.
    package var bytes: [UInt8] { client + server }

    /// Whether the option of a response answers this client's cookie. Only a server that received
    /// the query knows the client's part (RFC 7873 §5.3).
    func isAnswered(by option: [UInt8]) -> Bool {
        option.starts(with: client)
            && (option.count == client.count
                || Self.serverSizes.contains(option.count - client.count))
    }

    /// Stores the server's cookie from an option that answers this client's cookie.
    package mutating func take(_ option: [UInt8]) {
        guard isAnswered(by: option), option.count > client.count else { return }
        server = Array(option.dropFirst(client.count))
    }
}
