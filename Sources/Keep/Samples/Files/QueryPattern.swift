import Catalogue
import DNSWire
import Failures

/// The recorded times of the queries of one client.
package struct QueryPattern: Hashable, Sendable {
    /// The times in seconds, in ascending order, from an arbitrary origin.
    package let times: [Double]
    /// The number of distinct names.
    package let names: Int
    /// The resolver whose queries they are; `nil` if the file does not name it.
    package var resolver: String?

    /// The maximum number of queries.
    private static let mostQueries = 1_000_000

    /// The time from the first to the last query, in seconds.
    package var span: Double { (times.last ?? 0) - (times.first ?? 0) }

    private init(_ moments: [Int64], names: Set<String>, resolver: String? = nil) {
        let sorted = moments.sorted()
        let first = sorted.first ?? 0
        times = sorted.map { moment in
            let (time, isOverflow) = moment.subtractingReportingOverflow(first)
            return Double(isOverflow ? .max : time) / 1e9
        }
        self.names = names.count
        self.resolver = resolver
    }

    /// The queries to the resolver with the most samples in `recording`. Warm-up queries are included,
    /// because they are traffic too. `nil` without queries.
    package init?(_ recording: Recording) {
        let counts = Dictionary(grouping: recording.samples) {
            recording.targets[Int($0.target)].label
        }
        let most = counts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        guard let most else { return nil }
        let names = most.value.map { recording.questions[Int($0.question)].name.description }
        let moments = most.value.compactMap(\.observation.sent?.nanoseconds)
        guard !moments.isEmpty else { return nil }
        self.init(moments, names: Set(names), resolver: most.key)
    }

    /// Whether `bytes` begin with the header of a list of times and names, and not of a samples file.
    package static func isList(_ bytes: [UInt8]) -> Bool {
        let titles = cells(of: bytes.prefix { $0 != UInt8(ascii: "\n") })
        return titles.contains("time") && titles.contains("name")
    }

    /// Reads CSV with the columns `time` and `name`. A time is ISO 8601 with a zone, or seconds since 1970.
    package init(list bytes: [UInt8], file: String) throws(SamplesError) {
        var moments: [Int64] = []
        var names: Set<String> = []
        var columns: (time: Int, name: Int, count: Int)?
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in zip(1..., lines) {
            func fault(_ column: String?, _ reason: String) -> SamplesError {
                SamplesError(file: file, line: number, column: column, reason: reason)
            }
            let cells = Self.cells(of: line)
            if cells == [""] { continue }
            guard let known = columns else {
                guard let time = cells.firstIndex(of: "time"),
                    let name = cells.firstIndex(of: "name")
                else { throw fault(nil, "the header needs the columns 'time' and 'name'") }
                columns = (time, name, cells.count)
                continue
            }
            guard cells.count == known.count else {
                throw fault(nil, "has \(cells.count) cells where the header has \(known.count)")
            }
            guard let moment = Self.moment(cells[known.time]) else {
                throw fault("time", "give a time as 2026-11-21T03:35:12Z, or seconds since 1970")
            }
            guard moments.count < Self.mostQueries else {
                throw fault(nil, "has more than \(Self.mostQueries) queries; give a shorter file")
            }
            moments.append(moment)
            names.insert(String(cells[known.name].lowercased()))
        }
        guard !moments.isEmpty else {
            throw SamplesError(file: file, line: 1, reason: "has no query")
        }
        self.init(moments, names: names)
    }

    private static func cells(of line: some Sequence<UInt8>) -> [String] {
        let text = String(decoding: Array(line), as: UTF8.self)
        return text.split(separator: ",", omittingEmptySubsequences: false).map { cell in
            String(cell.filter { !"\u{feff}\"\r".contains($0) }.trimmingSpaces)
        }
    }

    /// The range of the seconds since 1970 that nanoseconds in 64 bits can express.
    private static let seconds = -9.2e9...9.2e9

    private static func moment(_ text: String) -> Int64? {
        if let moment = Timestamp(text) { return moment.nanoseconds }
        guard let number = Double(text), seconds.contains(number) else { return nil }
        return Int64(number * 1e9)
    }
}
