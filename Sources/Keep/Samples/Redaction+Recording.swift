import DNSWire

/// The parts of measurements, with placeholders.
extension Redaction {
    /// The recording with placeholders, whose values must have been noted.
    package func applied(to recording: Recording) -> Recording {
        var redacted = recording
        redacted.runs = recording.runs.map(applied)
        redacted.targets = recording.targets.map(applied)
        redacted.questions = recording.questions.map(applied)
        let isOwn = zip(recording.targets, redacted.targets).map { $0.endpoint != $1.endpoint }
        var texts = ScrubbedTexts(scrubber)
        for index in redacted.samples.indices {
            let sample = redacted.samples[index]
            guard let extras = sample.observation.extras else { continue }
            let target = Int(sample.target)
            let isOfUser = isOwn.indices.contains(target) && isOwn[target]
            let detail = extras.detail.map { texts.detail($0) }
            let cause = extras.cause.map { texts.cause($0, isOfUser: isOfUser) }
            // The server of a private resolver may give the name of its machine.
            let site = isOfUser ? nil : extras.site
            guard detail != extras.detail || cause != extras.cause || site != extras.site else {
                continue
            }
            redacted.samples[index].observation.extras = extras.with(
                site: site,
                extendedErrors: extras.extendedErrors,
                detail: detail,
                cause: cause
            )
        }
        return redacted
    }

    package func applied(to run: Run) -> Run {
        var run = run
        run.id = self.run(run.id)
        run.vantage = vantage(run.vantage)
        run.schedule = nil
        run.baseline = run.baseline.map(label)
        return run
    }

    package func applied(to target: Recording.Target) -> Recording.Target {
        var redacted = target
        redacted.label = label(of: target)
        redacted.endpoint = endpoint(of: target)
        return redacted
    }

    private func applied(to question: Question) -> Question {
        var question = question
        if let name = try? DomainName(name(question.name.description)) { question.name = name }
        return question
    }

    package func applied(to sum: HourlySum) -> HourlySum {
        var sum = sum
        sum.vantage = vantage(sum.vantage)
        sum.target = applied(to: sum.target)
        return sum
    }

    package func applied(to sites: AnsweringSites) -> AnsweringSites {
        let target = applied(to: sites.target)
        return AnsweringSites(
            vantage: vantage(sites.vantage),
            target: target,
            history: target.endpoint == sites.target.endpoint ? sites.history : SiteHistory()
        )
    }

    package func applied(to cause: EstablishedCause) -> EstablishedCause {
        var cause = cause
        cause.vantage = vantage(cause.vantage)
        cause.target = applied(to: cause.target)
        return cause
    }

    package func applied(to round: RoundMoment) -> RoundMoment {
        var round = round
        round.vantage = vantage(round.vantage)
        return round
    }

    package func applied(to reading: ConnectionReading) -> ConnectionReading {
        var reading = reading
        reading.target = applied(to: reading.target)
        reading.failure = reading.failure.map { Detail(text($0.description)) }
        return reading
    }

    package func applied(to resolver: UnmeasuredResolver) -> UnmeasuredResolver {
        let target = applied(to: resolver.target)
        // The name is the label, and where labels repeat also the transport or the endpoint.
        let rest = resolver.name.dropFirst(resolver.target.label.count)
        return UnmeasuredResolver(
            target: target,
            name: target.label
                + rest.replacing(resolver.target.endpoint, with: target.endpoint),
            reason: text(resolver.reason)
        )
    }
}

/// The texts of samples without values of the user. A recording repeats few texts in many samples.
private struct ScrubbedTexts {
    private let scrubber: TextScrubber
    private var details: [Detail: Detail] = [:]
    private var values: [String: String] = [:]

    init(_ scrubber: TextScrubber) { self.scrubber = scrubber }

    mutating func detail(_ detail: Detail) -> Detail {
        if let known = details[detail] { return known }
        let scrubbed = Detail(scrubber.text(detail.description))
        details[detail] = scrubbed
        return scrubbed
    }

    /// The pages of a private server are words of the user. Only the status or type before them is kept.
    mutating func cause(_ cause: FailureCause, isOfUser: Bool) -> FailureCause {
        guard var value = cause.value else { return cause }
        if isOfUser, cause.kind == .httpStatus || cause.kind == .contentType {
            value = String(value.prefix { $0 != " " })
        }
        let scrubbed = values[value] ?? scrubber.text(value)
        values[value] = scrubbed
        return FailureCause(cause.kind, scrubbed)
    }
}
