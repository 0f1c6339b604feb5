import Foundation

/// The raw bytes that an HTTP/1.1 server sent.
package struct RawReply: Sendable {
    package let bytes: [UInt8]
    /// Whether the server closed the connection.
    package let isClosed: Bool

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The status code; `nil` without a status line.
    package var status: Int? {
        text.hasPrefix("HTTP/1.1 ") ? Int(text.dropFirst(9).prefix(3)) : nil
    }

    /// Returns the value of a header field; `nil` if the field is missing. `name` is in lower case.
    package func field(_ name: String) -> String? {
        head.split(separator: "\r\n").dropFirst().compactMap { line -> String? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }.first
    }

    /// The range of the empty line between head and body; `nil` until it has arrived.
    private var border: Range<Int>? { bytes.firstRange(of: Array("\r\n\r\n".utf8)) }

    private var head: String {
        String(decoding: bytes[..<(border?.lowerBound ?? bytes.count)], as: UTF8.self)
    }

    package var body: String {
        String(decoding: bytes[(border?.upperBound ?? bytes.count)...], as: UTF8.self)
    }

    /// Whether the head has arrived, and as many bytes of the body as it announces.
    package var isWhole: Bool {
        guard let border, let length = field("content-length").flatMap({ Int($0) })
        else { return false }
        return bytes.count - border.upperBound >= length
    }
}

/// A connection to an HTTP server on loopback. It sends any text, valid or not.
package final class RawHTTP: Sendable {
    private let descriptor: Int32

    package init(_ address: SocketAddress) throws(ServerError) {
        let socket = try LoopbackSocket(.tcp, family: address.family)
        guard try socket.connect(to: address) else {
            throw ServerError("no connection to \(address)")
        }
        descriptor = dup(socket.descriptor)
        if descriptor < 0 { throw .system("dup", SystemError.last) }
    }

    deinit { close(descriptor) }

    /// Sends as many bytes as fit at once. Returns their number, or -1 on an error.
    @discardableResult
    package func send(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        #if os(Linux)
        let flags = Int32(MSG_NOSIGNAL)
        #else
        let flags: Int32 = 0
        #endif
        return unsafe Foundation.send(descriptor, bytes, bytes.count, flags)
    }

    /// Receives until `isEnough` returns true, the server closes the connection, or `limit` is over. Runs on
    /// its own thread.
    package func receive(
        within limit: Duration = .seconds(60),
        until isEnough: @escaping @Sendable (RawReply) -> Bool = \.isWhole
    ) async -> RawReply {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                continuation.resume(returning: read(within: limit, until: isEnough))
            }
        }
    }

    private func read(within limit: Duration, until isEnough: (RawReply) -> Bool) -> RawReply {
        let end = ContinuousClock.now.advanced(by: limit)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let reply = RawReply(bytes: bytes, isClosed: false)
            if isEnough(reply) || ContinuousClock.now >= end { return reply }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, 50) > 0 else { continue }
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            if count <= 0 { return RawReply(bytes: bytes, isClosed: true) }
            bytes += chunk[..<count]
        }
    }

    /// Sends a request on a new connection and returns the answer.
    package static func ask(
        _ address: SocketAddress,
        _ path: String = "/",
        method: String = "GET",
        host: String? = nil,
        fields: [String] = [],
        body: String = ""
    ) async throws -> RawReply {
        let lines =
            ["\(method) \(path) HTTP/1.1", "Host: \(host ?? address.description)"] + fields
        let connection = try RawHTTP(address)
        connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        let hasBody = method != "HEAD"
        return await connection.receive { reply in
            hasBody ? reply.isWhole : reply.text.contains("\r\n\r\n")
        }
    }
}
