#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The variables that the program was started with.
enum Environment {
    static subscript(name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    static subscript(name: String, default fallback: String) -> String { self[name] ?? fallback }

    /// The name of this machine, the default vantage.
    static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
    }
}

extension Environment {
    /// Those of the variables that are set.
    static func variables(_ names: String...) -> [String: String] {
        names.reduce(into: [:]) { $0[$1] = self[$1] }
    }
}

extension Environment {
    /// All that this program was started with, as `NAME=VALUE`.
    static var all: [String] {
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
