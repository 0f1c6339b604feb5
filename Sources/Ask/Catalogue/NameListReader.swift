import Failures

/// Reads the lines of a list of names.
///
/// A line is a name, a name and a record type, or a table row with one name. Query files of dnsperf
/// have names and types. The cells of a row are separated by commas, semicolons or tabs. Other
/// formats are rejected by name, so that no unintended name is queried.
struct NameListReader {
    /// The delimiter of a table and the column of its names.
    private struct Table {
        let delimiter: Character
        let column: Int
    }

    let file: String
    /// Whether each line is a name with any characters.
    let isLiteral: Bool
    private var table: Table?
    private var line = 0
    private var isFirst = true

    init(file: String, isLiteral: Bool) {
        self.file = file
        self.isLiteral = isLiteral
    }

    /// The entry on a line; `nil` for a comment, an empty line and a table header.
    mutating func entry(
        of line: Substring,
        number: Int
    ) throws(CatalogueError) -> NameList.Entry? {
        self.line = number
        let text = line.prefix { $0 != "#" }.trimmingSpaces
        // Zone files and dnsperf begin comments with a semicolon.
        guard !text.isEmpty, isLiteral || text.first != ";" else { return nil }
        defer { isFirst = false }
        if !isLiteral {
            // The header of a table with one column. No top-level domain has one of these names.
            if isFirst, ["domain", "hostname", "fqdn"].contains(text.lowercased()) { return nil }
            if let format = Self.foreignFormat(of: line, without: text) {
                throw fault(line.trimmingSpaces, "looks like \(format): write one name per line")
            }
            if let delimiter = delimiter(in: text) {
                return try row(Self.cells(of: text, delimiter), of: text, delimiter)
            }
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        if words.count == 2, !isLiteral {
            for (name, type) in [(words[0], words[1]), (words[1], words[0])]
            where RecordTypeWord.isKnown(type) {
                return try plain(name, type: type.uppercased())
            }
        }
        guard words.count == 1 else {
            throw fault(text, "is more than one name; write one per line")
        }
        return try plain(text)
    }

    private func fault(_ text: some StringProtocol, _ reason: String) -> CatalogueError {
        CatalogueError(.badData, "\(file):\(line): \(String(text).quoted) \(reason)")
    }

    private func plain(
        _ name: Substring,
        type: String? = nil
    ) throws(CatalogueError) -> NameList.Entry {
        if !isLiteral, let fault = HostName.fault(in: name) { throw self.fault(name, fault) }
        return NameList.Entry(name: String(name), type: type, line: line)
    }

    /// The format of a file that is not a list of names, in words; `nil` for a possible list of
    /// names. `text` is the line without its comment.
    private static func foreignFormat(of line: Substring, without text: Substring) -> String? {
        let filters = ["||", "@@", "!", "[Adblock"]
        // A comment has a space before it. Rules that hide parts of pages have no space.
        let rest = line.dropFirst(line.prefix { $0 != "#" }.count + 1)
        let hides =
            line.prefix { $0 != "#" }.last?.isWhitespace == false
            && rest.first.map { "#@?$".contains($0) } == true
        if hides || filters.contains(where: { text.hasPrefix($0) }) || text.contains("^") {
            return "a filter rule of an ad blocker"
        }
        if let first = text.first, "[]{}".contains(first) { return "JSON" }
        if text.hasPrefix("<") { return "a page of HTML" }
        if text.contains("=/") { return "a line of dnsmasq's configuration" }
        let words = text.split(whereSeparator: \.isWhitespace)
        if words.count > 1, IPAddress(words[0]) != nil { return "a line of a hosts file" }
        return nil
    }

    // MARK: - Tables

    /// The delimiter of the cells of a row; `nil` if the line is not a table row.
    private func delimiter(in text: Substring) -> Character? {
        let delimiters: [Character] = table.map { [$0.delimiter] } ?? [",", ";", "\t"]
        var (isQuoted, isEscaped) = (false, false)
        for character in text {
            defer { isEscaped = character == "\\" && !isEscaped }
            if isEscaped { continue }
            if character == "\"" { isQuoted.toggle() }
            guard !isQuoted, delimiters.contains(character) else { continue }
            // A tab may also separate a name from a type.
            guard character == "\t" else { return character }
            let words = text.split(whereSeparator: \.isWhitespace)
            if words.count != 2 || !words.contains(where: RecordTypeWord.isKnown) { return "\t" }
        }
        // A column that contains only quoted names.
        return text.hasPrefix("\"") ? delimiters[0] : nil
    }

    /// The cells of a row (RFC 4180), without quotes and spaces around them.
    private static func cells(of text: Substring, _ delimiter: Character) -> [String] {
        var cells = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == delimiter, !isQuoted {
                cells.append("")
            } else {
                cells[cells.count - 1].append(character)
            }
        }
        return cells.map { String($0.trimmingSpaces) }
    }

