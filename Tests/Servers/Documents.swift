import Foundation

/// Saves the JSON documents that commands print or write. After the tests, `Scripts/test` validates them
/// against their schemas.
///
/// `DNSTEMPO_TEST_DOCUMENTS` is the path of the folder. Without this variable, nothing is saved. Each
/// document has its own file, with the command in the first line.
package enum Documents {
    private static let folder = ProcessInfo.processInfo.environment["DNSTEMPO_TEST_DOCUMENTS"]
    /// The size limit of a document in bytes. Longer documents come from tests of large outputs and contain
    /// no additional fields. From a longer file with one document per line, the first lines are saved.
    private static let longest = 1_000_000
    private static let lineFormats = ["samples", "hourly-sums"]

    private static let options = ["-o", "--output", "--samples"]

    /// Saves the output of the command `words`, and the JSON files that `-o`, `--output` and `--samples`
    /// name.
    package static func keep(_ output: [UInt8], of words: [String], in place: String? = nil) {
        guard folder != nil else { return }
        keep(output, of: words)
        for (option, file) in zip(words, words.dropFirst())
        where options.contains(option) && file.contains(".json") {
            let path = file.hasPrefix("/") ? file : "\(place ?? ".")/\(file)"
            if let data = FileManager.default.contents(atPath: path) {
                keep(Array(data), of: words)
            }
        }
    }

    private static func keep(_ bytes: [UInt8], of words: [String]) {
        guard let folder, bytes.first == UInt8(ascii: "{") else { return }
        var text = String(decoding: bytes.prefix(longest), as: UTF8.self)
        guard let name = format(of: text, words) else { return }
        if bytes.count > longest {
            guard lineFormats.contains(name), let end = text.lastIndex(of: "\n") else { return }
            text.removeSubrange(end...)
        }
        let command = words.joined(separator: " ").split(whereSeparator: \.isNewline)
            .joined(separator: " ")
        let file = "\(folder)/\(name)-\(UUID().uuidString).txt"
        try? "dnstempo \(command)\n\(text)".write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Returns the name of the schema; `nil` if the text is not a document.
    private static func format(of text: String, _ words: [String]) -> String? {
        if let name = text.firstMatch(of: /^\{\s*"schema": ?"dnstempo\.([a-z-]+)\/1"/) {
            return String(name.1)
        }
        if text.hasPrefix("{\"run\":") { return lineFormats[0] }
        if text.hasPrefix("{\"hour\":") { return lineFormats[1] }
        return words.starts(with: ["store", "info"]) || words.starts(with: ["store", "check"])
            ? "store" : nil
    }
}
