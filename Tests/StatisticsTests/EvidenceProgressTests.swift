import Statistics
import Testing

/// The progress of a comparison while rounds continue.
struct EvidenceProgressTests {
    private static let faster = [8, 9, 7.5, 8.25, 30, -4, 8.5, 9.5, 6, 7]

    @Test func `the share reaches one with the verdict and not before`() throws {
        var process = ComparisonProcess(candidates: 1)
        var shares: [Double] = []
        while !process.isDecided {
            let progress = try #require(process.progress.first)
            #expect(progress.verdict == nil && progress.reason == nil)
            shares.append(progress.share)
            process.add([PairedRound(Self.faster)])
        }
        #expect(shares.first == 0 && shares == shares.sorted())
        #expect(shares.allSatisfy { $0 < 1 } && shares.last ?? 0 > 0.5)
        let decided = EvidenceProgress(verdict: .switch, reason: .faster, share: 1)
        #expect(process.progress == [decided])
    }

    @Test func `the minimum number of rounds limits the share`() throws {
        var process = ComparisonProcess(candidates: 1, rules: ComparisonRules(alpha: 0.9))
        for _ in 0..<3 { process.add([PairedRound(Self.faster)]) }
        #expect(process.progress.first?.share == 3.0 / 7)
    }

    @Test func `a decided candidate lowers the evidence that others require`() throws {
        let slow = [Double](repeating: -20, count: 10)
        let even = [4.0, 6]
        var process = ComparisonProcess(candidates: 2)
        var alone = ComparisonProcess(candidates: 2)
        for _ in 0..<9 {
            process.add([PairedRound(slow), PairedRound(Self.faster)])
            alone.add([PairedRound(even), PairedRound(Self.faster)])
        }
        #expect(process.progress.map(\.verdict) == [.keep, .switch])
        let less = try #require(alone.progress.last?.share)
        #expect(less < 1)
    }

    @Test func `the objection to a switch is reported`() throws {
        var process = ComparisonProcess(candidates: 1)
        for _ in 0..<9 { process.add([PairedRound(Self.faster)]) }
        for _ in 0..<2 {
            process.add([PairedRound(Array(Self.faster.dropLast()) + [-.infinity])])
        }
        #expect(process.progress == [EvidenceProgress(reason: .reliability, share: 1)])
    }
}
