import Foundation
import Servers
import Testing

/// Completions in bash, zsh and fish.
@Suite struct CompletionTests {
    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    /// Expects that the shell offers `word` for an unfinished line, and returns all offered words. For an
    /// option, an offered word that begins with the option is enough.
    ///
    /// zsh sometimes shows no list, or shows the typed text instead. This happens if more keys arrive before
    /// the list, for example on a busy machine. Therefore the line is completed up to five times.
    @discardableResult
    private func expect(
        _ word: String,
        after line: String,
        in shell: Shell,
        _ prefix: String
    ) async throws -> [String] {
        var words: [String] = []
        func isThere() -> Bool {
            words.contains { word.hasPrefix("--") ? $0.hasPrefix(word) : $0 == word }
        }
        for _ in 0..<5 where !isThere() { words = try await complete(line, in: shell, prefix) }
        #expect(isThere(), "\(line): \(words)")
        return words
    }

    private func complete(
        _ line: String,
        in shell: Shell,
        _ prefix: String
    ) async throws -> [String] {
        let script =
            switch shell {
            case .bash:
                """
                . '\(prefix)/share/bash-completion/completions/dnstempo'
                read -ra COMP_WORDS <<< "$1"
                case $1 in *' ') COMP_WORDS+=('') ;; esac
                COMP_LINE=$1 COMP_POINT=${#1} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                COMP_TYPE=9 COMP_KEY=9
                previous=${COMP_WORDS[COMP_CWORD - 1]}
                action=$(complete -p dnstempo | sed 's/.*-F \\([^ ]*\\).*/\\1/')
                "$action" dnstempo "${COMP_WORDS[COMP_CWORD]}" "$previous"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            case .zsh:
                // zsh runs interactively in a pseudo-terminal. It accepts keys after it shows its prompt.
                // Ctrl-D prints the list, and later output follows the list.
                """
                zmodload zsh/zpty
                zpty shell zsh -f -i
                zpty -w shell "PS1=; fpath=('\(prefix)/share/zsh/site-functions' \\$fpath)"
                zpty -w shell "autoload -U compinit; compinit -u -d '\(prefix)/zcompdump'"
                zpty -w shell "setopt no_beep; PS1=rea''dy"
                zpty -r -m shell text '*ready*'
                zpty -n -w shell "$1"$'\\C-d\\C-u'
                zpty -w shell "echo do''ne"
                zpty -r -m shell text '*done*'
                print -r -- $text
                zpty -d shell
                """
            case .fish:
                """
                set -p fish_complete_path '\(prefix)/share/fish/vendor_completions.d'
                complete --do-complete "$argv[1]" | string split -f1 \\t
                """
            }
        let arguments =
            shell == .fish ? ["-N", "-c", script, "--", line] : ["-c", script, "x", line]
        let folder = TemporaryFolder()
        let run = try await Program(shell.rawValue, package: shell.rawValue).run(
            arguments,
            environment: Binary.environment(home: folder.path)
                .merging(["PATH": "\(prefix)/bin:/usr/bin:/bin", "TERM": "dumb"]) { $1 }
        )
        // Removes the escape sequences for positions and colours.
        let text = run.output.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
        return text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a completion script contains all options, also hidden ones`(shell: String) async throws {
        let script = try await Binary.run(["--generate-completion-script", shell]).output
        for option in ["connect-port", "http-method", "0x20", "warmup", "durability"] {
            #expect(script.contains(option), "\(option)")
        }
        #expect(script.contains("weekday") && script.contains("heatmap"))
    }

    @Test func `words and files are both offered if both are possible`() async throws {
        let folder = TemporaryFolder()
        for name in ["mine.toml", "mine.txt"] { try folder.write("", to: name) }
        try FileManager.default.createDirectory(
            atPath: folder.file("more"),
            withIntermediateDirectories: false
        )
        try folder.write("", to: "more/own.toml")
        for (typed, expected) in [
            ("", ["2009-is-8888-faster", "mine.toml", "more/"]), ("mi", ["mine.toml"]),
            ("more/", ["more/own.toml"]), ("none/", []),
        ] {
            // The completion scripts pass these arguments: the option, the index of the word, the position in
            // the word, and the line.
            let run = try await Binary.run(
                ["---completion", "compare", "--", "--campaign", "3", "\(typed.count)"]
                    + ["dnstempo", "compare", "--campaign", typed],
                environment: ["SAP_SHELL": "bash"],
                in: folder.path
            )
            #expect(run.output.split(separator: "\n").map(String.init) == expected, "\(typed)")
        }
    }

    @Test(arguments: Shell.allCases)
    func `commands and options are offered`(shell: Shell) async throws {
        try await InstallTests.withInstallation { prefix in
            let commands = try await expect("report", after: "dnstempo re", in: shell, prefix)
            #expect(commands.contains("resolvers") && !commands.contains("watch"), "\(commands)")
            for (line, word) in [
                ("watch --text", "--textfile"), ("store in", "info"), ("report --by w", "weekday"),
                ("chart --kind sm", "smoke"), ("compare --connect-p", "--connect-port"),
            ] {
                try await expect(word, after: "dnstempo \(line)", in: shell, prefix)
            }
            // fish runs the program only when a user types.
            guard shell != .fish else { return }
            try await expect("quad9", after: "dnstempo compare quad", in: shell, prefix)
            try await expect(
                "2009-is-8888-faster",
                after: "dnstempo compare --campaign 2",
                in: shell,
                prefix
            )
        }
    }
}
