/// Why an output cannot be written, or was not asked for rightly.
package enum OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The suffix names no format.
    case unknownSuffix(path: String)
    /// Two outputs would be the same file, or both standard output.
    case duplicate(path: String)
    /// Nothing can be written there; nothing was changed.
    case unwritable(path: String, reason: String)

    package var path: String {
        switch self {
        case .unknownSuffix(let path), .duplicate(let path), .unwritable(let path, _): path
        }
    }

    /// EX_USAGE or EX_CANTCREAT of sysexits(3).
    package var exitCode: Int32 {
        switch self {
        case .unknownSuffix, .duplicate: 64
        case .unwritable: 73
        }
    }

    package var description: String {
        let path = EscapedText.terminal(path)
        switch self {
        case .unknownSuffix:
            let known = OutputFormat.allCases.map { ".\($0.suffix)" }.joined(separator: ", ")
            return "cannot tell the format of '\(path)': end its name in one of \(known)"
        case .duplicate:
            return "'\(path)' is asked for twice: give each output a name of its own"
        case .unwritable(_, let reason):
            return "cannot write '\(path)': \(reason)"
        }
    }
}
