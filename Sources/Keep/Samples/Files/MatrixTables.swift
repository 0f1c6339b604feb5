import Catalogue
package import DNSWire

/// Recordings as tables for a spreadsheet, in the format of the experiment of 2009. Each name has a file,
/// with one row per round and one column per resolver. Cells are in milliseconds and separated by tabs; a
/// cell without an answer is empty.
///
/// All tables have the same rows: the rounds, in the order in which they first appear.
package struct MatrixTables: Sendable {
    /// One file name for each name. A name with several record types has a file for each type.
    package let fileNames: [String]
    /// The first line of each table: the resolvers sorted by label. In a samples file, they are in random
    /// order.
    package let header: [UInt8]

    private let columns: [Recording.Target: Int]
    private let tables: [Question: Int]

    /// Creates tables with these columns for these questions. The titles of `unverified` targets contain a
    /// remark.
    package init(
        targets: [Recording.Target],
        questions: [Question],
        unverified: Set<Recording.Target> = []
    ) {
        fileNames = Self.stems(questions).fileNames(suffix: "tsv")
        let titles = Self.columnTitles(targets)
        let order = titles.indices.sorted { (titles[$0], $0) < (titles[$1], $1) }
        let shown = zip(targets, titles).map { target, title in
            unverified.contains(target) ? title + " (not verified)" : title
        }
        header = Array((order.map { shown[$0] }.joined(separator: "\t") + "\n").utf8)
        columns = Dictionary(
            order.enumerated().map { (targets[$1], $0) },
            uniquingKeysWith: { first, _ in first }
        )
        tables = Dictionary(
            questions.enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The lines of these rounds for each table. A file may be assembled from several recordings of whole
    /// rounds.
    package func lines(of recording: Recording) -> [[UInt8]] {
        let (cells, rows) = roundTrips(recording)
        return fileNames.indices.map { table in
            var lines: [UInt8] = []
            for row in 0..<rows {
                for column in 0..<columns.count {
                    if column > 0 { lines.append(UInt8(ascii: "\t")) }
                    let cell = Cell(table: table, row: row, column: column)
                    if let time = cells[cell] { lines.append(milliseconds: time) }
                }
                lines.append(UInt8(ascii: "\n"))
            }
            return lines
        }
    }

    private struct Cell: Hashable {
        var table: Int
        var row: Int
        var column: Int
    }

    /// The times of the answers in nanoseconds, and the number of rows. If a round contains a query twice,
    /// the first answer counts.
    private func roundTrips(_ recording: Recording) -> (cells: [Cell: Int64], rows: Int) {
        let columns = recording.targets.map { self.columns[$0] }
        let tables = recording.questions.map { self.tables[$0] }
        var rows: [Int32: Int] = [:]
        var cells: [Cell: Int64] = [:]
        for sample in recording.samples {
            let row = rows[sample.round, default: rows.count]
            rows[sample.round] = row
            guard sample.observation.outcome == .answered,
                let time = sample.observation.time(
                    in: recording.targets[Int(sample.target)].series
                ),
                let column = columns[Int(sample.target)], let table = tables[Int(sample.question)]
            else { continue }
            let cell = Cell(table: table, row: row, column: column)
            if cells[cell] == nil { cells[cell] = time }
        }
        return (cells, rows.count)
    }

    /// The column titles: labels. If several targets share a label, the title also contains transport and
    /// series. If these are equal as well, it also contains the endpoint.
    private static func columnTitles(_ targets: [Recording.Target]) -> [String] {
        let labels = counts(of: targets.map(\.label))
        let longTitles = targets.map { "\($0.label) \($0.transport) \($0.series)" }
        let longer = counts(of: longTitles)
        return zip(targets, longTitles).map { target, long in
            var title = labels[target.label] == 1 ? target.label : long
            if longer[title, default: 1] != 1 { title += " \(target.endpoint)" }
            return String(decoding: [UInt8].harmless(title), as: UTF8.self)
        }
    }

    /// The names. If a name has several record types, the type is appended.
    private static func stems(_ questions: [Question]) -> [String] {
        let types = counts(of: questions.map(\.name))
        return questions.map { question in
            types[question.name] == 1 ? "\(question.name)" : "\(question.name).\(question.type)"
        }
    }

    private static func counts<Title: Hashable>(of titles: [Title]) -> [Title: Int] {
        titles.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}

extension [String] {
    /// Unique file names for the texts, in their order. They differ even if case is ignored, and never lead
    /// out of their folder. `suffix` has no dot.
    package func fileNames(suffix: String) -> [String] {
        var taken: Set<String> = []
        return map { text in
            // The longest name that file systems allow, without the suffix and a number. The end of the text
            // is kept, because it distinguishes similar names.
            let stem = String(text.safeInFileName.suffix(240))
            var fileName = "\(stem).\(suffix)"
            var number = 2
            while !taken.insert(fileName.lowercased()).inserted {
                fileName = "\(stem)-\(number).\(suffix)"
                number += 1
            }
            return fileName
        }
    }
}

extension String {
    /// A text that is safe in file names. Letters, digits, hyphens, underscores and dots are kept, except for
    /// a leading dot. All other characters are percent-encoded.
    fileprivate var safeInFileName: String {
        let text = percentEncoded { $0.isAlphanumeric || "-_.".utf8.contains($0) }
        return text.hasPrefix(".") ? "%2E" + text.dropFirst() : text
    }

    /// The text with percent-encoding (RFC 3986 §2.1) of all bytes for which `isKept` returns false.
    package func percentEncoded(keeping isKept: (UInt8) -> Bool) -> String {
        utf8.reduce(into: "") { result, byte in
            if isKept(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }
}
