import Catalogue
import DNSWire

/// The HTTP address of a resolver (RFC 8484 §3) and the request method.
struct HTTPService: Hashable, Sendable {
    /// The host, and the port if it is not the default (RFC 9110 §7.2).
    var authority: String
    /// The path, including its query component if there is one.
    var path: String
    var method: HTTPMethod

    /// The target of `service` at `path`.
    init(_ service: EncryptedService, path: String?, method: HTTPMethod) {
        let (endpoint, name) = (service.endpoint, service.name)
        let host = name.contains(":") ? "[\(name)]" : name
        let isUsual = endpoint.port == endpoint.transport.usualPort
        authority = isUsual ? host : "\(host):\(endpoint.port)"
        self.path = path ?? Resolver.usualPath
        self.method = method
    }
}

/// A query as an HTTP request (RFC 8484 §4.1), identical in every version of HTTP.
struct HTTPRequest {
    /// The media type of queries and answers.
    static let contentType = "application/dns-message"

    /// The request's fields; fields whose name starts with a colon come first.
    let fields: [(name: String, value: String)]
    let content: [UInt8]

    init(_ message: [UInt8], to service: HTTPService) {
        let isPost = service.method == .post
        let mark = service.path.contains("?") ? "&" : "?"
        let path =
            isPost ? service.path : "\(service.path)\(mark)dns=\(Base64URL.text(of: message))"
        var fields = [
            (name: ":method", value: isPost ? "POST" : "GET"), (":scheme", "https"),
            (":authority", service.authority), (":path", path), ("accept", Self.contentType),
        ]
        if isPost {
            fields += [("content-type", Self.contentType), ("content-length", "\(message.count)")]
        }
        self.fields = fields
        content = isPost ? message : []
    }

    /// Passes the fields in the form of `make` to a C library, for the duration of the call only.
    func lendFields<CField, Result>(
        as make: (
            _ name: UnsafeMutableBufferPointer<UInt8>,
            _ value: UnsafeMutableBufferPointer<UInt8>
        ) -> CField,
        _ body: ([CField]) -> Result
    ) -> Result {
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { room in
            var rest = unsafe room[...]
            func lend(_ text: String) -> UnsafeMutableBufferPointer<UInt8> {
                let part = unsafe UnsafeMutableBufferPointer(rebasing: rest.prefix(text.utf8.count))
                _ = unsafe part.update(fromContentsOf: text.utf8)
                unsafe rest = rest.dropFirst(part.count)
                return unsafe part
            }
            var lent: [CField] = []
            for field in fields { lent.append(unsafe make(lend(field.name), lend(field.value))) }
            return body(lent)
        }
    }
}
