import ArgumentParser
import Evidence
import Failures

struct EvidenceOption: ParsableArguments {
    @Option(
        help: """
            Keep plan, samples and messages in a new folder, for 'report --recompute'.
            """.naming("folder"),
        completion: .directory
    )
    var evidence: String?

    /// The folder, if evidence can be written to it. It is created later. If it `isRedacted`, it gets neither
    /// the plan nor messages.
    func folder(isRedacted: Bool = false) throws -> EvidenceFolder? {
        guard let evidence else { return nil }
        guard !evidence.isEmpty else { throw Failure.usage("--evidence: name a folder") }
        let folder = EvidenceFolder(evidence, keepsMessages: !isRedacted)
        try folder.check()
        return folder
    }
}
