/// Reads a samples file with one flat JSON object (RFC 8259) per line. Keys may have any order, and unknown
/// keys are ignored.
struct JSONLinesReader: RowReader {
    private var lines: FileLines
    private var scanner = JSONScanner([])

    init(_ lines: FileLines) { self.lines = lines }

    mutating func next(into cells: inout SampleCells) throws -> Bool {
        repeat {
            guard let next = try lines.next() else { return false }
            scanner = JSONScanner(next)
        } while scanner.isAtEnd
        cells.clear(line: lines.count)
        do throws(JSONFault) {
            try scanner.readColumns(into: &cells)
            guard scanner.isAtEnd else { throw scanner.fault("something follows the object") }
        } catch {
            throw lines.error(error.reason, error.column, line: lines.count)
        }
        for column in SampleColumn.required where cells[column] == nil {
            throw lines.error("this key is missing", column, line: lines.count)
        }
        return true
    }
}

extension JSONScanner {
    /// Reads an object whose keys are the columns of a sample.
    fileprivate mutating func readColumns(into cells: inout SampleCells) throws(JSONFault) {
        guard skip("{") else { throw fault("a line is one object, in { }") }
        if skip("}") { return }
        repeat {
            let key = try readKey()
            let column = SampleColumn(title: String(decoding: key, as: UTF8.self))
            if skip("\"") {
                try readString { cells.append($0) }
                skipSpace()
            } else {
                // A number, unchanged; `null` becomes an empty cell.
                let value = readBare()
                guard !value.isEmpty else {
                    throw fault("a value is a string, a number or null", of: column)
                }
                if !value.elementsEqual("null".utf8) { cells.append(value) }
            }
            cells.endCell(of: column)
        } while skip(",")
        guard skip("}") else { throw fault("the object does not end, or lacks a comma") }
    }
}
