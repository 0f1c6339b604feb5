import DNSWire

/// Turns the rows of a samples file into a recording.
struct SampleDecoder {
    private(set) var recording = Recording(runs: [], targets: [], questions: [])
    private let file: String
    private var runs: [[UInt8]: Int32] = [:]
    private var targets: [[UInt8]: Int32] = [:]
    private var questions: [[UInt8]: Int32] = [:]
    private var key: [UInt8] = []

    init(file: String) { self.file = file }

    /// Adds one row, or throws what is wrong with it.
    mutating func append(_ cells: SampleCells) throws(SamplesError) {
        let reader = SampleCellReader(cells: cells, file: file)
        let observation = try observation(reader)
        let scheduled = try reader.moment(.scheduled)
        recording.samples.append(
            Sample(
                run: try run(reader),
                round: try reader.integer(.round) ?? 1,
                target: try target(reader),
                question: try question(reader),
                scheduled: scheduled ?? observation.sent ?? Timestamp(nanoseconds: 0),
                observation: observation
            )
        )
    }

    /// Hands over the samples that were added since; the texts stay.
    mutating func takeSamples() -> [Sample] {
        defer { recording.samples.removeAll(keepingCapacity: true) }
        return recording.samples
    }

    private mutating func run(_ reader: SampleCellReader) throws(SamplesError) -> Int32 {
        fillKey(reader, [.run, .vantage, .timeout])
        if let index = runs[key] { return index }
        let run = Recording.Run(
            id: try reader.name(.run) ?? "",
            vantage: try reader.name(.vantage) ?? "",
            timeout: .nanoseconds(try reader.milliseconds(.timeout) ?? 5_000_000_000)
        )
        recording.runs.append(run)
        return Self.add(key, to: &runs)
    }

    private mutating func target(_ reader: SampleCellReader) throws(SamplesError) -> Int32 {
        fillKey(reader, [.resolver, .endpoint, .transport, .series])
        if let index = targets[key] { return index }
        let target = Recording.Target(
            label: try reader.name(.resolver) ?? "",
            endpoint: try reader.name(.endpoint) ?? "",
            transport: try reader.name(.transport) ?? "udp",
            series: try reader.word(.series) ?? .cached
        )
        recording.targets.append(target)
        return Self.add(key, to: &targets)
    }

    private mutating func question(_ reader: SampleCellReader) throws(SamplesError) -> Int32 {
        fillKey(reader, [.name, .type])
        if let index = questions[key] { return index }
        let name: DomainName
        let text = try reader.name(.name) ?? ""
        do throws(NameError) {
            name = try DomainName(text)
        } catch {
            throw reader.error(.name, error.description)
        }
        guard let type = RecordType(mnemonic: try reader.name(.type) ?? "A") else {
            throw reader.invalid(.type, "no record type")
        }
        recording.questions.append(Question(name: name, type: type))
        return Self.add(key, to: &questions)
    }

    private func observation(_ reader: SampleCellReader) throws(SamplesError) -> Observation {
        guard let outcome: Outcome = try reader.word(.outcome) else {
            throw reader.error(.outcome, "is empty")
        }
        var observation = Observation(outcome: outcome, clock: try reader.word(.clock) ?? .user)
        if let word = reader.text(.responseCode) {
            guard let code = ResponseCode(mnemonic: word) else {
                throw reader.invalid(.responseCode, "no response code")
            }
            observation.responseCode = code
        }
        observation.sent = try reader.moment(.sent)
        observation.roundTrip = try reader.milliseconds(.roundTrip)
        observation.ttl = try reader.integer(.ttl)
        observation.answers = try reader.integer(.answers)
        observation.size = try reader.integer(.size)
        observation.lateness = try reader.milliseconds(.lateness) ?? 0
        observation.cache = try reader.word(.cache)
        observation.extras = try extras(reader)
        return observation
    }

    private func extras(_ reader: SampleCellReader) throws(SamplesError) -> Observation.Extras? {
        let columns: [SampleColumn] = [
            .connect, .handshake, .udp, .site, .extendedErrors, .connection, .detail, .flags,
        ]
        guard columns.contains(where: { reader.cells[$0] != nil }) else { return nil }
        let detail = reader.text(.detail)
        return Observation.Extras(
            connect: try reader.milliseconds(.connect),
            handshake: try reader.milliseconds(.handshake),
            udp: try reader.milliseconds(.udp),
            site: reader.text(.site),
            extendedErrors: reader.text(.extendedErrors),
            connection: try reader.word(.connection),
            detail: detail,
            flags: reader.cells.has(.flags)
                ? SampleFlags(text: reader.text(.flags) ?? "") : SampleFlags(detail: detail)
        ).withinLimits
    }

    /// The cells that make one run, target or question, with what no text contains between them.
    private mutating func fillKey(_ reader: SampleCellReader, _ columns: [SampleColumn]) {
        key.removeAll(keepingCapacity: true)
        for column in columns {
            if let cell = reader.cells[column] { key.append(contentsOf: cell) }
            key.append(0xff)
        }
    }

    private static func add(_ key: [UInt8], to indices: inout [[UInt8]: Int32]) -> Int32 {
        let index = Int32(clamping: indices.count)
        indices[key] = index
        return index
    }
}
