import Analysis
import Charts
import Samples
import Synchronization
import Testing

@testable import Reports

struct OnePassTests {
    /// A history of samples or of hourly sums. It records the windows that were read.
    private final class CountedHistory: SampleSource {
        let windows = Mutex<[Range<Timestamp>]>([])
        private let recording: Recording
        private let isSummed: Bool

        init(_ recording: Recording, isSummed: Bool) {
            (self.recording, self.isSummed) = (recording, isSummed)
        }

        func rounds(_ window: Range<Timestamp>) -> [RoundMoment] {
            var log = RoundLog()
            log.add(recording)
            return log.rounds.filter { window.contains($0.started) }
        }

        func read(
            _ window: Range<Timestamp>,
            by grain: HistoryGrain,
            samples: (Recording) throws -> Void,
            sum: (HourlySum) throws -> Void
        ) throws -> HistoryLimits {
            windows.withLock { $0.append(window) }
            if isSummed {
                for own in HistoryFixture.sums(of: recording) where window.contains(own.hour) {
                    try sum(own)
                }
            } else {
                var part = recording
                part.samples.removeAll { !window.contains($0.moment) }
                try samples(part)
            }
            return HistoryLimits()
        }

        func readSamples(
            _ window: Range<Timestamp>,
            _ body: @escaping (Recording) throws -> Void
        ) -> Range<Timestamp>? { nil }

        func causes(_ window: Range<Timestamp>) -> [EstablishedCause] { [] }
        func traces(_ window: Range<Timestamp>) -> [KeptTrace] { [] }
        func sites(_ window: Range<Timestamp>) -> [AnsweringSites] { [] }
        func advice(_ window: Range<Timestamp>) -> String { "" }
        func targets() -> [Recording.Target] { recording.targets }
        func everyLabel() -> [String] { recording.targets.map(\.label) }
        func vantages() -> Set<String> { Set(recording.runs.map(\.vantage)) }
        func limited(to labels: Set<String>) -> any SampleSource { self }
        func limited(toPlace vantage: String) -> any SampleSource { self }
    }

    @Test(arguments: [false, true], [false, true])
    func `report and charts read each window once`(isSummed: Bool, fromFirstRound: Bool) throws {
        let history = CountedHistory(try HistoryFixture.week(), isSummed: isSummed)
        // The window begins with a day without rounds.
        let context = HistoryFixture.context(rounds: 288..<672)
        let kinds: [ChartKind] = [.timeline, .heatmap, .distribution]
        func charts() -> WantedCharts { WantedCharts(kinds, fromFirstRound: fromFirstRound) }
        func drawn(_ timeline: HistoryTimeline) -> [String] {
            HistoryDrawing.all(kinds, of: timeline).map {
                $0.text(width: 100, height: 40, colour: false)
            }
        }
        let plain = HistoryReader(history, context)
        let report = TextFormat(width: 100).render(try plain.window(by: .resolver).document)
        let alone = drawn(try plain.timeline(of: charts()))
        history.windows.withLock { $0 = [] }

        let wanted = charts()
        let reader = HistoryReader(history, context, charts: wanted)
        let beside = TextFormat(width: 100).render(try reader.window(by: .resolver).document)
        #expect(drawn(try reader.timeline(of: wanted)) == alone)
        #expect(beside == report)
        // The second read covers the time before the charts, with which changes are compared.
        let lead = [context.lead.lowerBound, context.lead.upperBound].map {
            $0.advanced(by: fromFirstRound ? .seconds(86_400) : .zero)
        }
        #expect(history.windows.withLock { $0 } == [context.window, lead[0]..<lead[1]])
    }
}
