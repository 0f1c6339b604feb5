import LibC
import Testing

@testable import Lab

struct TCPSessionTests {
    private static let second: Int64 = 1_000_000_000

    private func session() throws -> TCPSession {
        let descriptor = try Descriptor(owning: socket(AF_INET, SocketType.stream, 0))
        return TCPSession(descriptor, resolver: 0, now: 0)
    }

    @Test func `a connection is finished after 10 s without activity`() throws {
        let session = try session()
        #expect(!session.isFinished(at: 10 * Self.second))
        #expect(session.isFinished(at: 10 * Self.second + 1))
    }

    @Test func `a connection with a pending reply stays open`() throws {
        let session = try session()
        session.pending = 1
        #expect(!session.isFinished(at: 60 * Self.second))
    }

    @Test func `a broken connection is finished despite pending replies`() throws {
        let session = try session()
        session.pending = 2
        session.send([1], now: 0)
        #expect(session.isFinished(at: 0), "a socket that is not connected cannot send")
    }
}
