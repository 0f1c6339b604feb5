import Samples

extension Series {
    /// Reads which names are to be asked for: words joined by commas, each once, in the order of the
    /// reports.
    static func list(parsing text: String) throws(Failure) -> [Series] {
        // On which connections first queries are measured is --connections' to say.
        let choices: [Series] = [.cached, .uncached]
        let known = choices.map(\.description)
        var wanted: Set<Series> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let series = choices.first(where: { $0.description == word }) else {
                throw Failure(
                    .usage,
                    "'\(word)' is none; write \(known.joined(separator: ", ")), "
                        + "or \(known.joined(separator: ","))"
                )
            }
            wanted.insert(series)
        }
        return choices.filter(wanted.contains)
    }
}
