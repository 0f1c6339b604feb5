import Foundation
import Testing

/// A CSV text without quoted cells, read by column name.
struct Table {
    let header: String
    let rows: [[Substring]]
    private let names: [Substring]

    init(_ text: String) {
        let lines = text.split(separator: "\n")
        header = lines.first.map(String.init) ?? ""
        names = header.split(separator: ",")
        rows = lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    }

    subscript(row: [Substring], name: String) -> String {
        guard let index = names.firstIndex(of: Substring(name)), index < row.count else {
            return ""
        }
        return String(row[index])
    }

    func column(_ name: String) -> [String] { rows.map { self[$0, name] } }
}

/// A parsed JSON object.
struct JSON {
    private let object: [String: Any]

    init(_ text: String) throws {
        object = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        )
    }

    subscript(key: String) -> Any? { object[key] }

    var resolvers: [[String: Any]] {
        get throws { try #require(object["resolvers"] as? [[String: Any]]) }
    }

    /// The object of the resolver with this name.
    func resolver(_ name: String) throws -> [String: Any] {
        try #require(try resolvers.first { $0["name"] as? String == name })
    }
}
