// The C library under one name on all platforms.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Darwin)
@_exported public import Darwin
#endif

/// The result of `call`, which is repeated if a signal interrupts it.
package func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

/// Reads into the beginning of `room` like read(2), and repeats the call if a signal interrupts it.
package func readBytes(into room: inout [UInt8], from descriptor: Int32) -> Int {
    unsafe room.withUnsafeMutableBytes { room in
        uninterrupted { unsafe read(descriptor, room.baseAddress, room.count) }
    }
}

/// Writes all of `bytes`. Returns false, with the reason in `errno`, if the descriptor does not accept them.
package func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = uninterrupted { unsafe write(descriptor, rest.baseAddress, rest.count) }
            guard count >= 0 else { return false }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }
}

/// The system's text for an errno, by default the current one.
package func reasonOfSystem(_ code: Int32 = errno) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}

/// The status of the file at `path`, with links followed; `nil`, with the reason in `errno`, if it is
/// missing.
package func fileStatus(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
}

extension stat {
    package var isRegular: Bool { st_mode & S_IFMT == S_IFREG }

    /// The time of the last modification.
    package var modified: timespec {
        #if canImport(Darwin)
        st_mtimespec
        #else
        st_mtim
        #endif
    }
}
