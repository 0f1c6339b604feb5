import Catalogue
import DNSWire
import Evidence
import Files
import Reports
import Runs
import Samples

/// The check of a bundle's samples and figures against its messages.
struct BundleCheck {
    /// The report of a comparison, computed from its messages.
    let report: ComparisonReport?
    let recording: Recording
    /// One line that states the compared parts.
    let sentence: String
    /// The differences, one line each. Limited to the first of many.
    let differences: [String]

    private static let mostDifferences = 20

    /// The redaction of the bundle; `nil` if it is not redacted.
    var redaction: Redaction?

    init(of folder: EvidenceFolder) throws {
        if folder.isRedacted {
            self = try BundleCheck(ofRedacted: folder)
            return
        }
        let recorded = try RecordedPlan(of: folder)
        var context: ReportContext?
        if recorded.isComparison {
            context = try BundleJSON.read(ReportContext.self, folder.context)
        }
        let recomputed = try Recomputation(of: folder, recorded)
        recording = recomputed.recording
        var faults = try Self.differences(of: recomputed.recording, from: folder)
        if recomputed.misplaced > 0 {
            faults.append(
                "\(recomputed.misplaced) of the queries were not sent in the order of the seed"
            )
        }
        var isSame: Bool?
        if var context {
            context.registered?.take(recomputed.ids)
            let report = ComparisonReport(of: recording, context: context)
            let text = JSONFormat().render(report.document)
            isSame = try Self.isText(text, inFile: folder.comparison)
            if isSame == false {
                faults.append("'\(folder.comparison)' differs from the messages")
            }
            self.report = report
        } else {
            report = nil
        }
        let more = faults.count - Self.mostDifferences
        differences =
            Array(faults.prefix(Self.mostDifferences)) + (more > 0 ? ["and \(more) more"] : [])
        let count = recording.samples.count
        sentence =
            "\(count.counted("sample")) recomputed from \(recomputed.messages.counted("message")): "
            + (faults.isEmpty
                ? "all as in '\(folder.samples)'"
                    + (isSame == true ? ", and the report is that of '\(folder.comparison)'" : "")
                : "\(faults.count.counted("difference"))")
    }

    /// The check of a report against the samples of its bundle, which has no messages.
    private init(ofRedacted folder: EvidenceFolder) throws {
        let context = try BundleJSON.read(ReportContext.self, folder.context)
        recording = try RedactedLists.recording(of: folder)
        let report = ComparisonReport(of: recording, context: context)
        // Placeholders of names are below this domain (RFC 6761, section 6.4).
        let hidesNames = recording.questions.allSatisfy {
            $0.name.description.hasSuffix(".invalid")
        }
        let redaction = Redaction(
            keepingNames: !hidesNames,
            publicLabels: [],
            publicServers: []
        )
        var document = report.document
        document.redaction = redaction.sentence
        let isSame = try Self.isText(JSONFormat().render(document), inFile: folder.comparison)
        (self.report, self.redaction) = (report, redaction)
        differences = isSame ? [] : ["'\(folder.comparison)' differs from the samples"]
        sentence =
            "the bundle is redacted and has no messages; \(recording.samples.count.counted("sample")) "
            + "as recorded: "
            + (isSame ? "the report is that of '\(folder.comparison)'" : "1 difference")
    }

    /// Whether the file's content equals this text exactly.
    private static func isText(_ text: String, inFile path: String) throws -> Bool {
        let chunks = try InputChunks(ofBundle: path)
        var rest = Array(text.utf8)[...]
        while true {
            let chunk = try chunks.next()
            if chunk.isEmpty { return rest.isEmpty }
            guard rest.starts(with: chunk) else { return false }
            rest = rest.dropFirst(chunk.count)
        }
    }

    private static func differences(
        of recording: Recording,
        from folder: EvidenceFolder
    ) throws -> [String] {
        let path = folder.samples
        var bytes: [UInt8] = []
        try SamplesWriter.write(recording, as: .csv) { bytes += $0 }
        let recomputed = Rows(bytes)
        let kept = Rows(try Self.bytes(of: InputChunks(ofSamples: folder)))
        var faults: [String] = []
        if kept.titles != recomputed.titles { faults.append("'\(path)' has other columns") }
        for (key, row) in recomputed.rows {
            guard let other = kept.byKey[key] else {
                faults.append("\(recomputed.name(row)): not in '\(path)'")
                continue
            }
            guard row != other else { continue }
            let cells = zip(recomputed.titles, zip(Rows.cells(row), Rows.cells(other)))
            let differing = cells.filter { $1.0 != $1.1 }.map { title, cells in
                "\(title) is '\(cells.0)' by the messages, '\(cells.1)' in the file"
            }
            faults.append(
                "\(recomputed.name(row)): "
                    + (differing.isEmpty
                        ? "another number of cells" : differing.joined(separator: "; "))
            )
        }
        for (key, row) in kept.rows where recomputed.byKey[key] == nil {
            faults.append("\(kept.name(row)): no message shows it")
        }
        return faults
    }

    private static func bytes(of chunks: InputChunks) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = try chunks.next()
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
    }
}

/// The rows of a samples file, identified by question, resolver and time.
private struct Rows {
    typealias Row = ArraySlice<UInt8>

    let titles: [String]
    private(set) var rows: [(key: String, row: Row)] = []
    private(set) var byKey: [String: Row] = [:]
    private let keys: [Int]
    private let names: [Int]

    init(_ bytes: [UInt8]) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
        let titles = lines.popFirst().map(Self.cells) ?? []
        self.titles = titles
        keys = [
            "run", "round", "scheduled", "resolver", "endpoint", "transport", "series", "name",
            "type",
        ]
        .compactMap(titles.firstIndex)
        names = ["round", "resolver", "transport", "name", "type"].compactMap(titles.firstIndex)
        var counts: [String: Int] = [:]
        for line in lines {
            let cells = Self.cells(line)
            let question = keys.map { cells.indices.contains($0) ? cells[$0] : "" }.joined(
                separator: "\t"
            )
            // Rows that are otherwise identical are distinguished by their order.
            counts[question, default: 0] += 1
            let key = "\(question)\t\(counts[question] ?? 0)"
            rows.append((key, line))
            byKey[key] = line
        }
    }

    /// The name of a row at the start of a sentence.
    func name(_ row: Row) -> String {
        let cells = Self.cells(row)
        let words = names.map { cells.indices.contains($0) ? cells[$0] : "" }
        return "round " + words.joined(separator: " ")
    }

    /// The cells of a row (RFC 4180 §2).
    static func cells(_ row: Row) -> [String] {
        var cells: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        for byte in row {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                cells.append(String(decoding: cell, as: UTF8.self))
                cell = []
            default: cell.append(byte)
            }
        }
        return cells + [String(decoding: cell, as: UTF8.self)]
    }
}
