/// The signature file that minisign writes for a file (jedisct1.github.io/minisign). It signs the
/// content or its BLAKE2b hash. A second signature covers the first one and a comment.
package struct MinisignSignature: Hashable, Sendable {
    /// The signed comment, such as `timestamp:1776513246	file:public-resolvers.md`.
    package let comment: String
    private let isHashed: Bool
    private let number: [UInt8]
    private let signature: [UInt8]
    private let commentSignature: [UInt8]

    /// The maximum number of bytes of a comment that minisign itself reads.
    private static let longest = 8192

    /// Reads the four lines of a `.minisig` file.
    package init(parsing bytes: [UInt8]) throws(SignatureError) {
        let lines = bytes.prefix(2 * Self.longest).split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        ).map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        let texts = lines.prefix(4).compactMap { String(validating: $0, as: UTF8.self) }
        guard texts.count == 4, bytes.count <= 2 * Self.longest,
            texts[0].hasPrefix("untrusted comment: "),
            texts[2].hasPrefix(Self.beginning), let first = Base64.bytes(of: texts[1]),
            first.count == 74, first[0] == UInt8(ascii: "E"),
            [UInt8(ascii: "d"), UInt8(ascii: "D")].contains(first[1]),
            let second = Base64.bytes(of: texts[3]), second.count == 64
        else {
            throw SignatureError(
                kind: .shape,
                description: "this is not a signature of minisign, which has four lines"
            )
        }
        comment = String(texts[2].dropFirst(Self.beginning.count))
        isHashed = first[1] == UInt8(ascii: "D")
        number = Array(first[2..<10])
        signature = Array(first[10...])
        commentSignature = second
    }

    private static let beginning = "trusted comment: "

    /// The time of the signature in seconds since 1970, if the comment contains it.
    package var timestamp: Int64? { value(of: "timestamp:").flatMap { Int64($0) } }

    /// The name of the file, if the comment contains it.
    package var fileName: String? { value(of: "file:").map(String.init) }

    private func value(of key: String) -> Substring? {
        comment.split(separator: "\t").first { $0.hasPrefix(key) }?.dropFirst(key.count)
    }

    /// Verifies the signatures of `content` and of the comment. Throws unless both are from `key`.
    package func verify(_ content: [UInt8], by key: MinisignKey) throws(SignatureError) {
        guard number == key.number else {
            throw SignatureError(
                kind: .foreign,
                description: "it is signed with another key than \(key); if you trust that key,"
                    + " give it with --key"
            )
        }
        guard key.hasSigned(isHashed ? BLAKE2b.hash(content) : content, as: signature) else {
            throw SignatureError(
                kind: .altered,
                description: "its content is not the signed content; get it and its signature again"
            )
        }
        guard isCommentSigned(by: key) else {
            throw SignatureError(
                kind: .altered,
                description: "the comment of its signature was changed; get it and its"
                    + " signature again"
            )
        }
    }

    func isCommentSigned(by key: MinisignKey) -> Bool {
        key.hasSigned(signature + Array(comment.utf8), as: commentSignature)
    }
}
