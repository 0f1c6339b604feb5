import DNSWire
package import Evidence
import Files
package import Samples

/// What a redacted bundle has instead of its plan: the run, and the order of resolvers and questions, which
/// determines the order of comparisons in the report.
package struct RedactedLists: Codable {
    private let run: Run
    private let targets: [Recording.Target]
    private let questions: [Question]

    init(of recording: Recording) {
        run = recording.runs.first ?? Run(id: "", vantage: "", timeout: .zero)
        (targets, questions) = (recording.targets, recording.questions)
    }

    /// Reads the samples of the bundle `folder`, with the lists in their order.
    package static func recording(of folder: EvidenceFolder) throws -> Recording {
        let lists = try BundleJSON.read(Self.self, folder.redacted)
        let samples = try InputChunks(ofSamples: folder)
        var rows = SamplesStream(.csv, file: samples.path, source: samples.next)
        var recording = try rows.rest()
        recording.runs = recording.runs.map { $0.key == lists.run.key ? lists.run : $0 }
        let targets = Self.places(of: recording.targets, in: lists.targets)
        let questions = Self.places(of: recording.questions, in: lists.questions)
        (recording.targets, recording.questions) = (targets.all, questions.all)
        for index in recording.samples.indices {
            let sample = recording.samples[index]
            recording.samples[index].target = targets.places[Int(sample.target)]
            recording.samples[index].question = questions.places[Int(sample.question)]
        }
        return recording
    }

    /// The place of each element in the order of `known`. Other elements follow.
    private static func places<Element: Hashable>(
        of elements: [Element],
        in known: [Element]
    ) -> (all: [Element], places: [Int32]) {
        let all = (known + elements).uniqued
        let numbers = Dictionary(uniqueKeysWithValues: zip(all, Int32(0)...))
        return (all, elements.map { numbers[$0] ?? 0 })
    }
}
