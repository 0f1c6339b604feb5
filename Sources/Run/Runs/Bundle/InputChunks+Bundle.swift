package import Evidence
package import Failures
package import Files

extension InputChunks {
    /// Opens a file of a bundle with at most `most` bytes.
    package convenience init(
        ofBundle path: String,
        atMost most: Int = .max
    ) throws(Failure) {
        let descriptor: Int32?
        do {
            descriptor = try BundleFile.open(path, atMost: most)
        } catch {
            throw Failure(error)
        }
        try self.init(path, descriptor: descriptor ?? -1)
    }
}

extension InputChunks {
    /// Opens the samples of a bundle, whose maximum size depends on the length of the run.
    package convenience init(ofSamples folder: EvidenceFolder) throws(Failure) {
        try self.init(ofBundle: folder.samples, atMost: folder.largestSamples)
    }
}
