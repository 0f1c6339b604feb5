extension NamedText {
    /// The line, from 1, on which a TOML key is written: at the top of the file, or in one table of
    /// an array of tables. Where it cannot be found, the line on which that table begins.
    ///
    /// The TOML parser keeps no positions, so the text is searched: a header line begins a table,
    /// and the first line of it that starts with the key is taken.
    func line(ofKey key: String, in place: (header: String, index: Int)?) -> Int {
        var header: Substring?
        var seen = 0
        var beginning = 1
        for (index, line) in lines.enumerated() {
            let content = line.trimmingSpaces
            if let name = Self.headerName(content) {
                if place == nil, Self.startsWith(key, name) { return index + 1 }
                header = name
                if let place, name == place.header {
                    seen += 1
                    if seen == place.index + 1 { beginning = index + 1 }
                }
            } else if isInside(place, header: header, seen: seen), Self.names(content, key) {
                return index + 1
            }
        }
        return beginning
    }

    /// A configuration error about the value of a key at the top of the file.
    func fault(_ key: String, _ text: String) -> CatalogueError {
        let line = line(ofKey: key, in: nil)
        return CatalogueError(.configuration, "\(name):\(line): '\(key)': \(text)")
    }

    private func isInside(
        _ place: (header: String, index: Int)?,
        header: Substring?,
        seen: Int
    ) -> Bool {
        guard let place else { return header == nil }
        return header.map { $0 == place.header } == true && seen == place.index + 1
    }

    /// The name between the brackets of `[name]` or `[[name]]`.
    private static func headerName(_ line: Substring) -> Substring? {
        guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return nil }
        let name = line[..<end].drop { $0 == "[" }.trimmingSpaces
        let isName = name.first.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        return isName == true && !name.contains(",") ? name : nil
    }

    private static func names(_ line: Substring, _ key: String) -> Bool {
        for written in [key, "\"\(key)\"", "'\(key)'"] where line.hasPrefix(written) {
            let rest = line.dropFirst(written.count).trimmingSpaces
            if rest.hasPrefix("=") || rest.hasPrefix(".") { return true }
        }
        return false
    }

    private static func startsWith(_ key: String, _ header: Substring) -> Bool {
        header == key || header.hasPrefix("\(key).")
    }
}
