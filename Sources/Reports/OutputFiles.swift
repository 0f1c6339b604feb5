/// Writes several files whole or not at all.
package enum OutputFiles {
    /// One file to be written.
    package struct Content: Hashable, Sendable {
        package var path: String
        package var bytes: [UInt8]
        /// Whether every user may read it (mode 0644), whatever the umask or an earlier file says.
        package var isPublic: Bool

        package init(path: String, bytes: [UInt8], isPublic: Bool = false) {
            self.path = path
            self.bytes = bytes
            self.isPublic = isPublic
        }

        package init(path: String, text: String, isPublic: Bool = false) {
            self.init(path: path, bytes: Array(text.utf8), isPublic: isPublic)
        }
    }

    /// What stands for standard output; no file is written for it.
    package static let standardOutput = "-"

    /// Whether all of `paths` can be written, found out before a long run rather than after it:
    /// creates and removes a temporary file beside each. Leaves what is there as it is.
    package static func check(_ paths: [String]) throws(OutputError) {
        if paths.count(where: { $0 == standardOutput }) > 1 {
            throw .duplicate(path: standardOutput)
        }
        let files = paths.filter { $0 != standardOutput }
        for destination in try Destination.distinct(files) where !destination.isStream {
            _ = try TemporaryFile(beside: destination)
        }
    }

    /// Writes all of `contents`, each into a temporary file beside its own that takes its place
    /// once all are on the disk. On an error nothing was replaced, and the temporary files are
    /// gone. A device or pipe is written directly, before any file is replaced.
    package static func write(_ contents: [Content]) throws(OutputError) {
        if contents.count(where: { $0.path == standardOutput }) > 1 {
            throw .duplicate(path: standardOutput)
        }
        let files = contents.filter { $0.path != standardOutput }
        let staged = try StagedFiles(files.map(\.path))
        let streams = Set(staged.streams)
        // What cannot be taken back comes last.
        for index in files.indices where !streams.contains(index) {
            if files[index].isPublic { try staged.publish(index) }
            try staged.append(files[index].bytes, to: index)
        }
        for index in streams.sorted() { try staged.append(files[index].bytes, to: index) }
        try staged.commit()
    }
}

extension Destination {
    /// Where each of `paths` leads, each to another place.
    static func distinct(_ paths: [String]) throws(OutputError) -> [Destination] {
        var found: [Destination] = []
        for path in paths {
            let destination = try Destination(path: path)
            if !destination.isStream, found.contains(where: destination.isSameFile) {
                throw .duplicate(path: path)
            }
            found.append(destination)
        }
        return found
    }
}
