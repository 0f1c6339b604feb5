import Catalogue
import DNSWire
import Failures
import Samples

/// The names that a run queries, with the record types of a query file.
struct AskedNames {
    private struct Entry {
        let name: DomainName
        let type: RecordType?
    }

    private let entries: [Entry]
    /// The query file, if it has record types.
    private let typedFile: String?

    /// Reads the names of the user, or the bundled ones.
    init(_ options: RunOptions) throws {
        let isLiteral = options[.literalNames] == true
        switch options[.domains] {
        case nil:
            typedFile = nil
            entries = try NameList.bundled().entries.prefix(10)
                .map { Entry(name: try DomainName($0.name), type: nil) }
        case .names(let names):
            typedFile = nil
            entries = try names.map { text in
                // It rejects control characters, which must not be in an error text.
                let name = try DomainName(text)
                if !isLiteral, let fault = HostName.fault(in: text) {
                    throw Failure.usage("'\(text.cut(toCharacters: 80))' \(fault)")
                }
                return Entry(name: name, type: nil)
            }
        case .file(let path):
            let list = try NameList(file: path, isLiteral: isLiteral)
            typedFile = list.entries.contains { $0.type != nil } ? list.file : nil
            entries = try list.entries.map { entry in
                do {
                    return Entry(
                        name: try DomainName(entry.name),
                        type: try entry.type.map { try RecordType(asked: $0) }
                    )
                } catch {
                    throw Failure(.badData, "\(list.file):\(entry.line): \(error)")
                }
            }
        }
    }

    /// The names without types. Throws if the file has record types, because a run of `series` uses
    /// one record type.
    func untyped(for series: Series) throws(Failure) -> [DomainName] {
        if let typedFile {
            throw Failure.usage(
                "--series \(series): it queries one record type, and '\(typedFile)' has record "
                    + "types: remove them"
            )
        }
        return entries.map(\.name)
    }

    /// The questions of a round: each name with each of `types`, by default A, or with the type in
    /// the query file.
    func questions(
        ofTypes types: [RecordType]?,
        _ options: RunOptions
    ) throws(Failure) -> [Question] {
        guard let typedFile else {
            return try Question.all(entries.map(\.name), types ?? [.a], options.usedClass)
        }
        guard types == nil else {
            throw Failure.usage(
                "--type: '\(typedFile)' has record types: leave out --type, or remove them"
            )
        }
        try Question.check(count: entries.count, "\(entries.count.counted("question"))")
        return entries.map { entry in
            Question(
                name: entry.name,
                type: entry.type ?? .a,
                recordClass: options.usedClass
            )
        }.uniqued
    }
}

extension Question {
    /// The maximum number of questions. At the polite pace, such a round takes more than half an
    /// hour.
    private static let most = 10_000

    /// The questions of a round: each name with each type.
    static func all(
        _ names: [DomainName],
        _ types: [RecordType],
        _ recordClass: RecordClass
    ) throws(Failure) -> [Question] {
        try check(
            count: names.count * types.count,
            "\(names.count.counted("name")) in \(types.count.counted("type"))"
        )
        return names.flatMap { name in
            types.map { Question(name: name, type: $0, recordClass: recordClass) }
        }.uniqued
    }

    /// Rejects more questions than a round may have. `words` names their origin.
    fileprivate static func check(count: Int, _ words: String) throws(Failure) {
        guard count <= most else {
            throw Failure.usage(
                "\(words) are more than the \(most) questions that a round may have: take fewer"
            )
        }
    }
}
