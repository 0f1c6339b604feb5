import Foundation
import Servers
import Testing

struct ChildProcessTests {
    struct Interruption: Error {}

    @Test func `an error in the body stops the server`() async throws {
        var pid: Int32 = 0
        await #expect(throws: Interruption.self) {
            try await withServer(.dnsmasq()) { server in
                pid = server.process.pid
                throw Interruption()
            }
        }
        #expect(pid > 0)
        #expect(kill(pid, 0) == -1)
    }

    @Test func `a command's status, output and errors are recorded separately`() async throws {
        let sh = try Program("sh", package: "dash")
        let run = try await sh.run(["-c", "cat; echo oops >&2; exit 3"], input: "hello")
        #expect(run.code == 3)
        #expect(run.output == "hello")
        #expect(run.errors == "oops\n")
    }

    @Test func `a command that outlives its limit is killed`() async throws {
        let sleep = try Program("sleep", package: "coreutils")
        let run = try await sleep.run(["60"], limit: .milliseconds(20))
        #expect(run.status == .signal(SIGKILL))
    }

    @Test func `a command runs in the given folder`() async throws {
        let folder = TemporaryFolder()
        let run = try await Program("sh", package: "dash").run(["-c", "pwd -P"], in: folder.path)
        #expect(run.output.hasSuffix(URL(fileURLWithPath: folder.path).lastPathComponent + "\n"))
    }

    @Test func `the built tool is found and runs`() async throws {
        #expect(try await Binary.run(["--version"]).code == 0)
    }
}
