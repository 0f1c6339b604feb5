/// The reason why a query failed, in addition to its outcome and response code. The program uses
/// the kind. The value has words of the server, for people.
package struct FailureCause: Hashable, Sendable {
    /// A closed set. A word never changes; later versions may add words.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// An HTTP status without an answer. Value: the status and the header field that explains
        /// it (`301 https://…`: Location; `405 GET`: Allow; `429 30`: Retry-After), or the first
        /// words of the page.
        case httpStatus = "http-status"
        /// An HTTP answer that is not a DNS message. Value: its content type, and the first words
        /// of the page.
        case contentType = "content-type"
        /// FORMERR or NOTIMP to a query with EDNS, in a response without EDNS (RFC 6891 §7).
        case edns = "edns"
        /// BADVERS (RFC 6891 §6.1.3).
        case ednsVersion = "edns-version"
        /// Datagrams that answer the query came from an address or port that is not the resolver's.
        /// Value: the address and port of the sender.
        case otherSource = "other-source"
        /// The answer over UDP is truncated, and the query over TCP failed. Value: the failure over
        /// TCP.
        case noTCP = "no-tcp"
        /// Responses have a cookie that differs from the cookie of the query (RFC 7873 §5.3).
        case cookie = "cookie"
        /// The certificate is not trusted. Value: the reason.
        case certificate = "certificate"
        /// The handshake of the encrypted transport failed. Value: the reason.
        case handshake = "handshake"
        /// The server's port refused the connection (TCP reset, ICMP port unreachable).
        case refused = "refused"
        /// The server does not speak the transport's protocol (RFC 7301). Value: the reason.
        case alpn = "alpn"
        /// The server did not answer an attempt to connect. Value: the step, `connection` or
        /// `handshake`.
        case silence = "silence"
        /// The path loses large packets of a handshake, without a report. Value: the size of the largest IP
        /// packet that arrived, in bytes.
        case mtu = "mtu"
        /// The connection was closed or violated its protocol (HTTP/1.1, HTTP/2, HTTP/3, DoQ)
        /// during a response. Value: the fault.
        case connection = "connection"
        /// The response is not a valid DNS message. Value: the fault, as a clause after "the
        /// response".
        case message = "message"
    }

    package let kind: Kind
    /// A text of at most ``longestValue`` characters; `nil` if empty.
    package let value: String?

    package static let longestValue = 120

    package init(_ kind: Kind, _ value: String? = nil) {
        self.kind = kind
        self.value = value.flatMap {
            $0.isEmpty ? nil : String($0.unicodeScalars.prefix(Self.longestValue))
        }
    }

    /// Whether the server did not let a connection begin.
    package var isOfConnecting: Bool { [.refused, .silence, .mtu].contains(kind) }

    /// The status of ``Kind/httpStatus``.
    package var httpStatus: Int? {
        guard kind == .httpStatus, let value else { return nil }
        return Int(value.prefix { $0 != " " })
    }

    /// The header field or the words that explain ``httpStatus``.
    package var httpHint: String? {
        guard kind == .httpStatus, let value, let space = value.firstIndex(of: " ") else {
            return nil
        }
        return String(value[value.index(after: space)...])
    }
}

extension FailureCause: LosslessStringConvertible {
    /// The word, a space and the value.
    package var description: String { value.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue }

    /// Reads ``description``; `nil` if this version does not know the word.
    package init?(_ description: String) {
        let parts = description.split(
            separator: " ",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let word = parts.first, let kind = Kind(rawValue: String(word)) else { return nil }
        self.init(kind, parts.count > 1 ? String(parts[1]) : nil)
    }
}
