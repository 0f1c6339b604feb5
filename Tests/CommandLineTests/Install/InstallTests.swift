import Foundation
import Servers
import Testing

/// `Scripts/install` with the program of the tests.
@Suite struct InstallTests {
    private let folder = TemporaryFolder()
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardized.path

    static let files = [
        "bin/dnstempo", "share/man/man1/dnstempo.1",
        "share/bash-completion/completions/dnstempo", "share/zsh/site-functions/_dnstempo",
        "share/fish/vendor_completions.d/dnstempo.fish", "share/dnstempo/grafana/dnstempo.json",
        "share/dnstempo/grafana/postgresql.json",
    ]

    static func install(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> CommandOutput {
        try await Program("bash", package: "bash").run(
            ["\(root)/Scripts/install"] + arguments,
            environment: Binary.environment(home: "/nonexistent").merging(environment) { $1 }
        )
    }

    /// Runs `body` with the prefix of a complete installation.
    static func withInstallation(_ body: (String) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        let prefix = folder.file("prefix")
        let program = try Program.dnstempo().path
        let run = try await install(["--prefix", prefix, "--binary", program])
        try #require(run.code == 0, "\(run.errors)")
        try await body(prefix)
    }

    private func all(_ folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.allObjects ?? []
        return names.compactMap { $0 as? String }.filter { name in
            let item = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return item?[.type] as? FileAttributeType == .typeRegular
        }
        .sorted()
    }

    @Test func `the installer writes its files and removes them again`() async throws {
        try await Self.withInstallation { prefix in
            #expect(all(prefix) == Self.files.sorted())
            let version = try await Program("sh", package: "dash")
                .run(["-c", "'\(prefix)/bin/dnstempo' --version"])
            #expect(version.output == (try await Binary.run(["--version"])).output)
            try "mine".write(
                toFile: "\(prefix)/share/man/man1/other.1",
                atomically: false,
                encoding: .utf8
            )
            let removal = try await Self.install(["--remove", "--prefix", prefix])
            #expect(removal.code == 0)
            #expect(all(prefix) == ["share/man/man1/other.1"])
            #expect(!FileManager.default.fileExists(atPath: "\(prefix)/share/dnstempo"))
            let again = try await Self.install(["--remove", "--prefix", prefix])
            #expect(again.code == 66 && again.errors.split(separator: "\n").count == 1)
        }
    }

    @Test func `DESTDIR is put in front of the prefix`() async throws {
        let run = try await Self.install(
            ["--prefix=/usr", "--binary=\(try Program.dnstempo().path)"],
            environment: ["DESTDIR": folder.path]
        )
        #expect(run.code == 0 && run.errors == "")
        #expect(all(folder.path) == Self.files.map { "usr/\($0)" }.sorted())
    }

    @Test(arguments: [
        (arguments: "--prefix", code: Int32(64)), ("--purge", 64),
        ("--prefix /proc/nothing", 73), ("--binary /bin/false --prefix FOLDER", 66),
    ])
    func `an impossible command is reported in one line`(
        arguments: String,
        code: Int32
    ) async throws {
        let run = try await Self.install(
            arguments.split(separator: " ").map { $0 == "FOLDER" ? folder.path : String($0) }
        )
        #expect(run.code == code)
        #expect(run.errors.hasPrefix("install: ") && run.errors.split(separator: "\n").count == 1)
    }

    @Test func `a program with libraries next to it is not packaged`() async throws {
        let program = folder.file("dnstempo")
        try Data().write(to: URL(fileURLWithPath: folder.file("libstdc++.so.6")))
        // The shell copies the program. If this process wrote the copy, another child could inherit
        // the open descriptor, and the copy could not be run.
        let built = try Program.dnstempo().path
        let run = try await Program("sh", package: "dash")
            .run(["-c", "cp '\(built)' '\(program)' && '\(program)' --version"])
        #expect(run.code != 0)
        #expect(run.errors.contains("libstdc++.so.6: file too short"), "\(run.errors)")
        let package = try await Program("bash", package: "bash").run(
            ["\(Self.root)/Scripts/package-deb", "--output", folder.path, "--binary", program],
            environment: Binary.environment(home: "/nonexistent")
        )
        #expect(package.code == 65)
        #expect(package.errors.hasPrefix("package-deb: '\(program)' has a run path"))
        #expect(package.errors.split(separator: "\n").count == 1)
    }

    @Test func `man finds the page without warnings`() async throws {
        try await Self.withInstallation { prefix in
            let file = "\(prefix)/share/man/man1/dnstempo.1"
            let lint = try await Program("mandoc", package: "mandoc").run(["-T", "lint", file])
            #expect(lint.code == 0 && lint.output == "" && lint.errors == "")
            let page = try await Program("man", package: "man-db").run(
                ["--warnings", "dnstempo"],
                environment: [
                    "PATH": "/usr/bin:/bin", "MANPATH": "\(prefix)/share/man", "MANWIDTH": "80",
                    "LC_ALL": "C.UTF-8",
                ]
            )
            #expect(page.code == 0 && page.errors == "")
            let lines = page.output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("DNSTEMPO(1)") })
            for section in [
                "NAME", "MEASURING OPTIONS", "dnstempo report", "EXIT STATUS", "ENVIRONMENT",
                "FILES",
                "SEE ALSO",
            ] {
                #expect(lines.contains { $0 == section }, "\(section)")
            }
            // Every command of the help has its own section.
            let help = try await Binary.run(["--help"])
            let commands = help.output.matches(of: /\n  ([a-z]+) {2,}/).map(\.output.1)
            #expect(commands.count > 8)
            for command in commands where command != "dnstempo" {
                #expect(lines.contains { $0 == "dnstempo \(command)" }, "\(command)")
            }
            // Options that a command accepts only to reject them are not in its section.
            let sample = lines.drop { $0 != "dnstempo sample" }.prefix { $0 != "dnstempo watch" }
            #expect(sample.contains { $0.contains("--splay ") && !$0.contains("dnstempo ") })
            #expect(!sample.contains { $0.contains("--rounds") })
            for code in [0, 1, 64, 65, 66, 69, 71, 73, 74, 75, 78, 130] {
                #expect(lines.contains { $0.hasPrefix("       \(code) ") }, "\(code)")
            }
        }
    }
}
