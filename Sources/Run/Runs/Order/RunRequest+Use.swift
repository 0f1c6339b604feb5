import Catalogue
import Failures

extension RunRequest {
    /// Throws if an option has no effect on any of `resolvers`. `hosts` are to be looked up.
    func checkUse(by resolvers: [Resolver], hosts: [String]) throws {
        let kinds = Set(resolvers.map(\.endpoint.transport))
        let isEncrypted = kinds.contains(where: \.isEncrypted)
        func unused(_ option: String) -> String {
            "\(option) needs an encrypted transport, and no resolver uses one: add --transport "
                + "tls, or leave it out"
        }
        try Failure.refuse([
            unused("--ca"): trust.authority != nil && !isEncrypted,
            unused("--pin"): !trust.pins.isEmpty && !isEncrypted,
            unused("--insecure"): trust.verifiesNothing && !isEncrypted,
            unused("--connections"): options[.connections] != nil && !isEncrypted
                && !(options[.connections] == .reuse && kinds.contains(.tcp)),
            "--http-method is for https and h3, and no resolver is queried over these: leave it out":
                options[.httpMethod] != nil && !kinds.contains(where: \.isHTTP),
            "--tls-version is for tls and https, and QUIC always uses TLS 1.3: leave it out":
                options[.tlsVersion] != nil && isEncrypted
                && kinds.isDisjoint(with: [.tls, .https]),
            unused("--tls-version"): options[.tlsVersion] != nil && !isEncrypted,
            "--bootstrap looks up host names, and no resolver is named by one: leave it out":
                options[.bootstrap] != nil && hosts.isEmpty,
            "simulated resolvers have no TLS; leave out --lab, tls or both":
                lab != nil && isEncrypted,
        ])
    }

    /// Throws if an option of the run cannot be combined with look-ups of a browser.
    func checkBrowser(_ merged: RunOptions) throws {
        guard merged.asksAsBrowser else { return }
        let series = merged[.series]?.joined(separator: ",") ?? ""
        try Failure.refuse([
            "--type browser compares what a browser waits for: use compare": comparison == nil,
            "--type browser asks for A, AAAA and HTTPS: leave out the other types":
                merged[.types]?.map { $0.lowercased() } != ["browser"],
            "--series \(series): --type browser is a series of its own; leave out one of the two":
                merged[.series] != nil,
            "--type browser asks for several types at one moment: leave out --sampling poisson":
                merged[.sampling] == .poisson,
        ])
    }

    /// Throws if an option of the run has no effect on an as-found run.
    func checkAsFound(_ merged: RunOptions) throws {
        guard merged.asksAsFound else {
            try Failure.refuse([
                "--names is the length of an as-found list: add --series as-found, or leave it out":
                    options[.names] != nil
            ])
            return
        }
        let series = merged[.series] ?? []
        guard series.count == 1 else {
            throw Failure.usage(
                "--series \(series.joined(separator: ",")): as-found asks another list of names, in a "
                    + "run of its own; leave out the others"
            )
        }
        func unused(_ option: String) -> String {
            "\(option): --series as-found asks a list of names once and then ends; leave it out, or "
                + "choose the length with --names"
        }
        try Failure.refuse([
            unused("--rounds"): options[.rounds] != nil,
            unused("--duration"): options[.duration] != nil,
            unused("--interval"): options[.interval] != nil,
            unused("--warmup"): options[.warmup] != nil,
            "--names \(options[.names] ?? 0): give a number from 20 to 10000":
                options[.names].map { !(20...10_000).contains($0) } ?? false,
            "--series as-found asks each name once, ten in a round: leave out --sampling poisson":
                merged[.sampling] == .poisson,
            "--type: --series as-found asks one type; name one": (merged[.types]?.count ?? 1) > 1,
        ])
        guard let comparison else {
            throw Failure.usage(
                "--series as-found is judged once, at the end of a list of names: use compare"
            )
        }
        func useless(_ option: String) -> String {
            "\(option): --series as-found asks every resolver a list of names once and then ends; "
                + "leave it out"
        }
        try Failure.refuse([
            useless("--until-sure"): options[.untilSure] == true,
            useless("--max-rounds"): options[.maxRounds] != nil,
            useless("--keep-all"): comparison.keepsAll, useless("--resume"): comparison.resumes,
            useless("--strategies"): comparison.wantsStrategies,
        ])
    }

    /// The request with the options of the load from `merged`, which loses them. Throws if an option of the
    /// run cannot be combined with a load.
    func movingLoadOptions(from merged: inout RunOptions) throws -> RunRequest {
        guard load != nil else { return self }
        func refused(_ option: String) -> String {
            "\(option) cannot be combined with --under-load, which compares cached names on an idle and "
                + "on a loaded line; leave it out"
        }
        try Failure.refuse([
            refused("--series"): merged[.series] != nil,
            refused("--type browser"): merged.asksAsBrowser,
            refused("--sampling"): merged[.sampling] == .poisson,
            refused("--until-sure"): options[.untilSure] == true,
            refused("--max-rounds"): options[.maxRounds] != nil,
            refused("--duration"): merged[.duration] != nil,
            refused("--interval"): options[.interval] != nil,
            refused("--strategies"): comparison?.wantsStrategies == true,
            refused("--resume"): comparison?.resumes == true,
        ])
        var request = self
        request.load?.mark = merged[.dscp]
        merged[.dscp] = nil
        merged[.untilSure] = false
        merged[.rounds] = merged[.rounds] ?? LoadRequest.usualRounds
        return request
    }
}
