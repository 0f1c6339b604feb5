import Foundation
import Servers

/// A home and a folder of programs, in which a script stands for crontab(1) and keeps its crontab
/// in the home: the user's own is never asked for.
struct ScheduleSandbox {
    let folder = TemporaryFolder()
    private let path: String

    /// With `crontab` and `systemctl` as shell scripts; `nil` leaves one out.
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

    /// Keeps `$HOME/tab`, as crontab(1) keeps its spool.
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

    /// The crontab's bytes; `nil` if it is missing.
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
