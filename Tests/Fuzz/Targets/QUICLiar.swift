#if (DEBUG || TESTABLE) && QUIC
import CSockets
import Foundation
import Synchronization

/// A server of DNS over QUIC on a thread and a port of 127.0.0.1. It follows the server's side of
/// the protocol, with the transport parameters and the frames of an input.
final class QUICLiar: Sendable {
    let port: UInt16
    private let socket: Int32
    private let identity: SelfSigned
    private let plan = Mutex<QUICTarget.Plan?>(nil)

    init?() {
        socket = cs_lab_open(0, 0, 0)
        let port = cs_lab_port(socket)
        guard port > 0, let identity = SelfSigned() else { return nil }
        self.port = UInt16(truncatingIfNeeded: port)
        self.identity = identity
        _ = fcntl(socket, F_SETFL, 0)
        Thread.detachNewThread { [self] in
            var connection: Connection?
            while true { serve(&connection) }
        }
    }

    /// Sets the behaviour on the next connection.
    func prepare(_ plan: QUICTarget.Plan) { self.plan.withLock { $0 = plan } }

    /// A connection whose client received the server's first flight. The client's next packet is
    /// answered with frames.
    private struct Connection {
        var plan: QUICTarget.Plan
        var client: [UInt8]
        var keys: PacketKeys?
    }

    private func serve(_ connection: inout Connection?) {
        var peer = cs_lab_peer()
        var arrival: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 2_048)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe cs_lab_receive(socket, bytes.baseAddress, bytes.count, &peer, &arrival)
        }
        guard count > 50 || count > 20 && buffer[0] & 0x80 == 0 else { return }
        var answers: [[UInt8]] = []
        if let plan = plan.withLock({ $0.take() }), let initial = ClientInitial(buffer[..<count]) {
            connection = greet(initial, plan, &answers)
        } else if let waiting = connection, let keys = waiting.keys {
            let front: [UInt8] = [0x41] + waiting.client + [0, 1]
            answers.append(keys.seal(waiting.plan.frames, behind: front, number: 1))
            connection = nil
        }
        for answer in answers {
            _ = unsafe answer.withUnsafeBytes { bytes in
                unsafe cs_lab_send(socket, bytes.baseAddress, bytes.count, &peer)
            }
        }
    }

    private func greet(
        _ initial: ClientInitial,
        _ plan: QUICTarget.Plan,
        _ answers: inout [[UInt8]]
    ) -> Connection {
        let own: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let first = PacketKeys(initialOf: initial.destination, label: "server in")
        func front(_ kind: UInt8, _ payload: Int) -> [UInt8] {
            let length = payload + 18
            let ids = [UInt8(initial.source.count)] + initial.source + [UInt8(own.count)] + own
            return [kind, 0, 0, 0, 1] + ids + (kind == 0xc1 ? [0] : [])
                + [0x40 | UInt8(length >> 8), UInt8(length & 0xff), 0, 0]
        }
        var connection = Connection(plan: plan, client: initial.source)
        guard plan.shakesHands else {
            let head = front(0xc1, plan.frames.count)
            answers.append(first.seal(plan.frames, behind: head, number: 0))
            return connection
        }
        var parameters = plan.parameters
        if plan.namesConnections {
            // The required connection IDs (RFC 9000 §7.3).
            parameters += [0, UInt8(initial.destination.count)] + initial.destination
            parameters += [0x0f, UInt8(own.count)] + own
        }
        guard let handshake = QUICHandshake(identity, parameters: parameters) else {
            return connection
        }
        handshake.take(initial.hello)
        if let hello = handshake.octets[0] {
            let frames = QUICTarget.crypto(hello, at: 0)
            answers.append(first.seal(frames, behind: front(0xc1, frames.count), number: 0))
        }
        if let rest = handshake.octets[2], let secret = handshake.secrets[2] {
            let keys = PacketKeys(secret: secret)
            for (number, start) in stride(from: 0, to: rest.count, by: 1_000).enumerated() {
                let part = Array(rest[start..<min(rest.count, start + 1_000)])
                let frames = QUICTarget.crypto(part, at: start)
                var head = front(0xe1, frames.count)
                head[head.count - 1] = UInt8(number)
                answers.append(keys.seal(frames, behind: head, number: UInt16(number)))
            }
        }
        connection.keys = handshake.secrets[3].map { PacketKeys(secret: $0) }
        return connection
    }
}

/// A client's first packet (RFC 9000 §17.2.2), and its TLS message.
private struct ClientInitial {
    let destination: [UInt8]
    let source: [UInt8]
    private(set) var hello: [UInt8] = []

    init?(_ datagram: ArraySlice<UInt8>) {
        guard datagram[0] & 0xf0 == 0xc0 else { return nil }
        var rest = datagram.dropFirst(5)
        guard let destination = rest.takeBytes(), let source = rest.takeBytes() else {
            return nil
        }
        self.destination = destination
        self.source = source
        guard rest.takeBytes() != nil, let length = rest.takeVariable() else { return nil }
        let place = rest.startIndex
        let packet = Array(datagram[..<min(datagram.endIndex, place + length)])
        let keys = PacketKeys(initialOf: destination, label: "client in")
        guard let payload = keys.open(packet, numberAt: place) else { return nil }
        var frames = payload[...]
        while let kind = frames.takeVariable() {
            guard kind == 6 else { continue }
            guard frames.takeVariable() != nil, let size = frames.takeVariable() else { break }
            hello += frames.prefix(size)
            frames = frames.dropFirst(size)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Removes the bytes after a length of one byte, and returns them; `nil` if they are
    /// incomplete.
    fileprivate mutating func takeBytes() -> [UInt8]? {
        guard let count = popFirst(), self.count >= count else { return nil }
        defer { removeFirst(Int(count)) }
        return Array(prefix(Int(count)))
    }
}
#endif
