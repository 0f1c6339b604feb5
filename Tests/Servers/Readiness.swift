import Foundation

/// Waits until a new server is ready.
enum Readiness {
    /// The query `ready.invalid. IN A` with ID 0x6474 and the RD bit.
    private static let query: [UInt8] =
        [0x64, 0x74, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 5]
        + Array("ready".utf8) + [7] + Array("invalid".utf8) + [0, 0, 1, 0, 1]

    /// A QUIC packet of an unused version (RFC 9000 §15). Its size of 1,200 bytes is the size of a first
    /// packet.
    private static let greeting: [UInt8] =
        [0xc0, 0x0a, 0x1a, 0x2a, 0x3a, 8] + Array("tempo-to".utf8) + [8] + Array("tempo-me".utf8)
        + Array(repeating: 0, count: 1_177)

    /// Waits until `endpoint` gives `sign` and, with `overTCP`, accepts TCP connections. Returns false if
    /// `process` ends first, or after a minute.
    ///
    /// The wait has its own thread, because tests can keep the threads of all tasks busy.
    static func wait(
        for endpoint: SocketAddress,
        of process: ChildProcess,
        _ sign: ReadinessSign,
        overTCP: Bool
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try poll(endpoint, of: process, sign, overTCP) })
            }
        }
    }

    private static func poll(
        _ endpoint: SocketAddress,
        of process: ChildProcess,
        _ sign: ReadinessSign,
        _ overTCP: Bool
    ) throws -> Bool {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while ContinuousClock.now < deadline, !process.hasEnded {
            if try gives(sign, endpoint), try !overTCP || acceptsTCP(endpoint) { return true }
            Thread.sleep(forTimeInterval: 0.005)
        }
        return false
    }

    private static func gives(_ sign: ReadinessSign, _ endpoint: SocketAddress) throws -> Bool {
        switch sign {
        case .answersDNS:
            try answer(to: query, from: endpoint)?.starts(with: query.prefix(2)) == true
        // A version negotiation packet has version 0 after its first byte.
        case .speaksQUIC:
            try answer(to: greeting, from: endpoint)?.dropFirst().starts(with: [0, 0, 0, 0]) == true
        case .accepts: true
        }
    }

    /// Sends a message once over UDP. Returns the answer of the next 100 ms; `nil` without an answer.
    private static func answer(to message: [UInt8], from endpoint: SocketAddress) throws -> [UInt8]?
    {
        let socket = try LoopbackSocket(.udp, family: endpoint.family)
        guard try socket.connect(to: endpoint), socket.send(message) == message.count else {
            return nil
        }
        for _ in 0..<50 {
            if let answer = socket.receive() { return answer.bytes }
            if SystemError.last != EAGAIN { return nil }
            Thread.sleep(forTimeInterval: 0.002)
        }
        return nil
    }

    private static func acceptsTCP(_ endpoint: SocketAddress) throws -> Bool {
        let socket = try LoopbackSocket(.tcp, family: endpoint.family)
        return try socket.connect(to: endpoint)
    }
}
