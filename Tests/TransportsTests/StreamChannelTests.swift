import Catalogue
import DNSWire
import LibC
import Servers
import Testing

@testable import Transports

@Suite struct StreamChannelTests {
    /// Binds `socket` to `port` on loopback and listens. Connections are established, but not yet
    /// accepted. Returns 0 for success.
    private func hold(_ socket: borrowing Socket, on port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket.descriptor
        let code = unsafe withUnsafeBytes(of: address) { bytes in
            unsafe bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, size)
        }
        return code == 0 ? listen(descriptor, 1) : code
    }

    /// Returns bytes of a handshake that never ends. Each byte has its own record, so that each
    /// record needs two reads.
    private func crumbs(_ count: Int) -> [UInt8] {
        let first: [UInt8] = [22, 3, 3, 0, 4, 2, 0, 0x20, 0]
        return first + (0..<count).flatMap { _ in [22, 3, 3, 0, 1, 3] as [UInt8] }
    }

    @Test(arguments: 28...34, [0, 5])
    func `a handshake can fail at any read`(records: Int, bytesOfNext: Int) async throws {
        let port = try Loopback.freePort()
        let listener = try Socket(.stream, family: AF_INET)
        let code = hold(listener, on: port)
        try #require(code == 0)
        let service = try EncryptedService.onLoopback(.tls, port, .anybody)
        let taker = listener.descriptor
        let octets = crumbs(records) + [22, 3, 3, 0, 1].prefix(bytesOfNext)
        let end = try await Task { @EventLoopActor () -> QueryResult? in
            let socket = try Socket(.stream, family: AF_INET)
            let loop = EventLoop.shared
            let wait = try loop.open(socket, within: nil, writable: true)
            defer { loop.close(wait) }
            try socket.startConnecting(to: service.address)
            _ = await loop.next(wait)
            let channel = StreamChannel(socket)
            let session = try TLSSession(over: channel, service.check(speaking: []), ticket: nil)
            let isOver = try session.handshake()
            try #require(!isOver)
            let other = accept(taker, nil, nil)
            let count = unsafe send(other, octets, octets.count, 0)
            try #require(count == octets.count)
            // Closes the connection with a reset.
            var linger = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout.size(ofValue: linger))
            unsafe setsockopt(other, SOL_SOCKET, SO_LINGER, &linger, size)
            close(other)
            do throws(ConnectionEnd) {
                while try !session.handshake() { _ = await loop.next(wait) }
            } catch {
                return error.result
            }
            return nil
        }.value
        switch end {
        case .unreachable(let reason): #expect(!reason.isEmpty)
        default: Issue.record("\(String(describing: end))")
        }
    }

    @Test func `unread data is discarded`() async throws {
        let port = try Loopback.freePort()
        let listener = try Socket(.stream, family: AF_INET)
        let code = hold(listener, on: port)
        try #require(code == 0)
        let address = try EncryptedService.onLoopback(.tls, port, .anybody).address
        let refusal = try await Task { @EventLoopActor in
            let socket = try Socket(.stream, family: AF_INET)
            let loop = EventLoop.shared
            let wait = try loop.open(socket, within: nil, writable: true)
            defer { loop.close(wait) }
            try socket.startConnecting(to: address)
            _ = await loop.next(wait)
            let channel = StreamChannel(socket)
            let part = [UInt8](repeating: 0, count: 1 << 20)
            // Much more than any buffer of the kernel, which can grow to a few MiB.
            for _ in 0..<256 {
                unsafe part.withUnsafeBytes { unsafe channel.collect($0) }
                do throws(ConnectionEnd) {
                    try channel.flush()
                } catch {
                    return "\(error.result)"
                }
            }
            return "all was taken"
        }.value
        #expect(refusal == #"unreachable("the server does not read its input")"#)
    }
}
