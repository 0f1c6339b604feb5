/// The lines of a file in UTF-8. The file may arrive in portions of any size.
struct FileLines {
    /// The name of the file, for errors.
    let file: String
    /// The number of lines that were returned.
    private(set) var count = 0
    private let source: SamplesStream.Source
    private var text = EncodedText()
    private var waiting: [UInt8] = []
    /// The position in ``waiting`` at which the next line begins.
    private var start = 0
    private var isAtEnd = false

    /// The maximum size of a row in bytes. It exceeds the size of any row that this program writes.
    static let longestRow = 1 << 20

    init(file: String, source: @escaping SamplesStream.Source) {
        self.file = file
        self.source = source
    }

    /// The next line without its line feed; `nil` at the end. A byte order mark before the first line is
    /// removed. Spreadsheets and other programs write it before UTF-8.
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
