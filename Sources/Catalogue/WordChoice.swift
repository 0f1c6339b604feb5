extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Reads one of the words; `what` they are a choice of is said of any other.
    init(word text: String, of what: String) throws(CatalogueError) {
        guard let choice = Self(rawValue: text) else {
            let words = Self.allCases.map(\.rawValue)
            let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
            throw CatalogueError(.usage, "unknown \(what) \(text.quoted); write \(list)")
        }
        self = choice
    }
}
