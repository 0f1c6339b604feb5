/// The lines, from 1, on which the keys of a TOML file are written.
///
/// The parser keeps no positions, so the text is searched: a header begins a table, and the first
/// line of the table that starts with a key is that key's. Only faults ask for lines, as a rule, so
/// that the text is searched when one is asked for first.
final class TOMLLines {
    private struct Table {
        let beginning: Int
        var keys: [Substring: Int] = [:]

        mutating func note(_ key: Substring, on line: Int) { keys[key] = keys[key] ?? line }
    }

    private struct Tables {
        /// The top of the file, then what each header begins.
        private var tables = [Table(beginning: 1)]
        /// By the name of a header, where those that it begins are among ``tables``.
        private var places: [Substring: [Int]] = [:]

        init(_ lines: [Substring]) {
            for (index, line) in lines.enumerated() {
                let content = line.trimmingSpaces
                if let name = TOMLLines.headerName(content) {
                    tables[0].note(name.prefix { $0 != "." }, on: index + 1)
                    places[name, default: []].append(tables.count)
                    tables.append(Table(beginning: index + 1))
                } else if let key = TOMLLines.key(content) {
                    tables[tables.count - 1].note(key, on: index + 1)
                }
            }
        }

        subscript(place: (header: String, index: Int)?) -> Table {
            guard let place else { return tables[0] }
            guard let numbers = places[place.header[...]], numbers.indices.contains(place.index)
            else { return Table(beginning: 1) }
            return tables[numbers[place.index]]
        }
    }

    let source: NamedText
    private lazy var tables = Tables(source.lines)

    init(of source: NamedText) { self.source = source }

    /// The line of a key at the top of the file, or in one table of an array of tables. Where it
    /// cannot be found, the line on which that table begins.
    func line(of key: String, in place: (header: String, index: Int)?) -> Int {
        let table = tables[place]
        return table.keys[key[...]] ?? table.beginning
    }

    /// The name between the brackets of `[name]` or `[[name]]`.
    private static func headerName(_ line: Substring) -> Substring? {
        guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return nil }
        let name = line[..<end].drop { $0 == "[" }.trimmingSpaces
        let isName = name.first.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        return isName == true && !name.contains(",") ? name : nil
    }

    /// The key that a line begins with, in quotes or not, of several with dots the first.
    private static func key(_ line: Substring) -> Substring? {
        let quote = line.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
        let key =
            quote.map { quote in line.dropFirst().prefix { $0 != quote } }
            ?? line.prefix { !"=. \t".contains($0) }
        let rest = line[key.endIndex...].dropFirst(quote == nil ? 0 : 1)
        let next = rest.first { $0 != " " && $0 != "\t" }
        return next == "=" || next == "." ? key : nil
    }
}
