import CFrameStreams
import CLibraries
import Failures
import LibC

/// Files in the Frame Streams format, read and written by libfstrm.
enum FrameFile {
    static let contentType = "protobuf:dnstap.Dnstap"

    /// Throws if libfstrm is not installed.
    static func loadLibrary() throws(EvidenceError) {
        guard clibraries_load(clibraries_fstrm) == 0 else { return }
        let package = unsafe String(cString: clibraries_package(clibraries_fstrm))
        throw EvidenceError(
            .unavailable,
            "evidence needs libfstrm: install it (Debian: apt-get install \(package))"
        )
    }
}

/// A file of frames, open for writing.
@safe struct FrameWriter: ~Copyable {
    private let handle: OpaquePointer

    /// Throws if libfstrm is not installed, or if the file cannot be created.
    init(path: String) throws(EvidenceError) {
        try FrameFile.loadLibrary()
        var file = unsafe fstrm_file_options_init()
        var options = unsafe fstrm_writer_options_init()
        defer {
            unsafe fstrm_file_options_destroy(&file)
            unsafe fstrm_writer_options_destroy(&options)
        }
        let type = FrameFile.contentType
        unsafe fstrm_file_options_set_file_path(file, path)
        _ = unsafe fstrm_writer_options_add_content_type(options, type, type.utf8.count)
        var writer = unsafe fstrm_file_writer_init(file, options)
        guard let handle = unsafe writer, unsafe fstrm_writer_open(handle) == fstrm_res_success
        else {
            _ = unsafe fstrm_writer_destroy(&writer)
            throw .cannotWrite(path)
        }
        unsafe self.handle = unsafe handle
    }

    func write(_ frame: [UInt8], path: String) throws(EvidenceError) {
        guard unsafe fstrm_writer_write(handle, frame, frame.count) == fstrm_res_success else {
            throw .cannotWrite(path)
        }
    }

    consuming func finish(path: String) throws(EvidenceError) {
        let isWhole = unsafe fstrm_writer_close(handle) == fstrm_res_success
        var writer: OpaquePointer? = unsafe handle
        // The result is ignored: for a closed writer it is always a failure.
        _ = unsafe fstrm_writer_destroy(&writer)
        guard isWhole else { throw .cannotWrite(path) }
    }
}

/// A file of frames, open for reading.
@safe struct FrameReader: ~Copyable {
    private let handle: OpaquePointer
    private let path: String

    /// Reads the file of a descriptor, which this reader closes. `path` is the file's name in error messages.
    init(_ descriptor: Int32, path: String) throws(EvidenceError) {
        do {
            try FrameFile.loadLibrary()
        } catch {
            close(descriptor)
            throw error
        }
        guard let file = unsafe fdopen(descriptor, "r") else {
            close(descriptor)
            throw .noFrames(path)
        }
        var options = unsafe fstrm_reader_options_init()
        defer { unsafe fstrm_reader_options_destroy(&options) }
        let type = FrameFile.contentType
        _ = unsafe fstrm_reader_options_add_content_type(options, type, type.utf8.count)
        var stream = unsafe Self.stream(of: file)
        // The reader owns the stream, if the reader was created.
        var reader = unsafe fstrm_reader_init(options, &stream)
        guard let handle = unsafe reader, unsafe fstrm_reader_open(handle) == fstrm_res_success
        else {
            _ = unsafe fstrm_rdwr_destroy(&stream)
            _ = unsafe fstrm_reader_destroy(&reader)
            throw .noFrames(path)
        }
        unsafe self.handle = unsafe handle
        self.path = path
    }

    /// Creates a stream for an open file, and closes the file with the stream. The library would reopen the
    /// file by its name, and would wait for a FIFO.
    private static func stream(of file: FilePointer) -> OpaquePointer? {
        let stream = unsafe fstrm_rdwr_init(file)
        unsafe fstrm_rdwr_set_open(stream) { _ in fstrm_res_success }
        unsafe fstrm_rdwr_set_close(stream) { _ in fstrm_res_success }
        unsafe fstrm_rdwr_set_destroy(stream) { file in
            let file = unsafe file?.assumingMemoryBound(to: FilePointer.Pointee.self)
            return unsafe fclose(file) == 0 ? fstrm_res_success : fstrm_res_failure
        }
        unsafe fstrm_rdwr_set_read(stream) { file, bytes, count in
            let file = unsafe file?.assumingMemoryBound(to: FilePointer.Pointee.self)
            if unsafe fread(bytes, 1, count, file) == count { return fstrm_res_success }
            return unsafe ferror(file) != 0 ? fstrm_res_failure : fstrm_res_stop
        }
        return unsafe stream
    }

    deinit {
        var reader: OpaquePointer? = unsafe handle
        _ = unsafe fstrm_reader_destroy(&reader)
    }

    /// The next frame; `nil` at the end. Throws if the file is truncated.
    func next() throws(EvidenceError) -> [UInt8]? {
        var frame: UnsafePointer<UInt8>?
        var count = 0
        let result = unsafe fstrm_reader_read(handle, &frame, &count)
        if result == fstrm_res_success {
            return unsafe [UInt8](UnsafeBufferPointer(start: frame, count: count))
        }
        // At the end of the file, reading stops as well, within a frame or between two frames. A complete
        // file ends with a STOP frame.
        var end: OpaquePointer?
        let known = unsafe fstrm_reader_get_control(handle, FSTRM_CONTROL_STOP, &end)
        guard result == fstrm_res_stop, known == fstrm_res_success, unsafe end != nil else {
            throw .cut(path)
        }
        return nil
    }
}

private typealias FilePointer = UnsafeMutablePointer<FILE>
