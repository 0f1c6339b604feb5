import Foundation

/// Waits until a server that was just started answers.
enum Readiness {
    /// `ready.invalid. IN A`, ID 0x6474, recursion desired.
    private static let query: [UInt8] =
        [0x64, 0x74, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 5]
        + Array("ready".utf8) + [7] + Array("invalid".utf8) + [0, 0, 1, 0, 1]

    /// Whether `endpoint` answers over UDP, whatever the code, and accepts TCP where it is to; false
    /// where `process` ended or a minute went by.
    ///
    /// On a thread of its own, which gets its turn while tests keep those of all tasks busy.
    static func wait(
        for endpoint: SocketAddress,
        of process: ChildProcess,
        overTCP: Bool
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try poll(endpoint, of: process, overTCP) })
            }
        }
    }

    private static func poll(
        _ endpoint: SocketAddress,
        of process: ChildProcess,
        _ overTCP: Bool
    ) throws -> Bool {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while ContinuousClock.now < deadline, !process.hasEnded {
            if try answersUDP(endpoint), try !overTCP || acceptsTCP(endpoint) { return true }
            Thread.sleep(forTimeInterval: 0.005)
        }
        return false
    }

    /// Asks once and looks for the answer for up to 100 ms.
    private static func answersUDP(_ endpoint: SocketAddress) throws -> Bool {
        let socket = try LoopbackSocket(.udp, family: endpoint.family)
        guard try socket.connect(to: endpoint), socket.send(query) == query.count else {
            return false
        }
        for _ in 0..<50 {
            if let answer = socket.receive() { return answer.bytes.starts(with: query.prefix(2)) }
            if SystemError.last != EAGAIN { return false }
            Thread.sleep(forTimeInterval: 0.002)
        }
        return false
    }

    private static func acceptsTCP(_ endpoint: SocketAddress) throws -> Bool {
        let socket = try LoopbackSocket(.tcp, family: endpoint.family)
        return try socket.connect(to: endpoint)
    }
}
