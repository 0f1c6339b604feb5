import Foundation
import Testing

@testable import Catalogue

@Suite struct ConfigurationPageTests {
    /// Returns the keys in the first column of the page's tables below `heading`.
    private static func keys(below heading: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appendingPathComponent("data/docs/reference/configuration.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let parts = text.components(separatedBy: "\n## ")
        let part = try #require(parts.first { $0.hasPrefix(heading) })
        return part.split(separator: "\n").flatMap { row -> [String] in
            guard row.hasPrefix("| `") else { return [] }
            let cell = row.dropFirst(2).prefix { $0 != "|" }
            return cell.matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    @Test func `the page lists the keys of a configuration`() throws {
        #expect(try Set(Self.keys(below: "Keys")) == Set(RunOptions.keys))
    }

    @Test func `the page lists the keys of a resolver`() throws {
        let keys = Set(["name", "address"] + CatalogueEntry.serviceKeys)
        #expect(try Set(Self.keys(below: "`[[resolver]]`")) == keys)
    }
}
