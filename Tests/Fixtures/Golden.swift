import Foundation
package import Testing

/// Expected texts, which a person has reviewed. They are stored next to the tests.
package enum Golden {
    /// Compares `text` with the file `name` in the folder Golden of the test target of `source`.
    ///
    /// With DNSTEMPO_UPDATE_GOLDEN=1 in the environment, it writes the file instead. The test then fails,
    /// because a run that writes the file compares nothing.
    package static func expect(
        _ text: String,
        in name: String,
        source: String = #filePath,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let parts = URL(filePath: source).pathComponents
        let target = try #require(parts.lastIndex { $0.hasSuffix("Tests") })
        let folder = URL(filePath: parts[1...target].reduce("") { "\($0)/\($1)" })
            .appending(path: "Golden")
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
