package import Samples
import Statistics

extension SeriesEvidenceBuilder {
    /// Takes the times to content of a whole round, of queries that tell where their answers led.
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
    /// With the `contents` of the candidates, in their order.
    func leading(_ contents: [ContentComparison?]) -> [SeriesEvidence.Candidate] {
        zip(self, contents).map { candidate, content in
            var candidate = candidate
            candidate.content = content
            return candidate
        }
    }
}

extension EvidenceBuilder {
    /// Where the answers lead will be known, so that nobody is recommended before that.
    package mutating func awaitContent() {
        for index in builders.indices where builders[index].series == .cached {
            builders[index].content.awaited = Set(builders[index].candidates.indices)
            builders[index].takeContents()
        }
        takeContents()
    }

    /// Takes where the answers of a round led, which was taken before; `tried` are the targets whose
    /// answers were followed, if they led anywhere.
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

    /// Nobody finds out any more where the answers lead.
    package mutating func endContent() {
        for index in builders.indices {
            builders[index].content.isComplete = true
            builders[index].takeContents()
        }
        takeContents()
    }

    /// Has the whole take what is known of the cached series.
    mutating func takeContents() {
        guard let cached = builders.first(where: { $0.series == .cached }) else { return }
        whole?.take(contents: cached.candidates.indices.map { cached.content.progress(of: $0) })
    }
}
