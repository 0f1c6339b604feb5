import Servers
import Testing

/// Writes of schedules through an unreliable crontab(1), or at the same time as other processes.
struct ScheduleWriteTests {
    @Test(arguments: [
        ("cat > \"$HOME/new\"; cat \"$HOME/new\" > \"$HOME/tab\"", true),
        ("exec <&-; cat \"$HOME/tab\" > /dev/null", false), (":", false),
    ])
    func `a crontab larger than a pipe is installed, and the result is reported`(
        writing: String,
        isTaken: Bool
    ) async throws {
        let program = """
            [ $1 = -l ] && exec cat "$HOME/tab"
            \(writing)
            echo done > "$HOME/done"
            """
        let sandbox = try ScheduleSandbox(crontab: program)
        let tab = String(repeating: "0 3 * * * backup\n", count: 40_000)
        try sandbox.folder.write(tab, to: "tab")
        let output = try await sandbox.run("install", "127.0.0.1")
        #expect(sandbox.folder.text("done") == "done\n")
        #expect(output.code == (isTaken ? 0 : 73))
        if isTaken {
            #expect(output.errors == "")
            #expect(sandbox.folder.text("new").hasPrefix(tab + "# BEGIN dnstempo"))
        } else {
            let line = "dnstempo: the crontab does not have the change of the schedule 'default'"
            #expect(output.output == "" && output.errors.hasPrefix(line), "\(output.errors)")
        }
    }

    @Test(arguments: [["remove"], ["install", "127.0.0.1", "--every", "1h"]])
    func `a change that another program overwrites is a failure`(change: [String]) async throws {
        let sandbox = try ScheduleSandbox()
        #expect(try await sandbox.run("install", "127.0.0.1").code == 0)
        try sandbox.addProgram("crontab", "[ $1 = -l ] && exec cat \"$HOME/tab\"; cat > /dev/null")
        let output = try await sandbox.run(change)
        #expect(output.code == 73 && output.output == "")
        #expect(output.errors.split(separator: "\n").count == 1, "\(output.errors)")
    }

    @Test(arguments: [[], ["--systemd"]])
    func `concurrent installs and removals all take effect`(kind: [String]) async throws {
        let sandbox = try ScheduleSandbox()
        let names = (1...8).map { "number-\($0)" }
        func change(_ words: [String]) async throws {
            try await withThrowingTaskGroup { group in
                for name in names {
                    group.addTask {
                        let output = try await sandbox.run(words + kind + ["--name", name])
                        #expect(output.code == 0, "\(output.errors)")
                    }
                }
                try await group.waitForAll()
            }
        }
        try await change(["install", "127.0.0.1"])
        let status = try await sandbox.run("status")
        for name in names { #expect(status.output.contains("\(name): every 5m"), "\(name)") }
        try await change(["remove"])
        #expect(try await sandbox.run("status").output.hasPrefix("No schedule is installed"))
        #expect(sandbox.tab == nil)
    }
}
