/// Files that are written piece by piece, of any size, and take their places together: on an error
/// before, nothing was replaced, and what was written is gone. A device or pipe cannot be replaced
/// and is written directly.
package final class StagedFiles {
    private enum Part {
        case file(TemporaryFile)
        case stream(StreamFile)
    }

    private let parts: [Part]

    /// Opens a temporary file beside each of `paths`, which must lead to different files.
    package init(_ paths: [String]) throws(OutputError) {
        var parts: [Part] = []
        for destination in try Destination.distinct(paths) {
            parts.append(
                destination.isStream
                    ? .stream(try StreamFile(destination))
                    : .file(try TemporaryFile(beside: destination))
            )
        }
        self.parts = parts
    }

    /// The files by their position that are streams.
    var streams: [Int] {
        parts.indices.filter {
            if case .stream = parts[$0] { true } else { false }
        }
    }

    /// Adds `bytes` to the file at `index` of the paths.
    package func append(_ bytes: [UInt8], to index: Int) throws(OutputError) {
        switch parts[index] {
        case .file(let file): try file.append(bytes)
        case .stream(let stream): try stream.file.write(bytes)
        }
    }

    /// Has every user read the file at `index` of the paths.
    func publish(_ index: Int) throws(OutputError) {
        if case .file(let file) = parts[index] { try file.setMode(0o644) }
    }

    /// Puts all on the disk and then into their places.
    package func commit() throws(OutputError) {
        var staged: [TemporaryFile] = []
        for case .file(let file) in parts {
            try file.synchronize()
            staged.append(file)
        }
        try Self.replace(staged)
    }

    /// All or none: where one cannot be put into its place, those before it go back.
    static func replace(_ staged: [TemporaryFile]) throws(OutputError) {
        for (index, file) in staged.enumerated() {
            do throws(OutputError) {
                try file.replace()
            } catch {
                for earlier in staged[..<index] { earlier.restore() }
                throw error
            }
        }
    }
}

/// Shared owner of a descriptor that cannot be copied.
private final class StreamFile {
    let file: OpenFile

    init(_ destination: Destination) throws(OutputError) {
        file = try OpenFile(stream: destination)
    }
}
