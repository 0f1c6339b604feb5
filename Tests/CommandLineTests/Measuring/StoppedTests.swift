import Foundation
import Servers
import Synchronization
import Testing

/// A program that is stopped while queries are in flight, and continues after their timeout. Ctrl-Z and a
/// paused container have the same effect.
@Suite(.timeLimit(.minutes(3))) struct StoppedTests {
    /// The timeout of the queries. It is long enough for an answer on a busy machine.
    private static let timeout = Duration.seconds(3)

    @Test func `an answer that arrives in a stopped program has its true time`() async throws {
        let process = Mutex<ChildProcess?>(nil)
        let (stops, announce) = AsyncStream<ContinuousClock.Instant>.makeStream()
        try await withResponder { query in
            process.withLock { $0 }?.send(signal: SIGSTOP)
            announce.yield(.now)
            return [.pause(.milliseconds(20)), .reply(query.answer())]
        } _: { responder in
            let arguments = [
                "compare", "\(responder.endpoint)", "--rounds", "2", "-d", "example.com", "-d",
                "example.org", "--warmup", "0", "--timeout", "3s", "--no-store", "--samples",
                "x.csv",
            ]
            let samples = try await Binary.withRunning(arguments) { child, home in
                process.withLock { $0 = child }
                let continuing = Task {
                    for await stop in stops {
                        // The query was sent before the stop, so its timeout has passed.
                        let end = stop.advanced(by: Self.timeout + .seconds(1))
                        _ = try await eventually(while: child) { ContinuousClock.now > end }
                        child.send(signal: SIGCONT)
                    }
                }
                #expect(await child.end() == .code(0))
                announce.finish()
                try await continuing.value
                return Table(home.text("x.csv"))
            }
            #expect(samples.column("outcome") == Array(repeating: "answered", count: 4))
            for time in samples.column("rtt_ms") {
                #expect(Double(time).map { $0 >= 20 && $0 < 3_000 } == true)
            }
            #expect(samples.column("clock") == Array(repeating: "kernel", count: 4))
        }
    }
}
