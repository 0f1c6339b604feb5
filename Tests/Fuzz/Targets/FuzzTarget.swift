#if DEBUG || TESTABLE
import Foundation
import Transports

/// A reader that any bytes may be given to: it takes them or says what is wrong with them.
enum FuzzTarget: Sendable {
    /// One that reads where it is called.
    case here(@Sendable ([UInt8]) -> Void)
    /// One that reads on the event loop's thread.
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

/// Ends the program: `words` say what was untrue.
func accuse(_ words: String) -> Never {
    FileHandle.standardError.write(Data("A lie was accepted: \(words)\n".utf8))
    abort()
}

extension [UInt8] {
    /// Takes a number of eight bytes off the end; 0 where there are not so many.
    mutating func takeNumber() -> UInt64 {
        guard count >= 8 else { return 0 }
        defer { removeLast(8) }
        return suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
#endif
