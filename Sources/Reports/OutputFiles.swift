/// Writes several files whole or not at all.
public enum OutputFiles {
    /// One file to be written.
    public struct Content: Hashable, Sendable {
        public var path: String
        public var bytes: [UInt8]

        public init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }

        public init(path: String, text: String) { self.init(path: path, bytes: Array(text.utf8)) }
    }

    /// What stands for standard output; no file is written for it.
    public static let standardOutput = "-"

    /// Whether all of `paths` can be written, found out before a long run rather than after it:
    /// creates and removes a temporary file beside each. Leaves what is there as it is.
    public static func check(_ paths: [String]) throws(OutputError) {
        for destination in try destinations(paths) where !destination.isStream {
            _ = try TemporaryFile(beside: destination)
        }
    }

    /// Writes all of `contents`, each into a temporary file beside its own that takes its place
    /// once all are on the disk. On an error nothing was replaced, and the temporary files are
    /// gone. A device or pipe is written directly, before any file is replaced.
    public static func write(_ contents: [Content]) throws(OutputError) {
        let files = contents.filter { $0.path != standardOutput }
        let destinations = try destinations(contents.map(\.path))
        var staged: [TemporaryFile] = []
        for (destination, file) in zip(destinations, files) where !destination.isStream {
            let temporary = try TemporaryFile(beside: destination)
            try temporary.write(file.bytes)
            staged.append(temporary)
        }
        for (destination, file) in zip(destinations, files) where destination.isStream {
            try OpenFile(stream: destination).write(file.bytes)
        }
        try replace(staged)
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

    /// Where each of `paths` but ``standardOutput`` leads, each to another place.
    private static func destinations(_ paths: [String]) throws(OutputError) -> [Destination] {
        if paths.filter({ $0 == standardOutput }).count > 1 {
            throw .duplicate(path: standardOutput)
        }
        var found: [Destination] = []
        for path in paths where path != standardOutput {
            let destination = try Destination(path: path)
            if !destination.isStream, found.contains(where: destination.isSameFile) {
                throw .duplicate(path: path)
            }
            found.append(destination)
        }
        return found
    }
}
