import Catalogue
import DNSWire

/// Writes samples as results of RIPE Atlas DNS measurements, one per line.
///
/// It does not invent messages that were not kept. An additional object contains the samples columns that the
/// standard keys cannot express.
struct AtlasWriter {
    /// One query, with the columns that its standard keys do not contain.
    private struct Entry {
        var result: AtlasResult
        var own: [UInt8]
    }

    private let recording: Recording

    /// The number of samples that are written at a time. Within one batch, queries to several of a probe's
    /// own resolvers are combined into one result.
    private static let batch = 4096
    /// The version of the result format, in the key `fw`.
    private static let format = 5000

    init(_ recording: Recording) { self.recording = recording }

    func write(to sink: @escaping SamplesWriter.Sink) throws {
        let rows = Rows()
        var writer = SamplesWriter(.jsonLines, for: recording) { rows.bytes += $0 }
        let samples = recording.samples.filter(hasTexts)
        for start in stride(from: 0, to: samples.count, by: Self.batch) {
            let part = samples[start..<min(start + Self.batch, samples.count)]
            rows.bytes = []
            try writer.append(part)
            try writer.flush()
            try sink(lines(of: part, rows: rows.bytes))
        }
    }

    /// The bytes of the rows of a samples file.
    private final class Rows { var bytes: [UInt8] = [] }

    private func hasTexts(_ sample: Sample) -> Bool {
        guard let round = recording.round(of: sample) else { return false }
        return recording.runs.indices.contains(Int(round.run))
            && recording.targets.indices.contains(Int(sample.target))
            && recording.questions.indices.contains(Int(sample.question))
    }

    private func lines(of samples: ArraySlice<Sample>, rows: [UInt8]) throws -> [UInt8] {
        var rest = rows
        let source = FileLines(file: "") {
            defer { rest = [] }
            return rest
        }
        var reader = JSONLinesReader(source)
        var (cells, told) = (SampleCells(file: ""), SampleCells(file: ""))
        var entries: [[Entry]] = []
        var sets: [SetKey: Int] = [:]
        for sample in samples where try reader.next(into: &cells) {
            let result = result(of: sample)
            told.clear(line: 0)
            result.fill(&told)
            let entry = Entry(result: result, own: cells.untold(by: told))
            let key = SetKey(round: sample.round, timestamp: result.timestamp)
            if result.ownResolver != nil, let place = sets[key] {
                entries[place].append(entry)
            } else {
                if result.ownResolver != nil { sets[key] = entries.count }
                entries.append([entry])
            }
        }
        var lines: [UInt8] = []
        for entry in entries { Self.append(entry, to: &lines) }
        return lines
    }

    private struct SetKey: Hashable {
        var round: Int32
        var timestamp: Int64
    }

    // MARK: Keys

    private static func append(_ entries: [Entry], to line: inout [UInt8]) {
        guard let first = entries.first?.result else { return }
        var object = JSONObjectText()
        object.add("fw", number: Int64(format))
        object.add("msm_id", number: first.measurement)
        if let group = first.group { object.add("group_id", number: group) }
        object.add("prb_id", number: first.probe)
        object.add("timestamp", number: first.timestamp)
        object.add("type", string: "dns")
        if first.ownResolver == nil {
            for entry in entries { add(entry, to: &object) }
        } else {
            let set = entries.map { entry in
                var element = JSONObjectText()
                element.add("time", number: entry.result.time)
                element.add("subid", number: entry.result.ownResolver)
                add(entry, to: &element)
                return element.bytes
            }
            object.add("resultset", value: [0x5b] + set.joined(separator: [0x2c]) + [0x5d])
        }
        line += object.bytes
        line.append(UInt8(ascii: "\n"))
    }

    private static func add(_ entry: Entry, to object: inout JSONObjectText) {
        let result = entry.result
        if let address = result.address {
            object.add("af", number: address.contains(":") ? 6 : 4)
            object.add("dst_addr", string: address)
        }
        if let host = result.host { object.add("dst_name", string: host) }
        if let port = result.port { object.add("dst_port", string: "\(port)") }
        object.add("proto", string: result.isTCP ? "TCP" : "UDP")
        if let answer = result.answer {
            var part = JSONObjectText()
            if let total = answer.total { part.add("rt", milliseconds: total) }
            if let query = answer.query { part.add("qt", milliseconds: query) }
            if let size = answer.size { part.add("size", number: size) }
            if let records = answer.records { part.add("ANCOUNT", number: records) }
            object.add("result", value: part.bytes)
        }
        if let failure = result.failure {
            var part = JSONObjectText()
            if let timeout = failure.timeout {
                part.add(failure.key, wholeMilliseconds: timeout)
            } else {
                part.add(failure.key, string: failure.reason)
            }
            object.add("error", value: part.bytes)
        }
        object.add(AtlasReader.ownKey, value: entry.own)
    }

    // MARK: Samples

