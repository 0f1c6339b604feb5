import NIOCore
import NIOEmbedded
import Testing

@testable import Dashboard

/// The connection of a client before a handler is added.
@Suite struct HTTPConnectionTests {
    /// The dashboard can accept a channel at the moment when it stops listening. The channel then has no
    /// handler.
    @Test func `a connection without a handler does not end the program`() throws {
        let channel = EmbeddedChannel()
        _ = try HTTPConnection(channel, among: OpenConnections())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 8053)).wait()
        #expect(channel.isActive)
        #expect(try channel.finish(acceptAlreadyClosed: true).isClean)
    }
}
