/// One resolver's times for one name, thinned to what the pixels of a plot can show.
struct RoundTrace: Hashable {
    /// A time in milliseconds and the round that it stands in.
    struct Vertex: Hashable {
        let round: Double
        let milliseconds: Double
    }

    /// Unbroken stretches of answers; between them a round had none, or was not asked.
    let runs: [[Vertex]]
    /// The rounds without an answer.
    let losses: [Double]
    let asked: Int

    /// Thins `points` to at most the smallest and the largest time of each of `columns` equal
    /// parts of `rounds`, in the order in which they came: no extreme is lost.
    init(_ points: [RoundPoint], rounds: Axis, columns: Int) {
        let ordered = points.sorted { $0.round < $1.round }
        let sound = ordered.map { ($0, time: $0.milliseconds.flatMap { $0.isFinite ? $0 : nil }) }
        asked = points.count
        losses = sound.filter { $0.time == nil }.map { Double($0.0.round) }
        let vertices = sound.map { point, time in
            (
                round: Double(point.round),
                vertex: time.map {
                    Vertex(round: Double(point.round), milliseconds: max(0, $0))
                }
            )
        }
        let columns = max(columns, 1)
        if points.count <= 2 * columns {
            runs = Self.unbroken(vertices.map { ($0.round, $0.vertex.map { [$0] } ?? []) })
            return
        }
        var parts = [[Vertex]](repeating: [], count: columns)
        for case (let round, let vertex?) in vertices {
            parts[min(Int(rounds.position(round) * Double(columns)), columns - 1)].append(vertex)
        }
        runs = Self.unbroken(parts.enumerated().map { (Double($0), Self.extremes($1)) })
    }

    /// Joins steps that follow each other; an empty one, or one that is missing, ends a run.
    private static func unbroken(_ steps: [(place: Double, vertices: [Vertex])]) -> [[Vertex]] {
        var runs: [[Vertex]] = []
        var last = -Double.infinity
        for step in steps where !step.vertices.isEmpty {
            if step.place - last <= 1, !runs.isEmpty {
                runs[runs.count - 1] += step.vertices
            } else {
                runs.append(step.vertices)
            }
            last = step.place
        }
        return runs
    }

    private static func extremes(_ vertices: [Vertex]) -> [Vertex] {
        let smallest = vertices.indices.min {
            vertices[$0].milliseconds < vertices[$1].milliseconds
        }
        let largest = vertices.indices.max { vertices[$0].milliseconds < vertices[$1].milliseconds }
        guard let smallest, let largest else { return [] }
        return smallest == largest
            ? [vertices[smallest]]
            : [vertices[min(smallest, largest)], vertices[max(smallest, largest)]]
    }
}
