package import Failures
import LibC

/// Paths that are independent of the working directory. Symbolic links are kept, because they lead to the new
/// file after an upgrade.
package enum AbsolutePath {
    package static func of(_ path: String) throws(Failure) -> String {
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

    package static func ofThisProgram() throws(Failure) -> String {
        let called = CommandLine.arguments.first ?? ""
        if called.contains("/") { return try of(called) }
        if let path = try ofProgram(called) { return path }
        throw Failure.usage("cannot tell where dnstempo is; call it by its path")
    }

    /// The path of a program from its path, or from its name in `PATH`; `nil` if it does not exist.
    package static func ofProgram(_ name: String) throws(Failure) -> String? {
        let folders = (Environment["PATH"] ?? "").split(separator: ":")
        let places =
            name.contains("/") ? [name] : name.isEmpty ? [] : folders.map { "\($0)/\(name)" }
        for place in places {
            let path = try of(place)
            if isProgram(path) { return path }
        }
        return nil
    }

    package static func isProgram(_ path: String) -> Bool {
        unsafe isFile(path) && access(path, X_OK) == 0
    }

    /// Whether `path` leads to a regular file.
    package static func isFile(_ path: String) -> Bool {
        fileStatus(path)?.isRegular == true
    }

    package static func isMissing(_ path: String) -> Bool {
        unsafe access(path, F_OK) != 0 && errno == ENOENT
    }

    /// The path of the default store, without `--store` (XDG Base Directory Specification).
    package static func ofDefaultStore() throws(Failure) -> String {
        "\(try folder("XDG_DATA_HOME", usual: ".local/share"))/dnstempo/dnstempo.sqlite"
    }

    /// The folder of configurations (XDG Base Directory Specification).
    package static func ofConfigurations() throws(Failure) -> String {
        try folder("XDG_CONFIG_HOME", usual: ".config")
    }

    private static func folder(_ variable: String, usual: String) throws(Failure) -> String {
        if let folder = Environment[variable], folder.hasPrefix("/") { return folder }
        guard let home = Environment["HOME"], home.hasPrefix("/") else {
            throw Failure.usage("HOME is not set to an absolute path; set it")
        }
        return "\(home)/\(usual)"
    }
}
