import Failures
import Reports

extension PublishedFormat {
    /// A Markdown table with two columns.
    static func table(_ head: (String, String), _ rows: [(String, String)]) -> String {
        (["| \(head.0) | \(head.1) |", "|:--|:--|"] + rows.map { "| \($0.0) | \($0.1) |" })
            .joined(separator: "\n")
    }

    static let exitCodes = PublishedFormat(
        "exit-codes",
        title: "Exit codes",
        """
        The codes are 0, 1, those of sysexits.h, and 128 + SIGINT.

        \(table(
            ("code", "meaning"),
            [("0", "Done.")] + ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }
        ))

        `watch` and `serve` end with 0 on SIGTERM. On SIGHUP they read their configuration again if they \
        measure. `lab` ends with 0 on SIGINT, SIGTERM and SIGHUP.
        """,
        []
    )
}
