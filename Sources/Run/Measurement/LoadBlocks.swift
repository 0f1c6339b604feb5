package import Samples
import Statistics

/// Rounds of a plan under load. Each has a block for every state of the line, in random order. A block asks
/// every question, in the same order as the other blocks of the round.
extension Plan {
    /// The usual time in seconds until a line is loaded, or idle again.
    static let stateSeconds = 4.0

    /// The blocks of a round, each with the series of its targets.
    package func blocks(inRound round: Int) -> [(series: Series, part: RoundPart)] {
        let series = targets.map(\.series).uniqued
        var order = Array(series.indices)
        // Not the numbers that shuffle the questions.
        var random = RandomSequence(seed: ~seed, part: round)
        random.shuffle(&order)
        return order.map { index in
            let members = targets.indices.filter { targets[$0].series == series[index] }
            let part = RoundPart(targets: members, questions: Array(questions.indices))
            return (series[index], part)
        }
    }

    /// The time from the first to the last query of a block.
    package func length(ofBlock part: RoundPart) -> Duration {
        blockLength(of: part.targets) * part.questions.count
    }
}
