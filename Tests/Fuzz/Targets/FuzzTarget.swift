#if DEBUG || TESTABLE
import Foundation
import Transports

/// A reader of arbitrary bytes: it accepts them or reports an error.
enum FuzzTarget: Sendable {
    /// A reader that runs on the calling thread.
    case here(@Sendable ([UInt8]) -> Void)
    /// A reader that runs on the event loop's thread.
    case onLoop(@EventLoopActor @Sendable ([UInt8]) async -> Void)

    func take(_ input: [UInt8]) {
        switch self {
        case .here(let body): body(input)
        case .onLoop(let body):
            let done = DispatchSemaphore(value: 0)
            Task { @EventLoopActor in
                await body(input)
                done.signal()
            }
            done.wait()
        }
    }
}

/// Ends the program; `words` describe the false statement.
func accuse(_ words: String) -> Never {
    FileHandle.standardError.write(Data("A lie was accepted: \(words)\n".utf8))
    abort()
}

extension [UInt8] {
    /// Removes a number of eight bytes from the end and returns it; 0 if there are fewer bytes.
    mutating func takeNumber() -> UInt64 {
        guard count >= 8 else { return 0 }
        defer { removeLast(8) }
        return suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
#endif
