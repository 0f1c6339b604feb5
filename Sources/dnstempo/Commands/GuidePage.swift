import CData
import Catalogue
import Failures
import Reports

/// A page of the guide, which is part of the program.
struct GuidePage {
    let name: String
    private let markdown: String

    /// All pages, the index first.
    static let all: [GuidePage] = {
        var pages: [GuidePage] = []
        var (name, count) = unsafe (UnsafePointer<CChar>?.none, 0)
        while let start = unsafe cdata_guide(pages.count, &name, &count), let name = unsafe name {
            let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
            pages.append(
                GuidePage(
                    name: unsafe String(cString: name),
                    markdown: unsafe String(decoding: bytes, as: UTF8.self)
                )
            )
        }
        return pages
    }()

    /// The page with this name, or the only page with this word in its name.
    ///
    /// - Throws: a failure that names similar pages, or the index.
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

    /// The text of the page. Names in `commands` have their own help.
    func text(width: Int, commands: [String]) -> String {
        MarkdownText(markdown, width: width) { page in
            if page == "README" { return "dnstempo help guide" }
            return "dnstempo help \(commands.contains(page) ? "guide " : "")\(page)"
        }
        .text
    }
}

extension GuidePage {
    /// The page that the words of a command line request. `nil` if they request the help of a command.
    ///
    /// `help guide` is the index, and `help guide TOPIC` is a page. `help TOPIC` is a page too, unless a
    /// command has that name.
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
