import DNSWire
import Foundation
import FuzzJudge

/// Reads many mutated answers for Scripts/fuzz. No answer may end the program. The judge must find
/// no false statement about an accepted answer. The memory use must stay constant.
///
///     AnswerFuzz COUNT SEED CORPUS CRASH-FILE
@main
enum AnswerFuzz {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[1]), let seed = UInt64(arguments[2])
        else { fail("usage: AnswerFuzz COUNT SEED CORPUS CRASH-FILE") }
        let answers = try ValidAnswer.all(in: arguments[3])
        guard answers.count > 1 else { fail("no answers in '\(arguments[3])'") }
        guard answers.allSatisfy(\.isJudged) else { fail("the judge believes a lie") }
        CrashFile.keep(arguments[4])
        var run = Run(answers: answers, random: SplitMix64(seed: seed))
        let began = ContinuousClock.now
        // The first part includes all memory that is allocated only once.
        run.take(count / 100)
        let memory = residentBytes()
        for part in 2...100 {
            run.take(count * part / 100 - run.taken)
            if part % 10 == 0 { report(run, since: began, memory) }
        }
        guard residentBytes() - memory <= 1 << 20 else { fail("memory is not flat") }
    }

    private static func report(_ run: Run, since began: ContinuousClock.Instant, _ memory: Int) {
        let seconds = max(1, (ContinuousClock.now - began).components.seconds)
        let mebi = { (octets: Int) in String(format: "%.1f", Double(octets) / 1_048_576) }
        let line =
            "\(run.taken) mutated answers, \(run.taken / Int(seconds)) per second: "
            + "\(run.accepted) accepted, \(run.malformed) malformed, \(run.strays) strays, 0 lies; "
            + "memory \(mebi(memory)) MiB at the beginning, \(mebi(residentBytes())) MiB now\n"
        FileHandle.standardOutput.write(Data(line.utf8))
    }

    static func fail(_ words: String) -> Never {
        FileHandle.standardError.write(Data("AnswerFuzz: \(words)\n".utf8))
        exit(1)
    }

    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}

/// A run over mutated answers, with counts of their readings.
private struct Run {
    let answers: [ValidAnswer]
    var random: SplitMix64
    private(set) var taken = 0
    private(set) var accepted = 0
    private(set) var malformed = 0
    private(set) var strays = 0
    private var message: [UInt8] = []

    init(answers: [ValidAnswer], random: SplitMix64) {
        self.answers = answers
        self.random = random
    }

    mutating func take(_ count: Int) {
        let end = taken + count
        while taken < end {
            // Each sent query has its own ID and letter case, and receives several answers.
            let sending = answers[random.below(answers.count)].sending(using: &random)
            for _ in 0..<min(64, end - taken) { take(sending) }
        }
    }

    private mutating func take(_ sending: Sending) {
        message.removeAll(keepingCapacity: true)
        message += sending.answer
        message.mutate(using: &random, with: answers[random.below(answers.count)].octets)
        taken += 1
        switch CrashFile.lending(message, { sending.read(message) }) {
        case .stray: strays += 1
        case .malformed: malformed += 1
        case .response(let response):
            accepted += 1
            guard let lie = Claim(response).lie(about: message, to: sending.inquiry) else { return }
            CrashFile.write(message)
            AnswerFuzz.fail("a lie was accepted: \(lie)")
        }
    }
}
