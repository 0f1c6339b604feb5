import Failures
import Synchronization

/// The reason why the last attempt failed. A long outage is then reported once.
final class LastTrouble: Sendable {
    private let words = Mutex<String?>(nil)

    /// Ends an attempt; `nil` for a success. Throws the words, unless the attempt before had the same.
    func end(_ words: String?) throws(Failure) {
        let isNew = self.words.withLock { last in
            defer { last = words }
            return last != words
        }
        if let words, isNew { throw Failure(.busy, words) }
    }
}
