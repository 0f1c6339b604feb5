package import Failures
import Files
import LibC

/// The environment variables and arguments of this process.
package enum Environment {
    /// The variables of folders that the program writes to. Their values must be exact.
    private static let folders = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]

    /// Throws if an argument or a folder is not valid UTF-8. It would be read with replacement characters,
    /// and name another file.
    package static func checkText() throws(Failure) {
        for (index, word) in CommandLine.arguments.enumerated() {
            guard let data = unsafe CommandLine.unsafeArgv[index] else { break }
            if unsafe String(validatingCString: data) == nil {
                throw Failure.usage("'\(word)' is not text in UTF-8; give another name")
            }
        }
        for name in folders {
            if let data = unsafe getenv(name), unsafe String(validatingCString: data) == nil {
                throw Failure.usage("\(name) is not text in UTF-8; set it to another folder")
            }
        }
    }

    /// The environment variables of this task, if they differ from those of the process.
    @TaskLocal package static var ofTask: [String: String]?

    package static subscript(name: String) -> String? {
        if let ofTask { return ofTask[name] }
        return unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    package static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0, buffer[0] != 0 else {
            return "unknown"
        }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
    }

    package static func variables(_ names: String...) -> [String: String] {
        names.reduce(into: [:]) { $0[$1] = self[$1] }
    }

    /// All environment variables of the program, as `NAME=VALUE`.
    package static var all: [String] {
        if let ofTask { return ofTask.map { "\($0)=\($1)" } }
        #if canImport(Darwin)
        var entries: [String] = []
        var place = unsafe _NSGetEnviron().pointee
        while let entry = unsafe place?.pointee {
            unsafe entries.append(String(cString: entry))
            unsafe place = unsafe place?.advanced(by: 1)
        }
        return entries
        #else
        let bytes = (try? InputFile.bytes("/proc/self/environ")) ?? []
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        #endif
    }
}
