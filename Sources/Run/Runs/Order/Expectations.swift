import Catalogue
import DNSWire
import Failures
import Integrity
import Samples

/// The expectations that the answers of a run must meet.
struct Expectations {
    private(set) var byQuestion: [Question: AnswerExpectation] = [:]

    /// The limit is higher than the number of a run's questions.
    private static let most = 10_000

    /// Reads the expectations in `texts`, such as `a.example A 192.0.2.1`, and the expectations in
    /// `campaign` about other questions. Throws if an expectation matches no question in
    /// `questions`.
    init(_ texts: [String], _ campaign: Campaign?, among questions: [Question]) throws {
        let asked = Dictionary(
            questions.map { (Key(name: $0.name, type: $0.type), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for table in campaign?.expectations ?? [] {
            do {
                let question = try Self.question(table.name, table.type, asked)
                byQuestion[question] = try AnswerExpectation(table, question.type)
            } catch {
                throw campaign?.fault(line: table.line, "[[expect]]: \(error)") ?? error
            }
        }
        var given: [Question: Set<String>] = [:]
        for text in texts.prefix(Self.most) {
            do {
                let (question, data) = try Self.read(text, asked)
                given[question, default: []].formUnion(data)
            } catch {
                throw Failure.usage("--expect '\(text)': \(error)")
            }
        }
        for (question, data) in given {
            var expectation = AnswerExpectation()
            expectation.data = data
            byQuestion[question] = expectation
        }
    }

    private struct Key: Hashable {
        let name: DomainName
        let type: RecordType
    }

    /// Reads a name, a type and data. The data of A and AAAA is any number of addresses, otherwise
    /// it is the data of one record.
    private static func read(
        _ text: String,
        _ asked: [Key: Question]
    ) throws -> (Question, Set<String>) {
        let words = text.split(separator: " ", maxSplits: 2)
        guard words.count == 3 else {
            throw Failure.usage("write a name, a type and an answer, as 'a.example A 192.0.2.1'")
        }
        let question = try question(String(words[0]), String(words[1]), asked)
        let isAddress = [.a, .aaaa].contains(question.type)
        let answers = isAddress ? words[2].split(separator: " ") : [words[2]]
        return (question, Set(try answers.map { try question.type.data(String($0)) }))
    }

    private static func question(
        _ name: String,
        _ type: String,
        _ asked: [Key: Question]
    ) throws -> Question {
        let (name, type) = (try DomainName(name), try RecordType(asked: type))
        if let question = asked[Key(name: name, type: type)] { return question }
        throw Failure.usage(
            "\(name) \(type) is not asked for: add -d \(name) -t \(type), or leave it out"
        )
    }
}

extension RecordType {
    /// The data that the user wrote for a record of this type, in the spelling of answers.
    fileprivate func data(_ text: String) throws(Failure) -> String {
        guard let data = RecordText.data(text, of: self) else {
            throw Failure.usage(
                "'\(text.cut(toCharacters: 60))' is not valid data of a record of type \(self): "
                    + "write it as in a zone file"
            )
        }
        return data
    }
}

extension AnswerExpectation {
    fileprivate init(_ table: ExpectationTable, _ type: RecordType) throws {
        self.init()
        data = try table.answers.map { Set(try $0.map { try type.data($0) }) }
        count = table.count
        if let text = table.matches {
            do {
                pattern = try TextPattern(text)
            } catch {
                throw Failure.usage("'matches': not an extended regular expression: \(error)")
            }
        }
        if let text = table.responseCode {
            guard let code = ResponseCode(mnemonic: text) else {
                throw Failure.usage(
                    "unknown response code '\(text)'; write NOERROR or NXDOMAIN, for example"
                )
            }
            responseCode = code
        }
    }
}
