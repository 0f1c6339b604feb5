import Foundation

/// One TCP connection of a `ScriptedResponder`.
final class ResponderConnection {
    let peer: SocketAddress

    private var socket: LoopbackSocket?
    private var buffer: [UInt8] = []
    private var inputEnded = false

    /// Takes ownership of an accepted `descriptor`. Each send creates its own segment.
    init(owning descriptor: Int32, peer: SocketAddress) {
        let socket = LoopbackSocket(owning: descriptor)
        socket.sendAtOnce()
        self.peer = peer
        self.socket = consume socket
    }

    /// Whether the connection can receive no more bytes. Received queries may still be answered.
    var hasEnded: Bool { socket == nil || inputEnded }

    /// Returns the next complete message without its length field; `nil` until it has arrived.
    func nextMessage() -> [UInt8]? {
        receive()
        guard buffer.count >= 2 else { return nil }
        let end = 2 + (Int(buffer[0]) << 8 | Int(buffer[1]))
        guard buffer.count >= end else { return nil }
        defer { buffer.removeFirst(end) }
        return Array(buffer[2..<end])
    }

    func perform(_ action: ResponderAction) {
        switch action {
        case .reply(let bytes): send(ResponderConnection.framed(bytes))
        case .raw(let bytes): send(bytes)
        case .trickle(let bytes): for byte in ResponderConnection.framed(bytes) { send([byte]) }
        case .close: socket = nil
        case .reset:
            socket?.resetOnClose()
            socket = nil
        case .replyFrom, .report, .pause: break
        }
    }

    /// Returns a message with its length field before it
    /// ([RFC 1035 §4.2.2](https://www.rfc-editor.org/rfc/rfc1035#section-4.2.2)).
    private static func framed(_ message: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: message.count >> 8), UInt8(truncatingIfNeeded: message.count)]
            + message
    }

    private func receive() {
        while let (bytes, _) = socket?.receive() {
            if bytes.isEmpty {
                inputEnded = true
                return
            }
            buffer += bytes
        }
        if SystemError.last != EAGAIN { inputEnded = true }
    }

    private func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let descriptor = socket?.descriptor, !rest.isEmpty {
            let sent = socket?.send(Array(rest)) ?? -1
            if sent >= 0 {
                rest = rest.dropFirst(sent)
            } else if SystemError.last == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if unsafe poll(&entry, 1, 1_000) != 1 { return }
            } else {
                return
            }
        }
    }
}
