import Foundation
import Testing

/// Texts that were judged by a person and are kept beside the tests.
enum Golden {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Golden")

    /// Compares `text` with the file `name`. With DNSTEMPO_UPDATE_GOLDEN=1 in the environment the
    /// file is written instead, and the test fails, so that no run passes by writing.
    static func expect(
        _ text: String,
        in name: String,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["DNSTEMPO_UPDATE_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            Issue.record("\(name) was written: look at it, then run without the variable")
            return
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(text == expected, "differs from \(name)", sourceLocation: location)
    }
}
