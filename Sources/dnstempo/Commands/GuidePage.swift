import CData
import Catalogue
import Failures
import Reports

/// A page of the guide, which the program has with it.
struct GuidePage {
    let name: String
    private let markdown: String

    /// The index first.
    static let all: [GuidePage] = {
        var pages: [GuidePage] = []
        var (name, count) = unsafe (UnsafePointer<CChar>?.none, 0)
        while let start = unsafe cdata_guide(pages.count, &name, &count), let name = unsafe name {
            let octets = unsafe UnsafeBufferPointer(start: start, count: count)
            pages.append(
                GuidePage(
                    name: unsafe String(cString: name),
                    markdown: unsafe String(decoding: octets, as: UTF8.self)
                )
            )
        }
        return pages
    }()

    /// The page on a topic: that of this name, or the only one with this word in its name.
    ///
    /// - Throws: a failure that names the pages near the topic, or the index.
    init(on topic: String) throws(Failure) {
        let pages = Self.all.dropFirst()
        let word = topic.lowercased()
        let found =
            pages.filter { $0.name == word }.first.map { [$0] }
            ?? pages.filter { $0.name.split(separator: "-").contains(word[...]) }
        guard found.count <= 1 else {
            let names = found.map { "dnstempo help \($0.name)" }.joined(separator: ", ")
            throw Failure.usage("'\(topic)' is the topic of several pages: \(names)")
        }
        guard let page = found.first else {
            let words = pages.flatMap { $0.name.split(separator: "-").map(String.init) }
            let near = NearestName.find(word, among: words.filter { $0.count > 3 })
            let advice =
                near.map { "did you mean '\($0)'?" } ?? "dnstempo help guide lists the topics"
            throw Failure.usage("unknown command or topic '\(topic)'; \(advice)")
        }
        self = page
    }

    private init(name: String, markdown: String) {
        (self.name, self.markdown) = (name, markdown)
    }

    /// Names of `commands` have a help of their own.
    func text(width: Int, commands: [String]) -> String {
        MarkdownText(markdown, width: width) { page in
            if page == "README" { return "dnstempo help guide" }
            return "dnstempo help \(commands.contains(page) ? "guide " : "")\(page)"
        }
        .text
    }
}

extension GuidePage {
    /// What the words of a command line ask for; `nil` if they ask for the help of a command.
    ///
    /// `help guide` is the index, `help guide TOPIC` a page, and so is `help TOPIC` unless a command has
    /// that name.
    static func requested(by words: [String], commands: [String]) throws(Failure) -> GuidePage? {
        guard words.first == "help", words.count > 1 else { return nil }
        if words[1] == "guide" {
            if words.count == 2 { return all.first }
            return try GuidePage(on: words[2])
        }
        let isCommand = commands.contains(words[1]) || words[1].hasPrefix("-")
        return isCommand || words.count > 2 ? nil : try GuidePage(on: words[1])
    }
}
