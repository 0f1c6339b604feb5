package import Evidence
package import Failures
package import Files

extension InputChunks {
    /// Opens a file of a bundle, of at most so many octets.
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
    /// The samples of a bundle, which are as large as the run was long.
    package convenience init(ofSamples folder: EvidenceFolder) throws(Failure) {
        try self.init(ofBundle: folder.samples, atMost: folder.largestSamples)
    }
}
