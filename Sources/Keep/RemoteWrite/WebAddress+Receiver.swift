package import Catalogue
package import Failures

extension WebAddress {
    /// Reads the address of a remote-write receiver.
    package init(ofReceiver text: String) throws(Failure) {
        try self.init(
            parsing: text,
            of: "a remote-write receiver",
            example: "http://prometheus.example:9090/api/v1/write",
            secrets: "and name a file that has a token with --remote-write-token"
        )
    }
}
