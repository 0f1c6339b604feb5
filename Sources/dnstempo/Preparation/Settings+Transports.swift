import Catalogue

extension Settings {
    /// Each resolver over each transport asked for.
    static func over(
        _ transports: TransportChoice?,
        _ resolvers: [Resolver]
    ) throws -> [Resolver] {
        guard let transports else { return resolvers }
        let all = try resolvers.flatMap { try $0.over(transports) }
        try all.checkLabels()
        return all
    }

    /// What was asked for with all the rest and cannot be asked.
    static func uncarriedNote(
        _ transports: TransportChoice?,
        _ resolvers: [Resolver]
    ) -> String? {
        guard transports == .all else { return nil }
        let parts = TransportKind.allCases.compactMap { kind -> String? in
            let labels = resolvers.filter { $0.uncarriedTransports.contains(kind) }.map(\.label)
            return labels.isEmpty ? nil : "\(kind.rawValue) (\(labels.joined(separator: ", ")))"
        }
        guard !parts.isEmpty else { return nil }
        return "left out, since this build has no QUIC: \(parts.joined(separator: "; "))"
    }
}
