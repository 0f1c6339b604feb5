import Servers
import Testing

struct ScheduleNoticeTests {
    @Test(arguments: [
        ("desktop", "--notify desktop"), ("tell", "--notify HOME/bin/tell"),
        ("bin/tell", "--notify HOME/bin/tell"), ("./bin/tell", "--notify HOME/bin/tell"),
    ])
    func `the notifier is found for any PATH`(written: String, installed: String) async throws {
        let sandbox = try ScheduleSandbox()
        try sandbox.addProgram("tell", "cat")
        let output = try await sandbox.run("install", "127.0.0.1", "--notify", written)
        #expect(output.code == 0, "\(output.errors)")
        let words = installed.replacing("HOME", with: sandbox.folder.path)
        let tab = String(decoding: try #require(sandbox.tab), as: UTF8.self)
        #expect(tab.contains(" sample -q ") && tab.contains(" 127.0.0.1 \(words)\n"), "\(tab)")
    }
}
