import CFrameStreams
import LibC

/// A file of frames that is written (Frame Streams, by libfstrm).
@safe struct FrameWriter: ~Copyable {
    private let handle: OpaquePointer

    static let contentType = "protobuf:dnstap.Dnstap"

    /// Whether libfstrm is there.
    static var isPossible: Bool { cframestreams_load() != 0 }

    /// Throws where libfstrm is not there, or where the file cannot be made.
    init(path: String) throws(EvidenceError) {
        guard Self.isPossible else { throw .noLibrary }
        guard let handle = unsafe cframestreams_create(path, Self.contentType) else {
            throw .cannotWrite(path)
        }
        unsafe self.handle = handle
    }

    func write(_ frame: [UInt8], path: String) throws(EvidenceError) {
        guard unsafe cframestreams_write(handle, frame, frame.count) != 0 else {
            throw .cannotWrite(path)
        }
    }

    consuming func finish(path: String) throws(EvidenceError) {
        let isWhole = unsafe cframestreams_finish(handle) != 0
        guard isWhole else { throw .cannotWrite(path) }
    }
}

/// A file of such frames that is read.
@safe struct FrameReader: ~Copyable {
    private let handle: OpaquePointer
    private let path: String

    /// Reads the file behind a descriptor, which is closed with this; `path` is its name in errors.
    init(_ descriptor: Int32, path: String) throws(EvidenceError) {
        guard FrameWriter.isPossible else {
            close(descriptor)
            throw .noLibrary
        }
        guard let handle = unsafe cframestreams_open(descriptor, FrameWriter.contentType) else {
            throw .noFrames(path)
        }
        unsafe self.handle = handle
        self.path = path
    }

    deinit { unsafe cframestreams_close(handle) }

    /// The next frame; `nil` at the end. Throws where the file breaks off.
    func next() throws(EvidenceError) -> [UInt8]? {
        var frame: UnsafePointer<UInt8>?
        var count = 0
        switch unsafe cframestreams_read(handle, &frame, &count) {
        case 1: return unsafe [UInt8](UnsafeBufferPointer(start: frame, count: count))
        case 0: return nil
        default: throw .cut(path)
        }
    }
}
