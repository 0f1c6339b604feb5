import NIOCore
import NIOEmbedded
import Testing

@testable import Dashboard

/// A client's connection before it is handled.
@Suite struct HTTPConnectionTests {
    /// The channel is like a channel accepted at the moment when the dashboard stops listening.
    @Test func `a connection without a handler does not end the program`() throws {
        let channel = EmbeddedChannel()
        _ = try HTTPConnection(channel, among: OpenConnections())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 8053)).wait()
        #expect(channel.isActive)
        #expect(try channel.finish(acceptAlreadyClosed: true).isClean)
    }
}
