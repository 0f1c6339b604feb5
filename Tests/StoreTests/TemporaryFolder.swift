import LibC
import Store

/// A folder of its own for each test, which goes with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/dnstempo-store-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw FileError(path: "/tmp") }
        path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    deinit {
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// The path of a file in it.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of the files in it.
    var names: [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
                unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// A file that a test could not read or write.
struct FileError: Error {
    var path: String
}

/// Whole files.
enum File {
    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { throw FileError(path: path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe systemRead(descriptor, &chunk, chunk.count)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw FileError(path: path) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe systemWrite(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { throw FileError(path: path) }
            rest = rest.dropFirst(count)
        }
    }
}

/// write(2), which ``File/write(_:to:)`` would hide.
@unsafe private func systemWrite(
    _ descriptor: Int32,
    _ start: UnsafeRawPointer?,
    _ count: Int
) -> Int {
    unsafe write(descriptor, start, count)
}

/// read(2), which ``File/read(_:)`` would hide.
@unsafe private func systemRead(_ descriptor: Int32, _ chunk: inout [UInt8], _ count: Int) -> Int {
    unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, count) }
}
