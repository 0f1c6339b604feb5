/// A closed set of words, as files and figures write them: ``description`` is the word.
package protocol NamedCase: CaseIterable, LosslessStringConvertible {}

extension NamedCase {
    /// The case of that word, in exactly this spelling.
    package init?(_ word: String) {
        guard let found = Self.allCases.first(where: { $0.description == word }) else { return nil }
        self = found
    }
}

extension Outcome {
    package var description: String {
        switch self {
        case .answered: "answered"
        case .failed: "failed"
        case .timeout: "timeout"
        case .unreachable: "unreachable"
        case .malformed: "malformed"
        case .filtered: "filtered"
        case .offline: "offline"
        case .blocked: "blocked"
        }
    }
}

extension ClockSource {
    package var description: String {
        switch self {
        case .kernel: "kernel"
        case .kernelReceive: "kernel-rx"
        case .user: "user"
        }
    }
}

extension Series {
    package var description: String {
        switch self {
        case .cached: "cached"
        case .uncached: "uncached"
        case .first: "first"
        }
    }
}

extension CacheState {
    package var description: String {
        switch self {
        case .hit: "hit"
        case .miss: "miss"
        }
    }
}

extension ConnectionUse {
    package var description: String {
        switch self {
        case .new: "new"
        case .reused: "reused"
        case .resumed: "resumed"
        case .early: "early"
        }
    }
}
