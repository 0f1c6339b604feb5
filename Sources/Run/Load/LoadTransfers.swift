import CCurl
import Catalogue
import Dispatch
import LibC
import Synchronization

/// The direction of a load, from this machine.
package enum LoadDirection: String, Hashable, Sendable, CaseIterable {
    case download, upload
}

/// Parallel transfers of one URL in one direction, on a thread of their own.
final class LoadTransfers: Sendable {
    struct Progress: Hashable, Sendable {
        /// The bytes of all bodies so far.
        var bytes: Int64 = 0
        /// The reason why a transfer failed; `nil` without one.
        var failure: String?
    }

    private struct State {
        var streams = 0
        var progress = Progress()
        var isRunning = false
    }

    private let url: String
    private let place: String
    private let agent: String
    private let direction: LoadDirection
    private let budget: LoadBudget
    private let state = Mutex(State())

    /// The longest time between two looks at the number of streams.
    private static let turn: Int32 = 20

    /// Transfers of `source` that connect only to `address`, and end with the `budget`. `agent` is the name of
    /// this program.
    init(
        of source: WebAddress,
        at address: IPAddress,
        _ direction: LoadDirection,
        agent: String,
        within budget: LoadBudget
    ) {
        url = source.url
        place = address.bracketed
        self.direction = direction
        self.agent = agent
        self.budget = budget
    }

    var progress: Progress { state.withLock(\.progress) }

    var isRunning: Bool { state.withLock(\.isRunning) }

    /// Transfers over this number of connections. With 0, all connections are closed soon.
    func run(streams: Int) {
        let isNew = state.withLock { state in
            state.streams = streams
            guard streams > 0, !state.isRunning else { return false }
            state.isRunning = true
            state.progress.failure = nil
            return true
        }
        guard isNew else { return }
        DispatchQueue(label: "load").async { self.transfer() }
    }

    /// Transfers until no stream is wanted.
    private func transfer() {
        let sends: Int32 = direction == .upload ? 1 : 0
        let before = progress.bytes
        guard let load = unsafe ccurl_load_open(url, place, sends, agent) else {
            return state.withLock {
                ($0.isRunning, $0.progress.failure) = (false, "out of memory")
            }
        }
        var result = ccurl_load_state()
        while true {
            let streams = state.withLock { state in
                if !budget.allowsMore { state.streams = 0 }
                // No thread may be started between this decision and the end of this one.
                if state.streams == 0 { state.isRunning = false }
                return Int32(clamping: state.streams)
            }
            if streams == 0 { break }
            unsafe ccurl_load_run(load, streams, Self.turn, &result)
            let failure = Self.failure(result)
            let bytes = before + result.received + result.sent
            let more = state.withLock { state in
                defer { state.progress = Progress(bytes: bytes, failure: failure) }
                return bytes - state.progress.bytes
            }
            budget.spend(more)
        }
        unsafe ccurl_load_close(load)
    }

    private static func failure(_ state: ccurl_load_state) -> String? {
        if state.status > 0 { return "HTTP \(state.status)" }
        let reason = unsafe withUnsafeBytes(of: state.reason) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return reason.isEmpty ? nil : reason
    }
}