    private mutating func row(
        _ cells: [String],
        of text: Substring,
        _ delimiter: Character
    ) throws(CatalogueError) -> NameList.Entry? {
        if table == nil {
            if let column = Self.titledColumn(cells) {
                table = Table(delimiter: delimiter, column: column)
                return nil
            }
            table = Table(delimiter: delimiter, column: try self.column(cells, of: text))
        }
        guard let column = table?.column, cells.indices.contains(column),
            HostName.isPlausible(cells[column])
        else {
            let number = (table?.column ?? 0) + 1
            throw fault(text, "has no name in column \(number): write one name per line")
        }
        return NameList.Entry(name: cells[column], type: nil, line: line)
    }

    /// The column of the names in a table header; `nil` if the row is not a header.
    private static func titledColumn(_ cells: [String]) -> Int? {
        guard !cells.contains(where: { $0.contains(".") }) else { return nil }
        let titles = ["domain", "name", "host", "hostname", "fqdn", "domain name", "site"]
        return cells.firstIndex { titles.contains($0.lowercased()) }
    }

    /// The column of the only name in the first row. A word without a dot counts as a name if no
    /// word has a dot.
    private func column(_ cells: [String], of text: Substring) throws(CatalogueError) -> Int {
        let names = cells.indices.filter { HostName.isPlausible(cells[$0]) }
        let dotted = names.filter { cells[$0].contains(".") }
        let found = dotted.isEmpty ? names : dotted
        guard let first = found.first else {
            throw fault(text, "is a row of a table without a name: write one name per line")
        }
        guard found.allSatisfy({ cells[$0].lowercased() == cells[first].lowercased() }) else {
            throw fault(text, "is a row of a table with several names: write one name per line")
        }
        return first
    }
}

/// Host names as lists and users write them.
package enum HostName {
    /// Characters that lists, addresses and rules put around names. DNS names may contain them,
    /// host names do not.
    private static let odd: Set<Character> = [
        ",", ";", "\"", "'", "`", "|", "/", "^", "=", ":", "@", "!", "?", "&", "(", ")", "[", "]",
        "{",
        "}", "<", ">",
    ]

    /// Returns why `text` is probably not the intended name, as a clause to append; otherwise
    /// `nil`. The reason is a character that no host name has and that is not escaped (RFC 1035
    /// §5.1). URLs return `nil`, because another check gives a better reason.
    package static func fault(in text: some StringProtocol) -> String? {
        guard !text.contains("://") else { return nil }
        var isEscaped = false
        for character in text {
            if !isEscaped, odd.contains(character) {
                return "has '\(character)', which a host name cannot contain: write the name "
                    + "only, or add "
                    + "--literal-names"
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return nil
    }

    /// Whether a table cell looks like a host name. It has only letters, digits, hyphens,
    /// underscores and dots, and a letter in the last label.
    static func isPlausible(_ cell: String) -> Bool {
        let labels = cell.split(separator: ".")
        guard let last = labels.last,
            last.utf8.contains(where: { (0x61...0x7a).contains($0 | 0x20) })
        else {
            return false
        }
        return cell.utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
    }
}

/// The record types next to names in query files. Other code decides which types can be queried.
enum RecordTypeWord {
    /// Source: the IANA registry "Resource Record (RR) TYPEs", the types in use and some obsolete
    /// types.
    private static let known: Set<String> = [
        "A", "A6", "AAAA", "AFSDB", "ANY", "APL", "AXFR", "CAA", "CDNSKEY", "CDS", "CERT", "CNAME",
        "CSYNC", "DHCID", "DLV", "DNAME", "DNSKEY", "DS", "EUI48", "EUI64", "HINFO", "HIP", "HTTPS",
        "IPSECKEY", "ISDN", "IXFR", "KEY", "KX", "LOC", "MB", "MG", "MINFO", "MR", "MX", "NAPTR",
        "NID",
        "NS", "NSAP", "NSEC", "NSEC3", "NSEC3PARAM", "NULL", "OPENPGPKEY", "PTR", "PX", "RP",
        "RRSIG",
        "RT", "SIG", "SMIMEA", "SOA", "SPF", "SRV", "SSHFP", "SVCB", "TA", "TLSA", "TXT", "URI",
        "WKS",
        "X25", "ZONEMD",
    ]

    static func isKnown(_ word: Substring) -> Bool {
        let word = word.uppercased()
        if known.contains(word) { return true }
        // RFC 3597 §5.
        return word.hasPrefix("TYPE") && UInt16(word.dropFirst(4)) != nil
    }
}
