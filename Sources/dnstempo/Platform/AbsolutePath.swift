import Catalogue

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Paths that mean the same wherever a command is run from. Symbolic links stay as they are, since
/// they go on leading to what an upgrade puts behind them.
enum AbsolutePath {
    /// `path` as seen from the current folder.
    static func of(_ path: String) throws(Failure) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = unsafe getcwd(nil, 0) else {
            throw Failure(.inputOutput, "the current folder is gone; change into another")
        }
        defer { unsafe free(folder) }
        var relative = path[...]
        while relative.hasPrefix("./") { relative = relative.dropFirst(2) }
        let start = unsafe String(cString: folder)
        return start == "/" ? "/\(relative)" : "\(start)/\(relative)"
    }

    /// This program, as it was called.
    static func ofThisProgram() throws(Failure) -> String {
        let called = CommandLine.arguments.first ?? ""
        if called.contains("/") { return try of(called) }
        if let path = try ofProgram(called) { return path }
        throw Failure(.usage, "cannot tell where dnstempo is; call it by its path")
    }

    /// A program by its path, or by its name in `PATH`; `nil` where there is none.
    static func ofProgram(_ name: String) throws(Failure) -> String? {
        let folders = Environment["PATH", default: ""].split(separator: ":")
        let places =
            name.contains("/") ? [name] : name.isEmpty ? [] : folders.map { "\($0)/\(name)" }
        for place in places {
            let path = try of(place)
            if isProgram(path) { return path }
        }
        return nil
    }

    /// Whether a file is there and may be executed.
    static func isProgram(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        let mayRun = unsafe access(path, X_OK) == 0
        return mayRun && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether nothing stands there.
    static func isMissing(_ path: String) -> Bool {
        unsafe access(path, F_OK) != 0 && errno == ENOENT
    }

    /// Where rounds are kept unless `--store` says otherwise (XDG Base Directory Specification).
    static func ofDefaultStore() throws(Failure) -> String {
        if let folder = Environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return "\(folder)/dnstempo/dnstempo.sqlite"
        }
        return "\(try home())/.local/share/dnstempo/dnstempo.sqlite"
    }

    /// The folder of configurations (XDG Base Directory Specification).
    static func ofConfigurations() throws(Failure) -> String {
        if let folder = Environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder }
        return "\(try home())/.config"
    }

    private static func home() throws(Failure) -> String {
        guard let home = Environment["HOME"], home.hasPrefix("/") else {
            throw Failure(.usage, "HOME is not set to an absolute path; set it")
        }
        return home
    }
}
