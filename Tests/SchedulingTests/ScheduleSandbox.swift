import Foundation
import Servers

/// A home folder with a folder of programs. A script replaces crontab(1), and stores its crontab in the home
/// folder. Therefore the tests never read the user's own crontab.
struct ScheduleSandbox {
    let folder = TemporaryFolder()
    private let path: String

    /// Creates the programs `crontab` and `systemctl` from shell scripts. `nil` omits a program.
    init(
        crontab: String? = ScheduleSandbox.crontab,
        systemctl: String? = "echo \"$@\" >> \"$HOME/asked\""
    ) throws {
        path = folder.file("bin")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for (name, script) in [("crontab", crontab), ("systemctl", systemctl)] {
            if let script { try addProgram(name, script) }
        }
        for tool in ["cat", "mv", "rm"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/\(tool)",
                withDestinationPath: "/bin/\(tool)"
            )
        }
    }

    /// A script that stores the crontab in `$HOME/tab`, as crontab(1) does in its spool.
    static let crontab = """
        case $1 in
        -l) if [ -e "$HOME/tab" ]; then cat "$HOME/tab"; else
                echo 'no crontab for me' >&2; exit 1; fi ;;
        -) cat > "$HOME/new" && mv "$HOME/new" "$HOME/tab" ;;
        -r) rm "$HOME/tab" ;;
        esac
        """

    func addProgram(_ name: String, _ script: String) throws {
        try folder.writeProgram("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
    }

    /// The crontab's bytes, or `nil` if there is no crontab.
    var tab: [UInt8]? {
        FileManager.default.contents(atPath: folder.file("tab")).map { [UInt8]($0) }
    }

    func run(_ arguments: String...) async throws -> CommandOutput { try await run(arguments) }

    func run(_ arguments: [String]) async throws -> CommandOutput {
        try await Binary.run(
            ["schedule"] + arguments,
            environment: ["PATH": path, "HOME": folder.path],
            in: folder.path
        )
    }
}
