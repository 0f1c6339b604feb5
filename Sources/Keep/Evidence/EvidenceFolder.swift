package import Catalogue
import Failures

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A folder with the evidence of one run.
package struct EvidenceFolder: Hashable, Sendable {
    package let path: String
    /// Whether the bundle gets the plan and the messages. A redacted bundle has neither, because both contain
    /// the names and the addresses.
    package let keepsMessages: Bool

    /// The plan, written before the first query. The other files are written at the end, for the report.
    package var plan: String { file("plan.json") }
    package var context: String { file("context.json") }
    package var samples: String { file("samples.csv") }
    /// What a redacted bundle has instead of its plan.
    package var redacted: String { file("redacted.json") }
    /// The machine-readable report of a comparison.
    package var comparison: String { file("comparison.json") }

    /// A file with the frames of messages. The files are numbered from 1.
    func messages(_ number: Int) -> String {
        let digits = "\(number)"
        let zeros = String(repeating: "0", count: max(0, 6 - digits.count))
        return file("messages-\(zeros)\(digits).fstrm")
    }

    private func file(_ name: String) -> String {
        path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }

    package init(_ path: String, keepsMessages: Bool = true) {
        (self.path, self.keepsMessages) = (path, keepsMessages)
    }

    /// Whether the folder has a redacted bundle.
    package var isRedacted: Bool {
        FileManager.default.fileExists(atPath: redacted)
    }

    /// Throws if no evidence can be written to the folder: the path is a file, or the folder is not empty.
    package func check() throws(EvidenceError) {
        try FrameFile.loadLibrary()
        let manager = FileManager.default
        if manager.fileExists(atPath: path) {
            guard let found = try? manager.contentsOfDirectory(atPath: path), found.isEmpty else {
                throw EvidenceError(
                    .cannotCreate,
                    "--evidence '\(path)' is there already and no empty folder: name a new one"
                )
            }
        }
        let place = nearest
        // Only the path of a folder can be followed by `/.`.
        guard manager.fileExists(atPath: "\(place)/."), manager.isWritableFile(atPath: place) else {
            throw noPlace
        }
    }

    /// The folder itself, or the nearest existing folder above it.
    private var nearest: String {
        var place = path[...]
        while !FileManager.default.fileExists(atPath: String(place)) {
            guard let end = place.lastIndex(of: "/") else { return "." }
            place = place[..<end]
            if place.isEmpty { return "/" }
        }
        return String(place)
    }

    private var noPlace: EvidenceError {
        EvidenceError(
            .cannotCreate,
            "--evidence '\(path)': no folder can be made there: name another"
        )
    }

    /// Creates the folder and its missing parent folders.
    package func make() throws(EvidenceError) {
        try check()
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw noPlace
        }
    }

    /// The evidence bundles of the folder: the folder itself, or the folders of a schedule's runs in it.
    package var bundles: [EvidenceFolder] {
        get throws(EvidenceError) {
            let manager = FileManager.default
            if manager.fileExists(atPath: plan) || isRedacted { return [self] }
            let names = (try? manager.contentsOfDirectory(atPath: path)) ?? []
            let found = names.sorted().map { EvidenceFolder(file($0)) }
                .filter { manager.fileExists(atPath: $0.plan) }
            guard !found.isEmpty else {
                throw EvidenceError(
                    .noInput,
                    "'\(path)' has no plan.json: name a folder that --evidence wrote"
                )
            }
            return found
        }
    }

    /// The folder of one run of a schedule.
    package func folder(ofRun id: String) -> EvidenceFolder { EvidenceFolder(file(id)) }

    /// Passes each exchange of `source` to `body`, in the order in which the exchanges ended. Throws if a
    /// file is missing or damaged.
    package func forEachExchange(
        of source: EvidenceSource,
        _ body: (ExchangeRecord) throws -> Void
    ) throws {
        var number = 1
        while let file = try BundleFile.open(messages(number)) {
            try Self.forEachExchange(of: source, in: file, named: messages(number), body)
            number += 1
        }
        guard number > 1 else {
            throw EvidenceError(
                .noInput,
                "'\(messages(1))' is not there: name a folder of --evidence, with all its files"
            )
        }
    }

    private static func forEachExchange(
        of source: EvidenceSource,
        in descriptor: Int32,
        named path: String,
        _ body: (ExchangeRecord) throws -> Void
    ) throws {
        let file = try FrameReader(descriptor, path: path)
        var frames = ExchangeReader(source, file: path)
        while let bytes = try file.next() {
            if let ended = try frames.take(bytes) { try body(ended) }
        }
        if let last = try frames.end() { try body(last) }
    }

    /// The maximum size in bytes of the samples of a redacted bundle, which has no messages to compare with.
    private static let mostRedacted = 1 << 30

    /// The maximum size in bytes of the samples file of these messages. A row contains a name and a label
    /// with escapes. The frame of its query takes at least about 100 bytes.
    package var largestSamples: Int {
        if isRedacted { return Self.mostRedacted }
        var bytes = 0
        var number = 1
        while case let size = BundleFile.size(messages(number)), size > 0 {
            bytes += size
            number += 1
        }
        return 65_536 + 64 * min(bytes, .max / 128)
    }
}

/// The plan's facts about the exchanges of a bundle.
package struct EvidenceSource: Sendable {
    /// The endpoints, by the plan's index of targets.
    package let endpoints: [Endpoint]
    /// The number of questions.
    package let questions: Int
    /// The indices of the questions whose answer data is read.
    package let keepsData: Set<Int>
    package let timeout: Duration

    package init(
        endpoints: [Endpoint],
        questions: Int,
        keepsData: Set<Int>,
        timeout: Duration
    ) {
        self.endpoints = endpoints
        self.questions = questions
        self.keepsData = keepsData
        self.timeout = timeout
    }
}
