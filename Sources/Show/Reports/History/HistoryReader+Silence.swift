import Analysis
import Samples

extension HistoryReader {
    /// The rounds around those without an answer, from the samples of a few hours of the window.
    func silent(in hours: HistoryHours) throws -> SilentRounds {
        var rounds = SilentRounds()
        for span in hours.silentHours(in: context.window) {
            try source.readSamples(span) { rounds.add(CountedSamples(of: $0)) }
        }
        return rounds
    }
}
