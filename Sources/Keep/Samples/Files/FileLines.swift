/// The lines of a file, which comes in any portions, in UTF-8.
struct FileLines {
    /// The name of the file, for errors.
    let file: String
    /// How many were handed over.
    private(set) var count = 0
    private let source: SamplesStream.Source
    private var text = EncodedText()
    private var waiting: [UInt8] = []
    /// Where the next line begins in ``waiting``.
    private var start = 0
    private var isAtEnd = false

    /// In octets: more than any row of this program takes.
    static let longestRow = 1 << 20

    init(file: String, source: @escaping SamplesStream.Source) {
        self.file = file
        self.source = source
    }

    /// The next line without its line feed, and the first without a byte order mark, which
    /// spreadsheets and other programs put before UTF-8; `nil` at the end.
    mutating func next() throws -> ArraySlice<UInt8>? {
        let line = try whole()
        let mark: [UInt8] = count == 1 ? [0xef, 0xbb, 0xbf] : []
        guard let line, !mark.isEmpty, line.starts(with: mark) else { return line }
        return line.dropFirst(mark.count)
    }

    private mutating func whole() throws -> ArraySlice<UInt8>? {
        var seen = start
        while true {
            if let end = waiting[seen...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                count += 1
                return waiting[start..<end]
            }
            if isAtEnd { return rest() }
            waiting.removeSubrange(..<start)
            (start, seen) = (0, waiting.count)
            guard seen <= Self.longestRow else { throw tooLong(count + 1) }
            let portion = try source()
            isAtEnd = portion.isEmpty
            waiting += text.utf8(portion)
        }
    }

    private mutating func rest() -> ArraySlice<UInt8>? {
        guard start < waiting.count else { return nil }
        defer { start = waiting.count }
        count += 1
        return waiting[start...]
    }

    func tooLong(_ line: Int) -> SamplesError { error("is longer than a row can be", line: line) }

    func error(_ reason: String, _ column: SampleColumn? = nil, line: Int) -> SamplesError {
        SamplesError(file: file, line: line, column: column?.title, reason: reason)
    }
}
