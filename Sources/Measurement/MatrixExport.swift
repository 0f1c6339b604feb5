/// A recording as tables for a spreadsheet, as the experiment of 2009 had them: a file a name, a
/// row a round, a column a resolver.
public enum MatrixExport {
    /// A table, and the name of the file that it belongs in.
    public struct Table: Hashable, Sendable {
        public var fileName: String
        /// Tab-separated: resolvers in the first line, then milliseconds, empty for no answer.
        public var text: String
    }

    /// One table for each name, or for each name and type where a name has several. All have the
    /// same rows: the recording's rounds, in their order. Columns are in the order of the labels,
    /// since in a samples file the resolvers come in random order.
    public static func tables(of recording: Recording) -> [Table] {
        let names = TableNames(of: recording.questions)
        let titles = columnTitles(recording.targets)
        let columns = titles.indices.sorted { (titles[$0], $0) < (titles[$1], $1) }
        let header = columns.map { titles[$0] }.joined(separator: "\t")
        let (cells, rows) = roundTrips(recording)
        return recording.questions.indices.map { question in
            var text = Array("\(header)\n".utf8)
            for row in 0..<rows {
                for (position, target) in columns.enumerated() {
                    if position > 0 { text.append(UInt8(ascii: "\t")) }
                    let cell = Cell(question: question, row: row, target: target)
                    if let time = cells[cell] { text.append(milliseconds: time) }
                }
                text.append(UInt8(ascii: "\n"))
            }
            return Table(
                fileName: names.fileNames[question],
                text: String(decoding: text, as: UTF8.self)
            )
        }
    }

    private struct Cell: Hashable {
        var question: Int
        var row: Int
        var target: Int
    }

    private struct Round: Hashable {
        var run: Int32
        var number: Int32
    }

    /// The times of the answers, in nanoseconds, and the number of rows. Where a round has a query
    /// twice, the first answer counts.
    private static func roundTrips(_ recording: Recording) -> (cells: [Cell: Int64], rows: Int) {
        var rows: [Round: Int] = [:]
        var cells: [Cell: Int64] = [:]
        for sample in recording.samples {
            let round = Round(run: sample.run, number: sample.round)
            let row = rows[round, default: rows.count]
            rows[round] = row
            guard sample.observation.outcome == .answered,
                let time = sample.observation.roundTrip
            else { continue }
            let cell = Cell(question: Int(sample.question), row: row, target: Int(sample.target))
            if cells[cell] == nil { cells[cell] = time }
        }
        return (cells, rows.count)
    }

    /// The labels; with transport and series where several targets have the same.
    private static func columnTitles(_ targets: [Recording.Target]) -> [String] {
        var counts: [String: Int] = [:]
        for target in targets { counts[target.label, default: 0] += 1 }
        return targets.map { target in
            let isAlone = counts[target.label] == 1
            let title =
                isAlone ? target.label : "\(target.label) \(target.transport) \(target.series)"
            return String(decoding: [UInt8].harmless(title), as: UTF8.self)
        }
    }
}