    private func result(of sample: Sample) -> AtlasResult {
        let run = recording.runs[Int(recording.rounds[Int(sample.round)].run)]
        let target = recording.targets[Int(sample.target)]
        let observation = sample.observation
        let measurement = AtlasResult.measurement(ofRun: run.id)
        let isOwn = measurement != nil && AtlasResult.ownResolver(target.label) != nil
        var result = AtlasResult(
            measurement: measurement?.id,
            group: measurement?.group,
            probe: AtlasResult.number(in: run.vantage, after: "probe-"),
            timestamp: (isOwn ? sample.scheduled : sample.moment).wholeSeconds,
            time: sample.moment.wholeSeconds,
            ownResolver: isOwn ? AtlasResult.ownResolver(target.label) : nil
        )
        if let (address, port) = AtlasResult.place(of: target.endpoint) {
            (result.address, result.port) = (address, port)
        }
        if !isOwn, target.label != result.address { result.host = target.label }
        result.isTCP = target.transport.kind.map { [.tcp, .tls, .https].contains($0) } ?? false
        if observation.roundTrip != nil || observation.outcome.isResponse {
            result.answer = AtlasResult.Answer(observation, isTCP: result.isTCP)
        } else {
            result.failure = AtlasResult.Failure(
                observation,
                timeout: run.timeout,
                isTCP: result.isTCP
            )
        }
        return result
    }
}

extension AtlasResult {
    /// The numbers in ``run``.
    fileprivate static func measurement(ofRun id: String) -> (id: Int64, group: Int64?)? {
        let parts = id.split(separator: "-group-", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2,
            let measurement = number(in: String(first), after: "atlas-")
        else { return nil }
        guard parts.count == 2 else { return (measurement, nil) }
        return number(in: String(parts[1]), after: "").map { (measurement, $0) }
    }

    /// The number after `start` in a text; `nil` if the text is not the usual notation of a number.
    fileprivate static func number(in text: String, after start: String) -> Int64? {
        guard text.hasPrefix(start), let number = Int64(text.dropFirst(start.count)),
            "\(start)\(number)" == text
        else { return nil }
        return number
    }

    /// The number in ``label``.
    fileprivate static func ownResolver(_ label: String) -> Int64? {
        if label == "system" { return 1 }
        return number(in: label, after: "system-").flatMap { (2...1000).contains($0) ? $0 : nil }
    }

    /// The address and port of an endpoint; `nil` if one of them is missing.
    fileprivate static func place(of endpoint: String) -> (address: String, port: UInt16)? {
        guard let colon = endpoint.lastIndex(of: ":"),
            let port = UInt16(endpoint[endpoint.index(after: colon)...])
        else { return nil }
        let host = endpoint[..<colon]
        let address = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host)
        return IPAddress(address) == nil ? nil : (address, port)
    }
}

extension AtlasResult.Answer {
    fileprivate init(_ observation: Observation, isTCP: Bool) {
        let (extras, query) = (observation.extras, observation.roundTrip)
        records = observation.answers.map(Int64.init)
        size = observation.size.map(Int64.init)
        guard isTCP, let query, extras?.connect != nil || extras?.handshake != nil else {
            total = query
            return
        }
        self.query = query
        total = observation.time(in: .first).flatMap { $0 <= Observation.longestTime ? $0 : nil }
    }
}

extension AtlasResult.Failure {
    fileprivate init(_ observation: Observation, timeout: Duration, isTCP: Bool) {
        switch observation.outcome {
        case .timeout:
            self.init(key: "timeout", reason: "", timeout: timeout.nanoseconds)
        case .blocked: self.init(key: "TU_BAD_ADDR", reason: "blocked")
        case .offline: self.init(key: "nameserver", reason: "offline")
        default:
            let reason = observation.extras?.detail?.description ?? "unreachable"
            self.init(key: isTCP ? "TUCONNECT" : "socket", reason: reason)
        }
    }
}

extension SampleCells {
    /// A JSON object with the columns whose values differ in `told`.
    fileprivate func untold(by told: SampleCells) -> [UInt8] {
        var object = JSONObjectText()
        for column in SampleColumn.allCases where self[column] != told[column] {
            guard let cell = self[column] else {
                object.add(column.title, value: Array("null".utf8))
                continue
            }
            let isNumber = cell.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
            if isNumber, !column.isText {
                object.add(column.title, value: Array(cell))
            } else {
                object.add(column.title, string: String(decoding: cell, as: UTF8.self))
            }
        }
        return object.bytes
    }
}

/// A JSON object under construction.
private struct JSONObjectText {
    private var members: [UInt8] = []

    var bytes: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }

    mutating func add(_ key: String, value: [UInt8]) {
        if !members.isEmpty { members.append(UInt8(ascii: ",")) }
        members.append(jsonString: key)
        members.append(UInt8(ascii: ":"))
        members += value
    }

    mutating func add(_ key: String, number: Int64?) {
        add(key, value: Array((number.map(String.init) ?? "null").utf8))
    }

    mutating func add(_ key: String, milliseconds nanoseconds: Int64) {
        var value: [UInt8] = []
        value.append(milliseconds: nanoseconds)
        add(key, value: value)
    }

    /// Adds a time in milliseconds, without decimals if it is a whole number.
    mutating func add(_ key: String, wholeMilliseconds nanoseconds: Int64) {
        guard nanoseconds % 1_000_000 == 0 else { return add(key, milliseconds: nanoseconds) }
        add(key, number: nanoseconds / 1_000_000)
    }

    mutating func add(_ key: String, string: String) {
        var value: [UInt8] = []
        value.append(jsonString: string)
        add(key, value: value)
    }
}
