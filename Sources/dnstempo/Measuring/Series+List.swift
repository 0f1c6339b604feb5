import Measurement

extension Series {
    /// Reads words joined by commas, each once, in the order of the reports.
    static func list(parsing text: String) throws(Failure) -> [Series] {
        let known = allCases.map(\.description)
        var wanted: Set<Series> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let series = allCases.first(where: { $0.description == word }) else {
                throw Failure(
                    .usage,
                    "'\(word)' is none; write \(known.joined(separator: ", ")), "
                        + "or \(known.joined(separator: ","))"
                )
            }
            wanted.insert(series)
        }
        return allCases.filter(wanted.contains)
    }
}
