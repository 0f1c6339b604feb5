#if DEBUG || TESTABLE
import CSockets
import Foundation
import Synchronization

/// A resolver on a thread and a port of 127.0.0.1, and a stranger on another port that answers the
/// resolver's queries. The input controls both.
final class LoopbackLiar: Sendable {
    /// A received query and the resolver's answers to it.
    struct Sent {
        var query: [UInt8]
        var answers: [[UInt8]]
    }

    private struct State {
        var plan: [UInt8] = []
        var sent: Sent?
    }

    let port: UInt16
    private let resolver: Int32
    private let stranger: Int32
    private let state = Mutex(State())

    init?() {
        resolver = cs_lab_open(0, 0, 0)
        stranger = cs_lab_open(0, 0, 0)
        let port = cs_lab_port(resolver)
        guard stranger >= 0, port > 0 else { return nil }
        self.port = UInt16(truncatingIfNeeded: port)
        // The resolver's socket blocks until a query arrives, because it has its own thread.
        _ = fcntl(resolver, F_SETFL, 0)
        Thread.detachNewThread { [self] in
            while true { serve() }
        }
    }

    /// The last query and the resolver's answers to it.
    var sent: Sent? { state.withLock { $0.sent } }

    /// Sets the answers to the next query, as `plan` describes them.
    func prepare(_ plan: [UInt8]) { state.withLock { $0 = State(plan: plan) } }

    private func serve() {
        var peer = cs_lab_peer()
        var arrival: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 2_048)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe cs_lab_receive(resolver, bytes.baseAddress, bytes.count, &peer, &arrival)
        }
        guard count > 16 else { return }
        let query = Array(buffer[..<count])
        let answers = state.withLock { state in
            let answers = Self.answers(to: query, as: state.plan)
            state.sent = Sent(query: query, answers: answers.filter(\.isGenuine).map(\.octets))
            return answers
        }
        for answer in answers {
            _ = unsafe answer.octets.withUnsafeBytes { bytes in
                unsafe cs_lab_send(
                    answer.isGenuine ? resolver : stranger,
                    bytes.baseAddress,
                    bytes.count,
                    &peer
                )
            }
        }
    }

    private struct Answer {
        var octets: [UInt8]
        var isGenuine: Bool
    }

    /// Returns the answers that `plan` describes. One byte selects an answer; the bytes after it
    /// are the answer's parameters.
    private static func answers(to query: [UInt8], as plan: [UInt8]) -> [Answer] {
        var answers: [Answer] = []
        var rest = plan[...]
        while let choice = rest.popFirst(), answers.count < 16 {
            let isGenuine = choice & 0x80 == 0
            var octets = answer(to: query, address: isGenuine ? [192, 0, 2, 1] : [6, 6, 6, 6])
            switch choice & 3 {
            case 0: break
            case 1:
                // Changes one byte.
                let place = Int(rest.popFirst() ?? 0) % octets.count
                octets[place] = rest.popFirst() ?? 0
            case 2:
                // Cuts the answer.
                octets.removeLast(Int(rest.popFirst() ?? 0) % octets.count)
            default:
                // Any bytes after the right ID.
                let count = Int(rest.popFirst() ?? 0)
                octets = Array(query.prefix(2) + rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            answers.append(Answer(octets: octets, isGenuine: isGenuine))
        }
        return answers
    }

    private static func answer(to query: [UInt8], address: [UInt8]) -> [UInt8] {
        var end = 12
        while end < query.count, query[end] > 0 { end += 1 + Int(query[end]) }
        let question = query[12..<min(query.count, end + 5)]
        let header = query[..<2] + [0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]
        return header + question + [0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 0x2c, 0, 4] + address
    }
}
#endif
