import Foundation

/// A program that a test runs, found in `PATH` and in the system folders of servers.
package struct Program: Hashable, Sendable {
    package let path: String

    /// Looks `command` up; the error names Debian's `package` and how to install it.
    package init(_ command: String, package: String) throws(ServerError) {
        let searched = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let folders =
            searched.map(String.init) + [
                "/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/homebrew/sbin", "/opt/homebrew/bin",
            ]
        // A path is what it is.
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

    /// The Python that has the packages of `Scripts/setup --test`.
    package static var testPython: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: ".build/python/bin/python").path
    }

    /// The built `dnstempo`, beside the bundle of the tests that are running.
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
