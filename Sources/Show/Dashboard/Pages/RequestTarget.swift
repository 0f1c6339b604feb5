import Reports
import Samples

/// The path and the query of a request, decoded (RFC 3986 §3.3, §3.4).
struct RequestTarget: Hashable, Sendable {
    let path: String
    /// The pairs in order. If a name occurs several times, the last pair counts.
    private let pairs: [Pair]

    struct Pair: Hashable, Sendable {
        var name: String
        var value: String
    }

    init(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.decoded(parts[0].split(separator: "#").first ?? "", plusIsSpace: false) ?? ""
        let query = parts.count > 1 ? parts[1] : ""
        pairs = query.split(separator: "&").compactMap { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0], plusIsSpace: true),
                let value = Self.decoded(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
            else { return nil }
            return Pair(name: name, value: value)
        }
    }

    private init(path: String, pairs: [Pair]) {
        self.path = path
        self.pairs = pairs
    }

    subscript(name: String) -> String? { pairs.last { $0.name == name }?.value }

    func setting(_ name: String, to value: String?) -> RequestTarget {
        let others = pairs.filter { $0.name != name }
        return RequestTarget(
            path: path,
            pairs: others + (value.map { [Pair(name: name, value: $0)] } ?? [])
        )
    }

    /// The target reduced to the parameters that pages use, in a fixed order.
    var known: RequestTarget {
        let names =
            path == "/metrics"
            ? [] : ["label", "baseline", "candidate", "by", "vantage", "window", "since", "until"]
        return RequestTarget(
            path: path,
            pairs: names.compactMap { name in self[name].map { Pair(name: name, value: $0) } }
        )
    }

    /// Whether the target is a page for people. Other targets return JSON or events to programs.
    var isPage: Bool { !path.hasPrefix("/api/") && path != "/events" }

    /// The target as encoded in an address.
    var text: String {
        let query = pairs.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
            .joined(separator: "&")
        var path = path.split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.encoded(String($0)) }.joined(separator: "/")
        // Two slashes would begin the name of another host (RFC 3986 §4.2).
        if path.hasPrefix("//") { path = "/%2F" + path.dropFirst(2) }
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    /// The characters that need no quoting (RFC 3986 §2.3).
    static let unreserved = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8
    )

    private static func encoded(_ text: String) -> String {
        text.percentEncoded(keeping: unreserved.contains)
    }

    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                guard digits.count == 2, let text = String(digits), text.first != "+",
                    let value = UInt8(text, radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// The part of the history that a page covers, according to its address.
struct WindowChoice: Hashable, Sendable {
    /// The window lengths on offer, with their names.
    static let offered: [(text: String, title: String)] = [
        ("1h", "hour"), ("24h", "day"), ("7d", "week"), ("30d", "month"), ("90d", "quarter"),
        ("365d", "year"),
    ]
    /// The start, in the format of `--since`.
    let since: String
    /// The end, in the format of `--until`.
    let until: String
    /// The only place on the page. `nil` for all places.
    let vantage: String?

    /// The window from `window`, a length, or from `since` and `until`. The default is a week.
    init(_ target: RequestTarget) {
        since = target["window"] ?? target["since"] ?? "7d"
        until = target["window"] == nil ? target["until"] ?? "now" : "now"
        vantage = target["vantage"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The last week of one place. `nil` selects all places.
    init(weekAt vantage: String?) {
        (since, until, self.vantage) = ("7d", "now", vantage)
    }

    /// Whether pages link to this length.
    var isOffered: Bool { until == "now" && Self.offered.contains { $0.text == since } }

    /// The last week of the same place.
    var week: WindowChoice { WindowChoice(weekAt: vantage) }

    /// `target` with this window. The default window adds no parameters.
    func applied(to target: RequestTarget) -> RequestTarget {
        let target = vantage.map { target.setting("vantage", to: $0) } ?? target
        if self == week { return target }
        return until == "now"
            ? target.setting("window", to: since)
            : target.setting("since", to: since).setting("until", to: until)
    }
}
