import BrowserHistory
import Foundation
import Testing

@Suite struct CancelledCopyTests {
    @Test func `a cancelled search leaves no copy of a history`() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dnstempo-test-\(UUID())").path
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? files.removeItem(atPath: folder) }
        try Data(count: 4_096).write(to: URL(fileURLWithPath: "\(folder)/History"))
        let history = try BrowserHistory("\(folder)/History", environment: [:])
        let reading = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try history.visitedNames(copyIn: folder) { _ in true }
        }
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(try files.contentsOfDirectory(atPath: folder) == ["History"])
    }
}
