import Foundation

/// The text of a samples file with rounds at known times. By default, rounds are half an hour apart.
struct Rounds {
    static let resolvers = ["meadow", "harbour", "brook"]
    static let names = ["example.com", "example.net"]

    /// The position of a query: its round, resolver and name, all counted from 0.
    struct Query {
        var round: Int
        var resolver: Int
        var name: Int

        /// A number from 0 to 1 that depends only on the query's position. Neighbouring queries have
        /// different numbers.
        var noise: Double {
            (Double(round * 7 + resolver * 3 + name) * 0.618_033_988_749_895)
                .truncatingRemainder(dividingBy: 1)
        }

        /// A pseudo-random number from 0 to 1 (SplitMix64).
        var chance: Double {
            var mixed = UInt64(round * 64 + resolver * 8 + name + 1) &* 0x9e37_79b9_7f4a_7c15
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
        }
    }

    enum Outcome {
        /// The round trip in milliseconds.
        case answer(Double)
        case timeout, offline
    }

    /// The time of the first round in UTC, such as `2026-03-16T00:00:00Z`.
    var start: String
    var count: Int
    var run = "r"
    var vantage = "desk"
    /// Seconds between the starts of two rounds.
    var interval = 1800.0

    /// Returns the text of the file. If `outcome` returns `nil` for a query, the query has no row.
    func file(_ outcome: (Query) -> Outcome?) throws -> String {
        let begin = try Date(start, strategy: .iso8601)
        var lines = [
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,outcome,"
                + "rcode,rtt_ms,timeout_ms"
        ]
        for round in 0..<count {
            let moment = begin.addingTimeInterval(Double(round) * interval).formatted(.iso8601)
            for resolver in Self.resolvers.indices {
                for name in Self.names.indices {
                    let query = Query(round: round, resolver: resolver, name: name)
                    guard let outcome = outcome(query) else { continue }
                    let ending =
                        switch outcome {
                        case .answer(let time): "\(moment),answered,NOERROR,\(time)"
                        case .timeout: "\(moment),timeout,,"
                        case .offline: ",offline,,"
                        }
                    let cells = ending.split(separator: ",", omittingEmptySubsequences: false)
                    let fields =
                        [run, "\(round + 1)", moment, String(cells[0]), vantage]
                        + [Self.resolvers[resolver], "192.0.\(resolver).1:53", "udp", "cached"]
                        + [Self.names[name], "A"] + cells.dropFirst().map(String.init) + ["5000"]
                    lines.append(fields.joined(separator: ","))
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The samples of rounds with faults. One resolver is slow in the evening (UTC), and another loses
    /// queries. The network loses all queries for three rounds, and is unreachable for two. The machine is
    /// off for eight hours.
    func troubled() throws -> String {
        try file { query in
            if (100..<116).contains(query.round) { return nil }
            if (40..<43).contains(query.round) { return .timeout }
            if (60..<62).contains(query.round) { return .offline }
            if query.resolver == 2, query.round % 25 == 7 { return .timeout }
            let isEvening = query.resolver == 1 && query.round % 48 >= 36
            let base = [12.0, 20, 16][query.resolver] + Double(query.name)
            return .answer(base + (isEvening ? 9 : 0) + 2 * query.noise)
        }
    }

    /// The samples of three resolvers with latencies of 12, 20 and 16 ms. Each has a jitter of 6 ms, and all
    /// are 30 ms slower in every second hour.
    func jittery() throws -> String {
        try file { query in
            let isBusy = Int(Double(query.round) * interval) / 3600 % 2 == 1
            let base = [12.0, 20, 16][query.resolver] + (isBusy ? 30 : 0)
            return .answer(base + 6 * query.chance)
        }
    }

    /// The samples of resolvers that change. The first is `step` milliseconds slower from the round `slower`
    /// on. The third loses a fifth of its queries from the round `lossy` on.
    func changed(slower: Int, by step: Double, lossy: Int) throws -> String {
        try file { query in
            if query.resolver == 2, query.round >= lossy, query.noise < 0.2 { return .timeout }
            let base = [12.0, 20, 16][query.resolver]
            let cycle = 2 * sin(Double(query.round % 48) / 48 * 2 * .pi)
            let isSlower = query.resolver == 0 && query.round >= slower
            return .answer(base + cycle + query.noise + (isSlower ? step : 0))
        }
    }
}
