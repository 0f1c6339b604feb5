import Catalogue
package import Evidence
import Failures
import Files
import Integrity
import Measurement
import Processes
import Samples

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The facts of a run that its bundle of evidence contains before the first query.
package struct RecordedPlan: Codable {
    /// The version that measured, and its command.
    var version: String
    var command: String
    var run: Run
    var plan: Plan
    /// The endpoints by the plan's index of targets.
    var endpoints: [Endpoint]
    /// The expectations by the plan's index of questions.
    var expectations: [Int: AnswerExpectation]
    /// The detected tampering of resolvers, by label.
    var tampering: [String: String]
    /// Whether the run connected to addresses in answers, which no message contains.
    var followsAnswers: Bool

    init(_ order: RunOrder, run: Run, tampering: [String: String], followsAnswers: Bool) {
        version = Version.text
        command = CommandLine.shown
        self.run = run
        plan = order.plan
        endpoints = order.endpoints
        expectations = order.expectations
        self.tampering = tampering
        self.followsAnswers = followsAnswers
    }

    /// Reads the plan in the bundle `folder`. The bundle is untrusted, so that its counts are
    /// compared with its lists.
    package init(of folder: EvidenceFolder) throws {
        self = try BundleJSON.read(Self.self, folder.plan)
        let count = plan.questions.count
        let isSound =
            (0...count).contains(plan.zoneCount)
            && (1...max(1, count)).contains(plan.questionsAtOnce)
            && endpoints.count == plan.targets.count && (try? plan.validated()) != nil
        guard isSound else { throw BundleJSON.fault(folder.plan) }
    }

    /// The facts that are necessary to read the frames of the bundle.
    var source: EvidenceSource {
        EvidenceSource(
            endpoints: endpoints,
            questions: plan.questions.count,
            keepsData: Set(expectations.keys),
            timeout: plan.timeout
        )
    }
}

/// The JSON files of a bundle.
package enum BundleJSON {
    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    package static func read<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        let data = try InputFile.bytes(of: InputChunks(ofBundle: path))
        do {
            return try JSONDecoder().decode(type, from: Data(data))
        } catch {
            throw fault(path)
        }
    }

    static func fault(_ path: String) -> Failure {
        Failure(
            .badData,
            "'\(path)' is not a part of a bundle that this version wrote with --evidence"
        )
    }
}
