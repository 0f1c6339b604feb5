import Catalogue
import Evidence
import Files
import Measurement
package import Samples
import Store
import Transports

extension EvidenceFolder {
    /// Creates the bundle of a run with `plan`.
    func bundle(_ plan: RecordedPlan) async throws -> RunBundle {
        try make()
        return try await RunBundle(plan, in: self)
    }
}

/// Adds the samples of each round to a bundle.
struct BundleWriting: RoundConsumer {
    let bundle: RunBundle
    /// Called if the samples cannot be written.
    let fail: @Sendable (any Error) -> Void

    func take(_ round: inout MeasuredRound, in store: Store?) {
        do { try bundle.add(round.recording) } catch { fail(error) }
    }
}

/// The evidence of a run, while it is written to a folder: its plan, every message, and its
/// samples. A redacted bundle has the samples only.
package final class RunBundle: Sendable {
    private let folder: EvidenceFolder
    private let messages: EvidenceWriter?
    private let samples: NewFile

    /// Creates the bundle before the first query.
    fileprivate init(_ plan: RecordedPlan, in folder: EvidenceFolder) async throws {
        self.folder = folder
        if folder.keepsMessages {
            try OutputFiles.write([(folder.plan, try BundleJSON.bytes(plan))])
        }
        samples = try NewFile(folder.samples)
        // A run may end before its first round ends.
        try SamplesWriter.write(Recording(), as: .csv) { [samples] in try samples.append($0) }
        messages =
            folder.keepsMessages
            ? try await EvidenceWriter(
                folder,
                vantage: plan.run.vantage,
                version: plan.version,
                endpoints: plan.endpoints
            ) : nil
    }

    /// Whether exchanges must keep their messages.
    var keepsMessages: Bool { messages != nil }

    /// Records an exchange when it ends.
    func note(
        _ exchange: Exchange,
        _ observation: Observation?,
        of probe: Probe,
        inRound round: Int,
        scheduled: Timestamp,
        lateness: Duration
    ) {
        guard let messages else { return }
        var record = ExchangeRecord(exchange)
        record.round = round
        record.isWarmup = probe.round < 1
        record.target = probe.target
        record.question = probe.question
        record.position = probe.position
        record.queries = probe.count
        record.scheduled = scheduled.nanoseconds
        record.lateness = (observation?.lateness ?? 0) &+ lateness.nanoseconds
        messages.add(record)
    }

    /// Adds the samples of rounds that have ended.
    func add(_ recording: Recording) throws {
        try SamplesWriter.write(recording, as: .csv, continues: true) { [samples] in
            try samples.append($0)
        }
    }

    /// Completes the bundle. Throws if a part of it could not be written.
    func finish() async throws { try await messages?.finish() }

    /// Completes the bundle of a comparison, with the report and the facts that the report needs in
    /// addition to the samples.
    package func finish(
        context: some Encodable,
        report: String,
        of recording: Recording
    ) async throws {
        try await finish()
        try add(recording)
        if !folder.keepsMessages {
            let lists = RedactedLists(of: recording)
            try OutputFiles.write([(folder.redacted, try BundleJSON.bytes(lists))])
        }
        try OutputFiles.write([
            (folder.context, try BundleJSON.bytes(context)),
            (folder.comparison, Array(report.utf8)),
        ])
    }
}
