package import Catalogue
package import Samples

extension ReportContext {
    /// The context with placeholders, whose values must have been noted. The commands are removed, because only
    /// the command line knows their parts.
    package func redacted(by redaction: Redaction) -> ReportContext {
        var context = self
        let label = redaction.label
        context.vantage = redaction.vantage(vantage)
        context.plan.names = plan.names.map(redaction.name)
        context.plan.zones = plan.zones.map(redaction.name)
        context.baseline = baseline.map(label)
        context.floors = floors.mapKeys(redaction.applied)
        context.facts = facts.mapKeys(label)
        context.tampering = tampering.mapKeys(label).mapValues(redaction.text)
        context.unchecked = Set(unchecked.map(label))
        context.unmeasured = unmeasured.map(redaction.applied)
        context.selection = redaction.text(selection)
        context.resolverOrder = resolverOrder?.map(label)
        context.unreadPlaces = unreadPlaces.map(redaction.text)
        context.distances = distances.map(redaction.applied)
        // Its streams have the addresses of both ends.
        context.registered = nil
        context.resolverSetup = resolverSetup?.redacted(by: redaction)
        context.load?.places = (load?.places ?? []).indices.map { "server-\($0 + 1)" }
        context.load?.failure = load?.failure.map(redaction.text)
        (context.command, context.chartCommand) = (nil, nil)
        return context
    }
}

extension ResolverSetup {
    /// The setup without private servers. Its place has the placeholder of the measurements.
    package func redacted(by redaction: Redaction) -> ResolverSetup {
        var setup = self
        setup.vantage = redaction.vantage(vantage)
        setup.upstreams.removeAll { IPAddress($0)?.isPrivate != false }
        return setup
    }
}

extension Redaction {
    /// The values of the context of a run, in addition to the values of its recording.
    package mutating func note(_ context: ReportContext) {
        note(vantage: context.vantage)
        for resolver in context.unmeasured { note(resolver.target) }
        for name in context.plan.names + context.plan.zones { note(name: name) }
    }

    /// The distances, with one placeholder for each address. The addresses in answers show the names.
    fileprivate func applied(to distances: AnswerDistances) -> AnswerDistances {
        var redacted = distances
        let addresses = distances.readings.map(\.address).uniqued
        let numbers = Dictionary(
            uniqueKeysWithValues: zip(addresses, addresses.indices.map { "address-\($0 + 1)" })
        )
        for index in redacted.readings.indices {
            redacted.readings[index].address = numbers[distances.readings[index].address] ?? ""
        }
        return redacted
    }
}

extension Dictionary {
    /// The same values under other keys. If several keys become equal, the first value is kept.
    fileprivate func mapKeys<Other>(_ transform: (Key) -> Other) -> [Other: Value] {
        [Other: Value](map { (transform($0.key), $0.value) }) { first, _ in first }
    }
}
