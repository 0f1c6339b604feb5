package import Failures

/// The reason why evidence was not written or cannot be read.
package typealias EvidenceError = Failure

extension EvidenceError {
    static func cannotWrite(_ path: String) -> EvidenceError {
        EvidenceError(.inputOutput, "cannot write evidence to '\(path)': is the disk full?")
    }

    static func cannotRead(_ path: String, reason: String) -> EvidenceError {
        EvidenceError(.noInput, "cannot read '\(path)': \(reason)")
    }

    static func notRegular(_ path: String) -> EvidenceError {
        EvidenceError(
            .badData,
            "'\(path)' is not a regular file: name a folder that --evidence wrote"
        )
    }

    static func tooLarge(_ path: String) -> EvidenceError {
        EvidenceError(
            .badData,
            "'\(path)' is larger than a run with these messages writes it: name a folder that "
                + "--evidence wrote"
        )
    }

    static func noFrames(_ path: String) -> EvidenceError {
        EvidenceError(
            .badData,
            "'\(path)' is no file of dnstap frames: name a folder of --evidence"
        )
    }

    static func cut(_ path: String) -> EvidenceError {
        EvidenceError(
            .badData,
            "'\(path)' breaks off: the run that wrote it did not come to its end"
        )
    }

    static func unreadable(_ path: String) -> EvidenceError {
        EvidenceError(.badData, "'\(path)' has a frame that dnstempo did not write")
    }
}
