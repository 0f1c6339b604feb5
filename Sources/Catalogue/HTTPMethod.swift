/// How DNS over HTTPS asks (RFC 8484 §4.1).
package enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
    /// With the query as the request's content.
    case post
    /// With the query in the URL, so that caches on the way may answer.
    case get
}

extension HTTPMethod {
    /// Reads one of the words.
    package init(parsing text: String) throws(CatalogueError) {
        try self.init(word: text, of: "method of HTTP")
    }
}
