import Reports
import Samples
import Store

/// Resolvers, vantages and origins of a store, as text and as JSON.
struct HoldingsTable {
    private typealias Resolver = (key: StoreHoldings.Resolver, value: StoreHolding)
    private typealias Row = (name: String, holding: StoreHolding, endpoint: String)

    /// As many of each as stay readable.
    private static let mostRows = 20

    /// Those with the most samples first.
    private let resolvers: [Resolver]
    private let vantages: [Row]
    private let origins: [Row]

    init(_ holdings: StoreHoldings) {
        resolvers = holdings.resolvers.sorted {
            ($1.value.samples, $0.key.label, $0.key.endpoint)
                < ($0.value.samples, $1.key.label, $1.key.endpoint)
        }
        vantages = holdings.vantages.sorted { $0.key < $1.key }.map { ($0.key, $0.value, "") }
        origins = holdings.origins.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($0.key.description, $0.value, "") }
    }

    /// A table of each, of `width` columns where names leave room for that.
    func text(_ width: Int) -> String {
        let named = resolvers.map { ($0.key.label, $0.value, $0.key.shown) }
        return [("origin", origins), ("vantage", vantages), ("resolver", named)]
            .filter { !$0.1.isEmpty }
            .map { "\n" + Self.text($0.0, $0.1, width) }.joined()
    }

    private static func text(_ heading: String, _ rows: [Row], _ width: Int) -> String {
        let shown = Array(rows.prefix(mostRows))
        let rounds = column("rounds", shown.map(\.holding.rounds))
        let samples = column("samples", shown.map(\.holding.samples))
        var table = [[heading, rounds[0], samples[0], "first", "last"]]
        for (index, row) in shown.enumerated() {
            let moments = [row.holding.span?.lowerBound, row.holding.span?.upperBound]
            table.append(
                [EscapedText.terminal(row.name).cut(toCharacters: 30)]
                    + [rounds[index + 1], samples[index + 1]]
                    + moments.map { $0?.minuteText ?? "none" }
            )
        }
        if shown.contains(where: { !$0.endpoint.isEmpty }) {
            let lines = PlainTable.text(table).split(separator: "\n")
            let room = max(15, width - 2 - (lines.map { String($0).displayWidth }.max() ?? 0))
            table[0].append("endpoint")
            for (index, row) in shown.enumerated() {
                table[index + 1].append(EscapedText.terminal(row.endpoint).cut(toCharacters: room))
            }
        }
        let more = rows.count - shown.count
        return PlainTable.text(table)
            + (more > 0 ? "and \(more) more (--format json lists all)\n" : "")
    }

    /// Aligned on the right.
    private static func column(_ heading: String, _ numbers: [Int]) -> [String] {
        let cells = [heading] + numbers.map(String.init)
        let width = cells.map(\.count).max() ?? 0
        return cells.map { $0.padded(to: width, atEnd: false) }
    }

    var json: JSONValue {
        [
            "origins": .array(origins.map { Self.json(["name": .string($0.name)], $0.holding) }),
            "vantages": .array(vantages.map { Self.json(["name": .string($0.name)], $0.holding) }),
            "resolvers": .array(
                resolvers.map { resolver in
                    let members: JSONValue = [
                        "resolver": .string(resolver.key.label),
                        "name": .string(resolver.key.label),
                        "endpoint": .string(resolver.key.endpoint),
                        "transport": .string(resolver.key.transport.description),
                    ]
                    return Self.json(members, resolver.value)
                }
            ),
        ]
    }

    private static func json(_ members: JSONValue, _ holding: StoreHolding) -> JSONValue {
        members + [
            "rounds": .integer(holding.rounds),
            "samples": .integer(holding.samples),
            "first": holding.span.map { .string($0.lowerBound.description) } ?? .null,
            "last": holding.span.map { .string($0.upperBound.description) } ?? .null,
        ]
    }
}

extension StoreHoldings.Resolver {
    /// An URL tells the transport itself.
    fileprivate var shown: String {
        transport == "udp" || endpoint.contains("://") ? endpoint : "\(transport) \(endpoint)"
    }
}
