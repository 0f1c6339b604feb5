import Foundation
import Samples
import Testing

@testable import Reports

struct MailMessageTests {
    private static let document = Document(
        [Document.Section("One incident.", details: ["\u{e9}t\u{e9}: 8 ms slower."])],
        provenance: "dnstempo 1.0.0.",
        json: { .null }
    )

    private func message(subject: String = "dnstempo home: no incident") -> MailMessage {
        MailMessage(Self.document, subject: subject, to: "me@example.com")
    }

    /// The lines before the first part, and the parts with their own headers.
    private func parts(_ message: MailMessage) throws -> (head: [String], parts: [String]) {
        let text = message.text
        let boundary = try #require(
            text.firstMatch(of: #/boundary="([^"]+)"/#).map { String($0.1) }
        )
        let pieces = text.components(separatedBy: "\n--\(boundary)")
        #expect(pieces.last == "--\n")
        return (pieces[0].components(separatedBy: "\n"), Array(pieces.dropFirst().dropLast()))
    }

    @Test func `a mail has a text, and the same as a page`() throws {
        let (head, parts) = try parts(message())
        #expect(head[0] == "To: me@example.com")
        #expect(head[1] == "Subject: dnstempo home: no incident")
        #expect(parts.count == 2)
        #expect(parts[0].hasPrefix("\nContent-Type: text/plain; charset=utf-8\n"))
        #expect(parts[0].contains("\n\nOne incident.\n- \u{e9}t\u{e9}: 8 ms slower.\n"))
        let body = try #require(parts[1].components(separatedBy: "\n\n").dropFirst().first)
        #expect(body.split(separator: "\n").allSatisfy { $0.count <= 76 })
        let page = try #require(Data(base64Encoded: body, options: .ignoreUnknownCharacters))
        let text = String(decoding: page, as: UTF8.self)
        #expect(text.contains("<h1>One incident.</h1>"))
        #expect(!text.contains("<script"))
    }

    @Test func `a subject cannot add header lines`() throws {
        let (head, _) = try parts(message(subject: "a\nBcc: other@example.com\r\n\r\nbody"))
        #expect(!head.contains { $0.hasPrefix("Bcc:") })
        #expect(head.filter { $0.isEmpty }.count == 1)
    }

    @Test func `a long subject is cut`() throws {
        let (head, _) = try parts(message(subject: String(repeating: "x", count: 10_000)))
        #expect(head[1].count < 200)
    }

    @Test(arguments: ["caf\u{e9}", String(repeating: "\u{65e5}\u{672c} ", count: 40), "\u{1f600}x"])
    func `encoded words contain whole characters`(text: String) throws {
        let words = MailMessage.header(text).components(separatedBy: "\n ")
        var decoded = ""
        for word in words {
            #expect(word.count <= 75)
            let match = try #require(word.wholeMatch(of: #/=\?utf-8\?B\?([A-Za-z0-9+\/=]+)\?=/#))
            let bytes = try #require(Data(base64Encoded: String(match.1)))
            decoded += try #require(String(bytes: bytes, encoding: .utf8))
        }
        #expect(decoded == text)
    }
}
