import Catalogue
import DNSWire
import Measurement
import Samples

extension Settings {
    /// The plan that the options ask for, at a pace that the resolvers may be asked.
    static func plan(
        _ resolvers: [Resolver],
        _ questions: [Question],
        _ options: RunOptions,
        _ flags: MeasuringOptions,
        _ lab: LabSession?,
        _ carriage: Carriage
    ) async throws -> PlannedRun {
        let draft = PlanDraft(
            resolvers: resolvers,
            groups: groups(of: resolvers),
            questions: questions,
            options: options,
            pace: try pace(for: resolvers, options, flags, lab),
            isLab: lab != nil,
            isUntilSure: options.isUntilSure
        )
        return try await draft.plan(over: carriage)
    }

    /// Resolvers at one address share its rate; on loopback each port is a resolver of its own.
    private static func groups(of resolvers: [Resolver]) -> [Endpoint: Int] {
        var numbers: [Endpoint: Int] = [:]
        return resolvers.reduce(into: [:]) { groups, resolver in
            var place = resolver.endpoint
            place.transport = .udp
            if !place.address.isLoopback { place.port = 0 }
            let number = numbers[place] ?? numbers.count
            numbers[place] = number
            groups[resolver.endpoint] = number
        }
    }

    private static func pace(
        for resolvers: [Resolver],
        _ options: RunOptions,
        _ flags: MeasuringOptions,
        _ lab: LabSession?
    ) throws -> Pace {
        var pace = lab == nil ? Pace.polite : .lab(resolvers: resolvers.count)
        if let rate = options.rate {
            pace.rate = rate
            // Who asks one resolver faster means to ask faster in all.
            pace.totalRate = max(pace.totalRate, rate)
        }
        pace.totalRate = options.totalRate ?? pace.totalRate
        for resolver in resolvers {
            try pace.checked(
                for: resolver.endpoint,
                isLab: lab?.resolvers.contains(resolver) ?? false,
                runsResolvers: flags.iRunTheseResolvers
            )
        }
        return pace
    }
}

extension DomainName {
    /// The names to ask for: those given, those of a file, or the first of the bundled list.
    static func all(_ options: RunOptions) throws -> [DomainName] {
        if let names = options.domains { return try names.map { try DomainName($0) } }
        guard let path = options.domainsFile else {
            return try NameList.bundled().entries.prefix(10).map { try DomainName($0.name) }
        }
        let list = try NameList(file: path)
        return try list.entries.map { entry in
            do throws(NameError) {
                return try DomainName(entry.name)
            } catch {
                throw Failure(.badData, "\(list.file):\(entry.line): \(error)")
            }
        }
    }
}
