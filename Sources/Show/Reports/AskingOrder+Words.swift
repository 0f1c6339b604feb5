import Analysis
import Samples

extension AskingOrder {
    /// The maximum number of resolvers, or pairs of resolvers, that the notes name.
    private static let mostNamed = 3

    private static let longestAddress = 80

    /// Notes on resolvers that are asked in a fixed order, have the same address, or are asked
    /// twice.
    var notes: [Warning] {
        // Naming thousands of resolvers takes long.
        guard hasFindings else { return [] }
        let names = names.mapValues(EscapedText.terminal)
        func name(_ target: Recording.Target) -> String { names[target] ?? target.label }
        return turnNotes(name) + twinNotes(name) + repetitionNotes(name)
    }

    private func turnNotes(_ name: (Recording.Target) -> String) -> [Warning] {
        let leaders = turns.filter { 2 * $0.first > $0.rounds }
        // If one resolver is usually first, the other resolvers need no note.
        let told = leaders.isEmpty ? turns : leaders
        return told.prefix(Self.mostNamed).map { turn in
            return Warning(
                .askingOrder,
                "\(name(turn.target)) was asked first in \(turn.first) of "
                    + "\(turn.rounds.of("round", "rounds")).",
                "Ask in random order."
            )
        }
    }

    private func twinNotes(_ name: (Recording.Target) -> String) -> [Warning] {
        let told = twins.prefix(Self.mostNamed)
        return told.map { pair in
            let said = pair.targets.map(name)
            let address = EscapedText.terminal(pair.targets[0].endpoint)
                .truncatedInside(to: Self.longestAddress)
            var text = "\(said[0]) and \(said[1]) are one address (\(address))."
            if let difference = pair.difference, difference != 0 {
                let faster = difference > 0 ? 1 : 0
                let first = faster == 0 ? pair.first : pair.pairs - pair.first
                let size = LatencyFormat.rounded(difference.magnitude)
                let times = pair.pairs.of("time", "times")
                text +=
                    " \(said[faster]), asked first \(first) of \(times), is \(size) faster "
                    + "at the median."
            }
            return Warning(.oneAddress, text, "Omit one of them.")
        }
    }

    private func repetitionNotes(_ name: (Recording.Target) -> String) -> [Warning] {
        repetitions.prefix(Self.mostNamed).map { repetition in
            let difference = repetition.difference ?? 0
            let size = LatencyFormat.rounded(difference.magnitude)
            let second =
                difference == 0
                ? ""
                : "; the second answer is \(size) "
                    + "\(difference > 0 ? "faster" : "slower") at the median"
            return Warning(
                .askedTwice,
                "\(name(repetition.target)) was asked one name twice in a round, "
                    + "\(repetition.pairs.of("time", "times"))\(second).",
                "Give the second query a label of its own, or omit it."
            )
        }
    }
}
