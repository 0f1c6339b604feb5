import DNSWire
import Foundation
import FuzzJudge

/// A valid answer and its query.
struct ValidAnswer {
    let octets: [UInt8]
    private let query: Query

    /// Returns the valid answers in the files of `folder`.
    static func all(in folder: String) throws -> [ValidAnswer] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            return try ValidAnswer([UInt8](data))
        }
    }

    /// `nil` for a file of the corpus that contains no valid answer.
    private init?(_ octets: [UInt8]) throws {
        guard let inquiry = Inquiry(sent: octets) else { return nil }
        let question = inquiry.question
        var labels: [String] = []
        var place = 0
        while question[place] > 0 {
            let end = place + 1 + Int(question[place])
            labels.append(String(decoding: question[place + 1..<end], as: UTF8.self))
            place = end
        }
        let type = RecordType(rawValue: question.number(at: place + 1))
        guard let name = try? DomainName(labels.joined(separator: ".")), type.isQueryable
        else { return nil }
        self.octets = octets
        query = try Query(Question(name: name, type: type))
        guard case .response = query.read(octets.span, id: inquiry.id) else { return nil }
    }

    /// Whether the judge detects every possible false statement about this answer.
    var isJudged: Bool {
        let lies: [(inout Response) -> Void] = [
            { $0.id ^= 1 }, { $0.size += 1 }, { $0.truncated.toggle() }, { $0.answerCount += 1 },
            { $0.ttl = ($0.ttl ?? 0) + 1 }, { $0.addresses.append([192, 0, 2, 1]) },
            { $0.code = ResponseCode(rawValue: $0.code.rawValue ^ 1) },
            { $0.changesCase.toggle() },
        ]
        guard let inquiry = Inquiry(sent: octets),
            case .response(let response) = query.read(octets.span, id: inquiry.id)
        else { return false }
        // The judge makes no statement about records that were cut off.
        guard !response.truncated else { return true }
        return lies.allSatisfy { lie in
            var response = response
            lie(&response)
            return Claim(response).lie(about: octets, to: inquiry) != nil
        }
    }

    /// Returns a query with a random ID and letter case, and this answer to it.
    func sending(using random: inout SplitMix64) -> Sending {
        let id = UInt16(truncatingIfNeeded: random.next())
        let caseBits = random.below(2) == 0 ? 0 : random.next()
        let sent = query.bytes(id: id, caseBits: caseBits)
        guard let inquiry = Inquiry(sent: sent) else { AnswerFuzz.fail("a query is broken") }
        let front = Array(sent[0..<2]) + octets[2..<12] + inquiry.question
        let answer = front + octets[front.count...]
        let sending = Sending(
            query: query,
            id: id,
            caseBits: caseBits,
            inquiry: inquiry,
            answer: answer
        )
        guard case .response(let response) = sending.read(answer),
            Claim(response).lie(about: answer, to: inquiry) == nil
        else { AnswerFuzz.fail("a valid answer is refused") }
        return sending
    }
}

/// A query that was sent, and a valid answer to it.
struct Sending {
    let query: Query
    let id: UInt16
    let caseBits: UInt64
    let inquiry: Inquiry
    let answer: [UInt8]

    func read(_ message: [UInt8]) -> Reading {
        query.read(message.span, id: id, caseBits: caseBits)
    }
}
