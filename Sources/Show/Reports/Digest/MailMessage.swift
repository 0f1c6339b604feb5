import DNSWire
import Samples

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document as a mail with a text and a page (RFC 5322, and RFC 2046 §5.1.4).
///
/// Lines end with a line feed, as the program `sendmail` expects them.
package struct MailMessage: Hashable, Sendable {
    /// The most columns of a line of text (RFC 5322 §2.1.1).
    private static let width = 78
    private static let longestSubject = 150

    package let text: String

    /// `address` is a word without spaces and control characters.
    package init(_ document: Document, subject: String, to address: String) {
        let plain = TextFormat(width: Self.width).render(document)
        let page = Data(HTMLFormat(isMailed: true).render(document).utf8)
        let body = page.base64EncodedString(options: [
            .lineLength76Characters, .endLineWithLineFeed,
        ])
        // No part contains its own checksum.
        let sum = SHA256.hash(Array((plain + body).utf8))
        let boundary = "=_" + Array(sum.prefix(16)).hexadecimal
        let line = EscapedText.terminal(subject).truncated(to: Self.longestSubject)
        text = """
            To: \(address)
            Subject: \(Self.header(line))
            Auto-Submitted: auto-generated
            MIME-Version: 1.0
            Content-Type: multipart/alternative; boundary="\(boundary)"

            --\(boundary)
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: 8bit

            \(plain)
            --\(boundary)
            Content-Type: text/html; charset=utf-8
            Content-Transfer-Encoding: base64

            \(body)

            --\(boundary)--

            """
    }

    /// The text of a header field. Text that is not ASCII becomes encoded words (RFC 2047 §2), each of up to
    /// 75 characters.
    static func header(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return text }
        let mostBytes = 45
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > mostBytes { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(
            separator: "\n "
        )
    }
}
