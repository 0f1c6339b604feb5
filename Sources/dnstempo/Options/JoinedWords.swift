/// Joins many words of the command line for the parser, whose time grows with the square of their number.
enum JoinedWords {
    /// A separator that no word of a command line can contain.
    private static let separator: Character = "\0"
    /// The maximum number of words that are parsed unchanged.
    private static let most = 100
    /// Options whose values are split again.
    private static let options: Set = ["-d", "--label", "--name", "--resolver"]

    /// Joins values of the same option, and words between two options. The first of these words stays
    /// separate, because it may be the value of the previous option.
    static func joined(_ words: [String]) -> [String] {
        guard words.count > most else { return words }
        var joined: [[String]] = []
        var values: [String: Int] = [:]
        var (run, isAfterOption): (Int?, Bool) = (nil, true)
        var words = words[...]
        while let word = words.popFirst() {
            let option = word == "--domain" ? "-d" : word
            if options.contains(option), let value = words.first, !value.hasPrefix("-") {
                words.removeFirst()
                if let place = values[option] {
                    joined[place].append(value)
                } else {
                    values[option] = joined.count + 1
                    joined += [[word], [value]]
                }
                run = nil
            } else if let place = run, !word.hasPrefix("-") {
                joined[place].append(word)
            } else {
                run = isAfterOption || word.hasPrefix("-") ? nil : joined.count
                isAfterOption = word.hasPrefix("-")
                joined.append([word])
            }
        }
        return joined.map { $0.joined(separator: String(separator)) }
    }

    /// Splits the words of a list again.
    static func split(_ list: inout [String]) {
        guard list.contains(where: { $0.utf8.contains(0) }) else { return }
        list = list.flatMap { word in
            word.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        }
    }
}
