import Statistics
import Testing

@testable import Charts

/// The texts of the charts, apart from their positions.
struct SheetTests {
    private func texts(_ kind: ChartKind, _ subjects: [ChartSubject]) throws -> [String] {
        let sheet = Sheet(title: "Finding", charts: [Chart(kind, of: subjects)])
        return try #require(ParsedDrawing(sheet.svg())).all("text").map(\.text)
    }

    @Test func `bars show the used and recommended resolvers and the losses`() throws {
        let texts = try texts(.bars, .lab())
        #expect(texts.contains("current resolver") && texts.contains("recommended"))
        #expect(texts.contains("> 5 s") && texts.contains("6.5 %"))
        #expect(texts.contains("query time (ms)"))
    }

    @Test func `a count of one uses the singular`() {
        #expect(FigureText.failures(0, of: 1) == "failed 0.0 % of 1 query")
        #expect(FigureText.omission(1) == ["1 more resolver is not drawn."])
        #expect(FigureText.omission(0).isEmpty)
    }

    @Test(arguments: [(answered: 0, words: "no usable answer"), (4, "few answers in time")])
    func `a resolver without quantiles has no dot`(answered: Int, words: String) throws {
        let times = [Double](repeating: 1, count: answered)
        let summary = LatencySummary(answers: times, nonAnswers: 100 - answered, timeout: 5000)
        let mute = ChartSubject(label: "mute", summary: summary, answers: AnswerTimes(times))
        let sheet = Sheet(title: "Finding", charts: [Chart(.bars, of: [mute])])
        let drawing = try #require(ParsedDrawing(sheet.svg()))
        #expect(drawing.all("circle").isEmpty)
        #expect(drawing.all("text").map(\.text).contains(words))
    }

    @Test func `a lossy resolver's curve ends below the top with a reason`() throws {
        let lossy = SimulatedResolver(label: "cliff", base: 10, jitter: 3, loss: 0.5)
            .subject(rounds: 400, names: ["a.example"], seed: 5)
        let line = DistributionLine(subject: lossy, style: SeriesStyle(index: 0))
        #expect(line.finalShare > 40 && line.finalShare < 60)
        let share = FigureText.share(lossy.summary.failed, of: 400)
        let texts = try texts(.distribution, [lossy])
        #expect(texts.contains("cliff – failed \(share)"))
    }

    @Test func `a silent resolver's curve stays at the bottom with a label`() throws {
        let silent = SimulatedResolver(label: "silent", base: 1, jitter: 1, loss: 1)
            .subject(rounds: 9, names: ["a.example"], seed: 1)
        let line = DistributionLine(subject: silent, style: SeriesStyle(index: 0))
        #expect(line.finalShare == 0 && line.label(tellsLoss: false) == "silent – no answer")
        let axis = Axis(lower: 0, upper: 100, ticks: [0, 100])
        let frame = Rect(x: 0, y: 0, width: 100, height: 100)
        let plot = Plot(frame: frame, horizontal: axis, vertical: axis)
        #expect(line.curve(on: plot).element.contains(#"d="M0 100H100""#))
        #expect(line.lossGap(on: plot, rank: 0).isEmpty)
        let texts = try texts(.distribution, [[ChartSubject].lab()[0], silent])
        #expect(texts.contains("silent – no answer"))
        #expect(!texts.contains { $0.contains("Bracket") })
    }

    @Test func `the curve of a resolver without losses ends at the top`() {
        let line = DistributionLine(subject: [ChartSubject].lab()[0], style: nil)
        #expect(line.finalShare == 100 && line.label() == "meadow")
    }

    @Test func `a sketch's curve equals the curve of its answers`() throws {
        let exact = SimulatedResolver(label: "cliff", base: 10, jitter: 3, loss: 0.2)
            .subject(rounds: 400, names: ["a.example"], seed: 5)
        var summed = exact
        summed.answers = []
        for time in exact.answers { summed.sketch.insert(time) }
        let line = DistributionLine(subject: summed, style: nil)
        let whole = DistributionLine(subject: exact, style: nil)
        #expect(line.finalShare == whole.finalShare && line.label() == whole.label())
        var count = 0
        for rise in line.rises {
            count += rise.count
            #expect(rise.upper / rise.lower < 1.021)
            #expect(exact.answers.count { $0 <= rise.upper * (1 + 1e-9) } == count)
        }
        #expect(count == exact.answers.count)
    }

    @Test func `the notes mention omitted items`() throws {
        let crowd = [ChartSubject].crowd(40, rounds: 2, names: 20)
        let curves = try texts(.distribution, crowd)
        #expect(curves.contains("28 more in grey, without labels."))
        let rounds = try texts(.rounds, crowd)
        #expect(rounds.contains { $0.hasPrefix("10 of 20 names; not drawn: name-11.example") })
        #expect(rounds.contains { $0.hasSuffix("name-15.example and 5 more.") })
        #expect(rounds.contains("28 more resolvers are not drawn."))
        #expect(!rounds.contains("name-11.example"))
    }

    @Test func `months of rounds fit into a small file`() throws {
        let svg = Sheet(title: "Finding", of: .lab(rounds: 2500, names: 20)).svg()
        #expect(svg.utf8.count < 500_000)
        #expect(svg.contains("band: minimum to maximum"))
    }

    @Test func `a note identifies a logarithmic axis`() throws {
        var slow = SimulatedResolver(label: "slow", base: 2000, jitter: 900)
            .subject(rounds: 10, names: ["name-1.example"], seed: 3)
        slow.role = .current
        let subjects = [ChartSubject].lab(rounds: 10, names: 1) + [slow]
        for kind in ChartKind.ofQueries {
            let texts = try texts(kind, subjects)
            #expect(texts.contains { $0.contains("logarithmic axis") })
        }
    }
}
