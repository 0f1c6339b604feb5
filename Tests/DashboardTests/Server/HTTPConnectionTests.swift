import NIOCore
import NIOEmbedded
import Testing

@testable import Dashboard

/// A client's connection, before anybody answers it.
@Suite struct HTTPConnectionTests {
    /// As one that is accepted at the moment at which the dashboard stops listening.
    @Test func `one that nobody takes brings nothing down`() throws {
        let channel = EmbeddedChannel()
        _ = try HTTPConnection(channel, among: OpenConnections())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 8053)).wait()
        #expect(channel.isActive)
        #expect(try channel.finish(acceptAlreadyClosed: true).isClean)
    }
}
