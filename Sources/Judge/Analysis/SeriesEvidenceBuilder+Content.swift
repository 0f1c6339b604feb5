package import Samples
import Statistics

extension SeriesEvidenceBuilder {
    /// Adds the times to content of a whole round, from queries with a connection to their answer.
    mutating func addContent(_ queries: [RoundQuery]) {
        guard let baseline, queries.contains(where: { $0.edge != nil }) else { return }
        let columns = columns(of: queries)
        let nothing = [QueryOutcome](repeating: .missing, count: columns.count)
        let nowhere = [Double?](repeating: nil, count: columns.count)
        var outcomes = [[QueryOutcome]](repeating: nothing, count: members.count)
        var connections = [[Double?]](repeating: nowhere, count: members.count)
        for query in queries {
            guard let member = places[query.target], let column = columns[query.question]
            else { continue }
            outcomes[member][column] = query.outcome
            connections[member][column] = query.edge
        }
        content.add(
            candidates.map { candidate in
                ContentRound(
                    baseline: outcomes[baseline],
                    candidate: outcomes[candidate],
                    connections: Array(zip(connections[baseline], connections[candidate]))
                )
            }
        )
        takeContents()
    }

    mutating func takeContents() {
        process.take(contents: candidates.indices.map { content.progress(of: $0) })
    }
}

extension [SeriesEvidence.Candidate] {
    /// Returns the candidates with their `contents`, which are in the same order.
    func leading(_ contents: [ContentComparison?]) -> [SeriesEvidence.Candidate] {
        zip(self, contents).map { candidate, content in
            var candidate = candidate
            candidate.content = content
            return candidate
        }
    }
}

extension EvidenceBuilder {
    /// Announces that connections to the answers will be measured, so that no resolver is recommended before
    /// that.
    package mutating func awaitContent() {
        for index in builders.indices where builders[index].series == .cached {
            builders[index].content.awaited = Set(builders[index].candidates.indices)
            builders[index].takeContents()
        }
        takeContents()
    }

    /// Adds the connections to the answers of a round that was added before. `tried` contains the targets
    /// whose answers were tried, with or without an address to connect to.
    package mutating func addContent(_ samples: CountedSamples, tried: Set<Int>) {
        let queries = queries(samples)
        for index in builders.indices where builders[index].series == .cached {
            let builder = builders[index]
            builders[index].addContent(queries)
            for candidate in builder.candidates.indices
            where tried.contains(builder.members[builder.candidates[candidate]]) {
                builders[index].content.awaited.remove(candidate)
            }
            builders[index].takeContents()
        }
        takeContents()
    }

    /// Declares that no more connections will be measured.
    package mutating func endContent() {
        for index in builders.indices {
            builders[index].content.isComplete = true
            builders[index].takeContents()
        }
        takeContents()
    }

    /// Passes the progress of the cached series to the whole.
    mutating func takeContents() {
        guard let cached = builders.first(where: { $0.series == .cached }) else { return }
        whole?.take(contents: cached.candidates.indices.map { cached.content.progress(of: $0) })
    }
}
