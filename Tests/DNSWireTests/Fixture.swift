import DNSWire
import Foundation
import Testing

/// A message that a resolver can send, and its expected reading.
///
/// A file contains:
///
/// - comments on its purpose
/// - `ask:` with the question, and `nsid` if the query requests the server's name
/// - `expect:` with the summary of the reading
/// - the bytes in hexadecimal
///
/// The query's ID is 1234 (hexadecimal).
struct Fixture: Sendable, CustomTestStringConvertible {
    static let queryID: UInt16 = 0x1234

    var name: String
    var question: Question
    private var options = QueryOptions()
    var expectation: String
    var octets: [UInt8]

    var testDescription: String { name }

    static let all: [Fixture] = {
        let files = Bundle.module.urls(forResourcesWithExtension: "hex", subdirectory: "Fixtures")
        return (files ?? []).map { $0 as URL }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap(Fixture.init)
    }()

    /// The messages that are complete responses, without bytes after the last record.
    static let whole = all.filter {
        $0.expectation.hasPrefix("response") && !$0.expectation.contains(" tc ")
            && !$0.expectation.hasSuffix(" trailing")
    }

    /// The messages with invalid records.
    static let brokenRecords = all.filter {
        $0.expectation.hasPrefix("malformed") && !$0.expectation.contains("shorter than a header")
            && !$0.expectation.contains("question")
    }

    private init?(file: URL) {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        var fields: [String: Substring] = [:]
        var digits = ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if let colon = line.range(of: ": ") {
                fields[String(line[..<colon.lowerBound])] = line[colon.upperBound...]
            } else {
                digits += line.filter { $0 != " " }
            }
        }
        let asked = (fields["ask"] ?? "").split(separator: " ")
        guard asked.count >= 2, let expectation = fields["expect"],
            let domain = try? DomainName(String(asked[0])),
            let type = RecordType(mnemonic: String(asked[1])), let octets = [UInt8](hex: digits)
        else { return nil }
        name = file.deletingPathExtension().lastPathComponent
        question = Question(name: domain, type: type)
        options.nsid = asked.contains("nsid")
        self.expectation = String(expectation)
        self.octets = octets
    }

    func read(_ octets: [UInt8]) throws -> Reading {
        try Query(question, options: options).read(octets.span, id: Self.queryID)
    }
}
