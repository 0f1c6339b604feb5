import Catalogue
import DNSWire
import Failures

/// Converts the rows of a samples file into a recording.
struct SampleDecoder {
    private(set) var recording = Recording()
    /// Whether the rows of each run have a column for the marks of rounds, even if it is empty.
    private(set) var tellsMarks: [Bool] = []
    private var runs: [[UInt8]: Int32] = [:]
    private var targets: [[UInt8]: Int32] = [:]
    /// The index of each target. One address may be written in several ways.
    private var targetPlaces: [Recording.Target: Int32] = [:]
    private var questions: [[UInt8]: Int32] = [:]
    /// The index of each question, independent of its spelling. Names are compared without regard to case.
    private var knownQuestions: [Question: Int32] = [:]
    private var rounds: [Round.Key: Int32] = [:]
    private var key: [UInt8] = []

    /// Adds one row. Throws an error that describes an invalid row.
    mutating func append(_ cells: SampleCells) throws(SamplesError) {
        let observation = try observation(cells)
        let scheduled =
            try cells.moment(.scheduled) ?? observation.sent ?? Timestamp(nanoseconds: 0)
        recording.samples.append(
            Sample(
                round: try round(cells, at: scheduled),
                target: try target(cells),
                question: try question(cells),
                scheduled: scheduled,
                observation: observation
            )
        )
    }

    /// Returns the samples and rounds that were added since the last call. Runs, targets and questions are
    /// kept.
    mutating func takeRounds() -> Recording {
        defer {
            recording.samples.removeAll(keepingCapacity: true)
            recording.rounds.removeAll(keepingCapacity: true)
            rounds.removeAll(keepingCapacity: true)
        }
        return recording
    }

    private mutating func round(
        _ cells: SampleCells,
        at scheduled: Timestamp
    ) throws(SamplesError) -> Int32 {
        let key = Round.Key(
            run: try run(cells, at: scheduled),
            number: try cells.integer(.round) ?? 1
        )
        let isLast = recording.rounds.last?.key == key
        let index =
            isLast
            ? Int32(clamping: recording.rounds.count - 1)
            : rounds.place(
                of: key,
                in: &recording.rounds,
                adding: Round(run: key.run, number: key.number, started: scheduled)
            )
        if cells.has(.marks) { tellsMarks[Int(key.run)] = true }
        if let text = cells.text(.marks) {
            recording.rounds[Int(index)].marks.formUnion(RoundMarks(text: text))
        }
        return index
    }

    private mutating func run(
        _ cells: SampleCells,
        at scheduled: Timestamp
    ) throws(SamplesError) -> Int32 {
        fillKey(cells, [.run, .vantage, .timeout])
        if let index = runs[key] { return index }
        let run = Run(
            id: try cells.name(.run) ?? "",
            vantage: try cells.name(.vantage) ?? "",
            timeout: .nanoseconds(try cells.milliseconds(.timeout) ?? 5_000_000_000),
            origin: try cells.word(.origin) ?? .imported,
            started: scheduled
        )
        tellsMarks.append(false)
        return runs.place(of: key, in: &recording.runs, adding: run)
    }

    private mutating func target(_ cells: SampleCells) throws(SamplesError) -> Int32 {
        fillKey(cells, [.resolver, .endpoint, .transport, .series])
        if let index = targets[key] { return index }
        guard let label = try cells.name(.resolver) else {
            throw cells.error(.resolver, "is empty")
        }
        let target = Recording.Target(
            label: label,
            endpoint: Endpoint.canonicalPlace(try cells.name(.endpoint) ?? ""),
            transport: .init(try cells.name(.transport) ?? "udp"),
            series: try cells.word(.series) ?? .cached
        )
        let index = targetPlaces.place(of: target, in: &recording.targets, adding: target)
        targets[key] = index
        return index
    }

    private mutating func question(_ cells: SampleCells) throws(SamplesError) -> Int32 {
        fillKey(cells, [.name, .type])
        if let index = questions[key] { return index }
        let name: DomainName
        do {
            // With escapes, the text may be longer than other names, but the name on the wire is not.
            name = try DomainName(cells.text(.name) ?? "")
        } catch {
            throw cells.error(.name, error.description)
        }
        guard let type = RecordType(mnemonic: try cells.name(.type) ?? "A") else {
            throw cells.invalid(.type, "no record type")
        }
        let question = Question(name: name, type: type)
        let index = knownQuestions.place(
            of: question,
            in: &recording.questions,
            adding: question
        )
        questions[key] = index
        return index
    }

    private func observation(_ cells: SampleCells) throws(SamplesError) -> Observation {
        guard let outcome: Outcome = try cells.word(.outcome) else {
            throw cells.error(.outcome, "is empty")
        }
        var observation = Observation(outcome: outcome, clock: try cells.word(.clock))
        if let word = cells.text(.responseCode) {
            guard let code = ResponseCode(mnemonic: word) else {
                throw cells.invalid(.responseCode, "no response code")
            }
            observation.responseCode = code
        }
        observation.sent = try cells.moment(.sent)
        observation.roundTrip = try cells.milliseconds(.roundTrip)
        observation.ttl = try cells.integer(.ttl)
        observation.answers = try cells.integer(.answers)
        observation.size = try cells.integer(.size)
        observation.lateness = try cells.milliseconds(.lateness) ?? 0
        observation.cache = try cells.word(.cache)
        observation.extras = try extras(cells)
        return observation
    }

    private func extras(_ cells: SampleCells) throws(SamplesError) -> Observation.Extras? {
        let columns: [SampleColumn] = [
            .connect, .handshake, .udp, .site, .extendedErrors, .connection, .detail, .flags,
            .networkRTT, .edge, .warmupHits, .warmupMisses, .cause, .bytesOut,
        ]
        guard columns.contains(where: { cells[$0] != nil }) else { return nil }
        let detail = cells.text(.detail).map(Detail.init(_:))
        return Observation.Extras(
            connect: try cells.milliseconds(.connect),
            handshake: try cells.milliseconds(.handshake),
            udp: try cells.milliseconds(.udp),
            edge: try cells.milliseconds(.edge),
            site: cells.text(.site),
            extendedErrors: cells.text(.extendedErrors),
            connection: try cells.word(.connection),
            detail: detail,
            // Later versions may use other words.
            cause: cells.text(.cause).flatMap(FailureCause.Kind.init(rawValue:))
                .map { FailureCause($0, cells.text(.causeValue)) },
            flags: cells.has(.flags)
                ? SampleFlags(text: cells.text(.flags) ?? "") : SampleFlags(detail: detail),
            networkRTT: try cells.milliseconds(.networkRTT),
            warmup: WarmupTally(
                hits: try cells.integer(.warmupHits),
                misses: try cells.integer(.warmupMisses),
                missTime: try cells.milliseconds(.warmupMissTime)
            ),
            packets: PacketCount(
                bytesOut: try cells.integer(.bytesOut),
                bytesIn: try cells.integer(.bytesIn),
                packets: try cells.integer(.packets)
            )
        ).withinLimits
    }

    /// Fills the key with the cells that identify a run, target or question. A byte that no text contains
    /// separates the cells.
    private mutating func fillKey(_ cells: SampleCells, _ columns: [SampleColumn]) {
        key.removeAll(keepingCapacity: true)
        for column in columns {
            if let cell = cells[column] { key.append(contentsOf: cell) }
            key.append(0xff)
        }
    }
}
