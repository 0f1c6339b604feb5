import CFrameStreams
import CLibraries
import Failures
import LibC

/// Files of Frame Streams, by libfstrm.
enum FrameFile {
    static let contentType = "protobuf:dnstap.Dnstap"

    /// Throws where libfstrm is not there.
    static func loadLibrary() throws(EvidenceError) {
        guard clibraries_load(clibraries_fstrm) == 0 else { return }
        let package = unsafe String(cString: clibraries_package(clibraries_fstrm))
        throw EvidenceError(
            .unavailable,
            "evidence needs libfstrm: install it (Debian: apt-get install \(package))"
        )
    }
}

/// A file of frames that is written.
@safe struct FrameWriter: ~Copyable {
    private let handle: OpaquePointer

    /// Throws where libfstrm is not there, or where the file cannot be made.
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
        // Says of a writer that is closed already that it could not be.
        _ = unsafe fstrm_writer_destroy(&writer)
        guard isWhole else { throw .cannotWrite(path) }
    }
}

/// A file of such frames that is read.
@safe struct FrameReader: ~Copyable {
    private let handle: OpaquePointer
    private let path: String

    /// Reads the file behind a descriptor, which is closed with this; `path` is its name in errors.
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
        // It owns the stream, if there is one.
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

    /// The stream of a file that is open, and is closed with it: the library would open the file again by
    /// its name, and wait for a FIFO.
    private static func stream(of file: FilePointer) -> OpaquePointer? {
        let stream = unsafe fstrm_rdwr_init(file)
        unsafe fstrm_rdwr_set_open(stream) { _ in fstrm_res_success }
        unsafe fstrm_rdwr_set_close(stream) { _ in fstrm_res_success }
        unsafe fstrm_rdwr_set_destroy(stream) { file in
            let file = unsafe file?.assumingMemoryBound(to: FilePointer.Pointee.self)
            return unsafe fclose(file) == 0 ? fstrm_res_success : fstrm_res_failure
        }
        unsafe fstrm_rdwr_set_read(stream) { file, octets, count in
            let file = unsafe file?.assumingMemoryBound(to: FilePointer.Pointee.self)
            if unsafe fread(octets, 1, count, file) == count { return fstrm_res_success }
            return unsafe ferror(file) != 0 ? fstrm_res_failure : fstrm_res_stop
        }
        return unsafe stream
    }

    deinit {
        var reader: OpaquePointer? = unsafe handle
        _ = unsafe fstrm_reader_destroy(&reader)
    }

    /// The next frame; `nil` at the end. Throws where the file breaks off.
    func next() throws(EvidenceError) -> [UInt8]? {
        var frame: UnsafePointer<UInt8>?
        var count = 0
        let result = unsafe fstrm_reader_read(handle, &frame, &count)
        if result == fstrm_res_success {
            return unsafe [UInt8](UnsafeBufferPointer(start: frame, count: count))
        }
        // Stops where the file does, too, within a frame or not: a whole one ends with a frame that
        // says so.
        var end: OpaquePointer?
        let known = unsafe fstrm_reader_get_control(handle, FSTRM_CONTROL_STOP, &end)
        guard result == fstrm_res_stop, known == fstrm_res_success, unsafe end != nil else {
            throw .cut(path)
        }
        return nil
    }
}

private typealias FilePointer = UnsafeMutablePointer<FILE>
