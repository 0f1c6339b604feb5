import ArgumentParser
import Catalogue
import DNSWire
import Samples

/// Options for 'sample' that are kept for later: checked now, and independent of the folder and
/// the environment in which they were written.
struct SampleArguments {
    /// As they are to be passed.
    let words: [String]

    init(_ written: [String]) throws {
        let command = try SampleCommand.parse(written)
        if command.schedule != nil {
            throw Failure(.usage, "--schedule is added by itself; name the schedule with --name")
        }
        let flags = command.measuring
        try Self.check(flags)
        _ = try MetricsFile(command.metrics)
        var words: [String] = []
        var written = written[...]
        while let word = written.popFirst() {
            if word == "--" {
                words += [word] + written
                break
            }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2, let kept = Self.values[parts[0]] {
                words.append("\(parts[0])=\(try kept(parts[1]))")
            } else if let kept = Self.values[word], let value = written.popFirst() {
                words += [word, try kept(value)]
            } else {
                words.append(word)
            }
        }
        // Who keeps this machine from asking elsewhere means its scheduled rounds too.
        if flags.reach.allowNet == nil, let allowed = try ReachOption.environment() {
            words = ["--allow-net", "\(allowed)"] + words
        }
        self.words = words
    }

    /// How the values of options are made to mean the same later: paths are made absolute, networks
    /// narrowed to those of today's environment.
    private static let values: [String: @Sendable (String) throws -> String] = [
        "--domains-from": { ["firefox", "chromium"].contains($0) ? $0 : try AbsolutePath.of($0) },
        "--ca": { try AbsolutePath.of($0) },
        "--domains": { try AbsolutePath.of($0) },
        "--campaign": { try Campaign.bundledNames.contains($0) ? $0 : AbsolutePath.of($0) },
        "--lab": { try LabProfile.bundledNames.contains($0) ? $0 : AbsolutePath.of($0) },
        "--textfile": { try AbsolutePath.of($0) },
        "--notify": { try NoticeRecipient.absolute($0) },
        "--allow-net": { try ReachOption.narrowed($0) },
    ]

    /// Finds what every round would fail at, since nobody looks on then.
    private static func check(_ flags: MeasuringOptions) throws {
        let campaign = try flags.campaign.map(Campaign.init)
        let configuration = try UserConfiguration.current()
        let options = try RunOptions(flags)
            .over(campaign?.options ?? RunOptions()).over(configuration.options)
        _ = try DomainName.all(options)
        if let source = flags.domainsFrom {
            guard flags.yes else {
                throw Failure(
                    .usage,
                    "--domains-from: nobody is there to be asked when a schedule takes its round; "
                        + "add --yes"
                )
            }
            _ = try VisitedNames(source, isAgreed: true)
        }
        let profile = try flags.lab.map { try LabProfile($0) }
        let simulated = profile?.resolvers.map(\.name) ?? []
        let asked = flags.resolvers.filter { !simulated.contains($0) }
        let known = try ResolverCatalogue.bundled().adding(configuration.resolvers)
        let hosts = known.unknownHosts(in: asked, families: flags.families)
        let chosen = try known.assuming(hosts)
            .resolvers(named: asked, families: flags.families, system: SystemResolvers())
        try ReachOption.allowed(options).check(chosen)
    }
}
