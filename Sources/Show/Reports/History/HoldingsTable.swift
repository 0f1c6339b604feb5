package import Samples

/// Resolvers, vantages and origins of a store, as text and as JSON.
package struct HoldingsTable: Sendable {
    private typealias Resolver = (key: StoreHoldings.Resolver, value: StoreHolding)
    private typealias Row = (name: String, holding: StoreHolding, endpoint: String)

    /// The most rows of each table that remain readable.
    private static let mostRows = 20

    /// The resolvers with the most samples first.
    private let resolvers: [Resolver]
    private let vantages: [Row]
    private let origins: [Row]

    package init(_ holdings: StoreHoldings) {
        resolvers = holdings.resolvers.sorted {
            ($1.value.samples, $0.key.label, $0.key.endpoint)
                < ($0.value.samples, $1.key.label, $1.key.endpoint)
        }
        vantages = holdings.vantages.sorted { $0.key < $1.key }.map { ($0.key, $0.value, "") }
        origins = holdings.origins.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($0.key.description, $0.value, "") }
    }

    /// One table per kind, in `width` columns if the names leave room.
    package func text(_ width: Int) -> String {
        let named = resolvers.map { ($0.key.label, $0.value, $0.key.shown) }
        return [("origin", origins), ("vantage", vantages), ("resolver", named)]
            .filter { !$0.1.isEmpty }
            .map { "\n" + Self.text($0.0, $0.1, width) }.joined()
    }

    private static func text(_ heading: String, _ rows: [Row], _ width: Int) -> String {
        let shown = Array(rows.prefix(mostRows))
        let names = shown.map { EscapedText.terminal($0.name).cut(toCharacters: 30) }
        func moments(_ end: (ClosedRange<Timestamp>) -> Timestamp) -> [String] {
            shown.map { $0.holding.span.map(end)?.minuteText ?? "none" }
        }
        var table = Table([
            .init(heading, names, .heading),
            .init("rounds", shown.map { "\($0.holding.rounds)" }, .figures),
            .init("samples", shown.map { "\($0.holding.samples)" }, .figures),
            .init("first", moments(\.lowerBound)), .init("last", moments(\.upperBound)),
        ])
        table.standsAlone = true
        if shown.contains(where: { !$0.endpoint.isEmpty }) {
            let widest = table.lines(width: .max).map(\.displayWidth).max() ?? 0
            let room = max(15, width - 2 - widest)
            let endpoints = shown.map { EscapedText.terminal($0.endpoint).cut(toCharacters: room) }
            table.columns.append(.init("endpoint", endpoints))
        }
        let more = rows.count - shown.count
        return table.text() + (more > 0 ? "and \(more) more (--format json lists all)\n" : "")
    }

    package static let fields: [Field<HoldingsTable>] = [
        .list("origins", named, "One entry per origin of rounds.") { $0.origins },
        .list("vantages", named, "One entry per vantage point.") { $0.vantages },
        .list("resolvers", resolver, "One entry per resolver, endpoint and transport.") {
            $0.resolvers
        },
    ]

    private static let holding: [Field<StoreHolding>] = [
        .count("rounds", "Rounds of which samples are kept.") { $0.rounds },
        .count("samples", "Samples that are kept.") { $0.samples },
        .moment("first", null: "no sample is kept", "Time of the first sample.") {
            $0.span?.lowerBound
        },
        .moment("last", null: "no sample is kept", "Time of the last sample.") {
            $0.span?.upperBound
        },
    ]

    private static let named = Shape<Row>(
        "holding",
        [.text("name", "Name.") { $0.name }] + holding.of { $0.holding }
    )

    private static let resolver = Shape<Resolver>(
        "resolver-holding",
        [
            .text("resolver", "Label of the resolver.") { $0.key.label },
            .text("name", "The same text as `resolver`.") { $0.key.label },
            .text("endpoint", "Endpoint of the resolver.") { $0.key.endpoint },
            .text("transport", "Transport.") { $0.key.transport.description },
        ] + holding.of { $0.value }
    )
}

extension StoreHoldings.Resolver {
    /// The endpoint, with the transport unless a URL contains it.
    fileprivate var shown: String {
        transport == "udp" || endpoint.contains("://") ? endpoint : "\(transport) \(endpoint)"
    }
}
