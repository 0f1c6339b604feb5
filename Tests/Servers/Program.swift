import Foundation

/// A program that a test runs, from `PATH` or from the system folders of servers.
package struct Program: Hashable, Sendable {
    package let path: String

    /// Searches for `command`. The error names Debian's `package` and the way to install it.
    package init(_ command: String, package: String) throws(ServerError) {
        let searched = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let folders =
            searched.map(String.init) + [
                "/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/homebrew/sbin", "/opt/homebrew/bin",
            ]
        // An absolute path is used as it is.
        let places = command.hasPrefix("/") ? [command] : folders.map { "\($0)/\(command)" }
        let found =
            places
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else {
            throw ServerError(
                "\(command) is missing: install the package \(package), or run Scripts/setup --test"
            )
        }
        path = found
    }

    private init(path: String) {
        self.path = path
    }

    /// The path of the Python interpreter with the packages of `Scripts/setup --test`.
    package static var testPython: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: ".build/python/bin/python").path
    }

    /// Returns the built `dnstempo`, which is next to the bundle of the running tests.
    package static func dnstempo() throws(ServerError) -> Program {
        let starts = CommandLine.arguments + ["/proc/self/exe"]
        for start in starts where start.hasPrefix("/") {
            var folder = URL(fileURLWithPath: start).resolvingSymlinksInPath()
            while folder.path != "/" {
                folder.deleteLastPathComponent()
                let candidate = folder.appendingPathComponent("dnstempo").path
                let attributes = try? FileManager.default.attributesOfItem(atPath: candidate)
                if attributes?[.type] as? FileAttributeType == .typeRegular,
                    FileManager.default.isExecutableFile(atPath: candidate)
                {
                    return Program(path: candidate)
                }
            }
        }
        throw ServerError("dnstempo is not built beside the tests: run swift build --build-tests")
    }
}
