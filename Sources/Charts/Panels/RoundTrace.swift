/// One resolver's times for one name, thinned to what the pixels of a plot can show.
struct RoundTrace: Hashable {
    /// The times in one place of the line, in milliseconds: one round, or several that share it.
    struct Vertex: Hashable {
        let round: Double
        let lowest: Double
        let middle: Double
        let highest: Double
    }

    /// Unbroken stretches of answers; between them a round had none, or was not asked.
    let runs: [[Vertex]]
    /// The rounds without an answer.
    let losses: [Double]
    let asked: Int
    /// Whether rounds share places: then a vertex is their median with their extremes.
    let isThinned: Bool

    /// Draws each of `points` where there are at most twice as many as `columns`; else puts those
    /// of each of `columns` equal parts of `rounds` into one place.
    init(_ points: [RoundPoint], rounds: Axis, columns: Int) {
        let columns = max(columns, 1)
        var losses: [Double] = []
        var answers: [(round: Double, time: Double)] = []
        for point in points.sorted(by: { $0.round < $1.round }) {
            if let time = point.milliseconds, time.isFinite {
                answers.append((Double(point.round), max(0, time)))
            } else {
                losses.append(Double(point.round))
            }
        }
        self.losses = losses
        asked = points.count
        isThinned = points.count > 2 * columns
        guard isThinned else {
            runs = Self.unbroken(answers.map { ($0.round, Self.vertex([$0])) })
            return
        }
        var parts = [[(round: Double, time: Double)]](repeating: [], count: columns)
        for answer in answers {
            let part = Int(rounds.position(answer.round) * Double(columns))
            parts[min(part, columns - 1)].append(answer)
        }
        runs = Self.unbroken(parts.enumerated().map { (Double($0), Self.vertex($1)) })
    }

    /// Joins places that follow each other; an empty one, or one that is missing, ends a run.
    private static func unbroken(_ steps: [(place: Double, vertex: Vertex?)]) -> [[Vertex]] {
        var runs: [[Vertex]] = []
        var last = -Double.infinity
        for case (let place, let vertex?) in steps {
            if place - last <= 1, !runs.isEmpty {
                runs[runs.count - 1].append(vertex)
            } else {
                runs.append([vertex])
            }
            last = place
        }
        return runs
    }

    private static func vertex(_ answers: [(round: Double, time: Double)]) -> Vertex? {
        let times = answers.map(\.time).sorted()
        guard let lowest = times.first, let highest = times.last else { return nil }
        return Vertex(
            round: answers[answers.count / 2].round,
            lowest: lowest,
            middle: times[(times.count - 1) / 2],
            highest: highest
        )
    }
}
