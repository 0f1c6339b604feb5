import Catalogue
import DNSWire

/// The content of the messages that a result contains: `qbuf` (query) and `abuf` (answer).
struct AtlasMessage {
    private(set) var question: Question?
    /// The answer; `nil` if the result does not contain it.
    private(set) var reading: Reading?

    init(_ entry: AtlasKeys) throws(SamplesError) {
        if let query = try entry.message("qbuf") { question = Question(of: query) }
        guard let result = entry.object("result"), let message = try result.message("abuf") else {
            return
        }
        let reading = Reading(recorded: message)
        let answered = Question(of: message)
        // A probe checks only the ID.
        let isOther = question != nil && answered != nil && question != answered
        self.reading = isOther ? .malformed("has another question") : reading
        question = question ?? answered
    }

    /// Sets the cells of a row from the messages.
    func fill(_ cells: inout SampleCells) {
        if let question {
            cells.set(.name, to: question.name.description)
            cells.set(.type, to: question.type.description)
        }
        switch reading {
        case .response(let response)?:
            cells.set(.outcome, to: response.outcome.description)
            cells.set(.responseCode, to: response.code.description)
            cells.set(.ttl, to: response.ttl.map { "\($0)" })
            cells.set(.answers, to: "\(UInt16(clamping: response.answerCount))")
            cells.set(.size, to: "\(response.size)")
            if let site = response.nsid, !site.isEmpty {
                cells.set(.site, to: PresentationText.escaped(site))
            }
            let errors = response.extendedErrors.map { "\($0.infoCode)" }
            if !errors.isEmpty { cells.set(.extendedErrors, to: errors.joined(separator: " ")) }
        case .malformed?, .stray?: cells.set(.outcome, to: Outcome.malformed.description)
        case nil: break
        }
    }

    /// The cause of a failure, according to the messages.
    var cause: FailureCause? {
        // A truncated answer has no cause of failure: the probe did not query again over TCP.
        if case .response(let response) = reading, response.truncated { return nil }
        return reading?.cause
    }

    /// The flags from the messages.
    var flags: SampleFlags {
        guard case .response(let response) = reading, response.hasTrailingBytes else { return [] }
        return .trailingBytes
    }

    /// The facts that no column contains, in words.
    var remarks: [String] {
        var remarks: [String] = []
        switch reading {
        case .response(let response)?: if response.truncated { remarks.append("truncated") }
        case .malformed(let reason)?: remarks.append("the response \(reason)")
        case .stray?: remarks.append("the message is no response")
        case nil: break
        }
        if let number = question?.recordClass.rawValue, number != RecordClass.internet.rawValue {
            remarks.append(question?.recordClass == .chaos ? "class CH" : "class \(number)")
        }
        return remarks
    }
}

extension AtlasResult {
    /// The facts about the result that no column contains, in words.
    func detail(of message: AtlasMessage, firmware: String?) -> String {
        var parts: [String] = []
        if answer == nil, let failure {
            let words = [failure.key, failure.reason].filter { !$0.isEmpty }.joined(separator: ": ")
            if failure.timeout == nil {
                parts.append(words.cut(toCharacters: Observation.Extras.longestReason))
            }
            if let timeout = failure.timeout, timeout != Self.usualTimeout {
                parts.append("timed out after \(DurationText.format(.nanoseconds(timeout)))")
            }
        }
        parts += message.remarks
        if answer != nil, message.reading == nil { parts.append("response code not kept") }
        if isTCP, answer?.total != nil {
            parts.append(
                connect == nil
                    ? "rtt_ms includes opening the connection"
                    : transport == .tcp ? "" : "connect_ms includes the handshake"
            )
        }
        if let retries, retries > 0 { parts.append("retried, last of \(retries + 1) tries") }
        let probe = firmware.map { "RIPE Atlas probe, firmware \($0)" } ?? "RIPE Atlas probe"
        parts.append("\(probe); sent to the second")
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

extension Response {
    /// The outcome of the response. NOERROR and NXDOMAIN answer the question, unless the response marks the
    /// name as blocked. Any other code is a failure.
    package var outcome: Outcome {
        if isFiltered { return .filtered }
        return [.noError, .nxDomain].contains(code) ? .answered : .failed
    }
}
