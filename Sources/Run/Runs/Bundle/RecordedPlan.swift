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

/// The facts of a run that a bundle of evidence has before its first query.
package struct RecordedPlan: Codable {
    /// The version that measured, and the command that it was given.
    var version: String
    var command: String
    var run: Run
    var plan: Plan
    /// By the plan's index of targets.
    var endpoints: [Endpoint]
    /// By the plan's index of questions.
    var expectations: [Int: AnswerExpectation]
    /// By label, how resolvers were found not to tell the truth.
    var tampering: [String: String]
    /// Whether addresses in answers were connected to, which no message tells of.
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

    /// The plan in the bundle `folder`. It may be anybody's: what it counts is held to its own lists.
    package init(of folder: EvidenceFolder) throws {
        self = try BundleJSON.read(Self.self, folder.plan)
        let count = plan.questions.count
        let isSound =
            (0...count).contains(plan.zoneCount)
            && (1...max(1, count)).contains(plan.questionsAtOnce)
            && endpoints.count == plan.targets.count && (try? plan.validated()) != nil
        guard isSound else { throw BundleJSON.fault(folder.plan) }
    }

    /// The facts by which the frames of the bundle are read.
    var source: EvidenceSource {
        EvidenceSource(
            endpoints: endpoints,
            questions: plan.questions.count,
            keepsData: Set(expectations.keys),
            timeout: plan.timeout
        )
    }
}

/// The files of a bundle that are JSON.
package enum BundleJSON {
    static func octets(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    package static func read<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        let octets = try InputFile.bytes(of: InputChunks(ofBundle: path))
        do {
            return try JSONDecoder().decode(type, from: Data(octets))
        } catch {
            throw fault(path)
        }
    }

    static func fault(_ path: String) -> Failure {
        Failure(
            .badData,
            "'\(path)' is no part of a bundle that this version wrote with --evidence"
        )
    }
}
