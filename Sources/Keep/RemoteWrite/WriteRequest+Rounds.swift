import Reports

extension WriteRequest {
    /// A request with the figures of rounds, which are in the order of their start.
    ///
    /// A counter and a histogram stand at nothing a millisecond before each round: what they grow by is
    /// then what the round counted, and `increase` has the first round too.
    init(_ rounds: some Collection<RoundFigures>) {
        var places: [SeriesName: Int] = [:]
        func change(_ name: SeriesName, _ change: (inout TimeSeries) -> Void) {
            let place = places[name] ?? timeseries.count
            if place == timeseries.count {
                places[name] = place
                timeseries.append(TimeSeries(labels: name.labels))
            }
            change(&timeseries[place])
        }
        for round in rounds {
            for (name, value) in round.gauges {
                change(name) { $0.samples.append(.init(value: value, timestamp: round.time)) }
            }
            for (name, count) in round.counters {
                change(name) { series in
                    series.samples.append(.init(value: 0, timestamp: round.time - 1))
                    series.samples.append(.init(value: Double(count), timestamp: round.time))
                }
            }
            for (name, durations) in round.durations {
                change(name) { series in
                    series.histograms.append(NativeHistogram().message(at: round.time - 1))
                    series.histograms.append(durations.message(at: round.time))
                }
            }
        }
        metadata = [
            .lastQuery, .queries, .failedResponses, .unverifiedAnswers, .queryDuration,
        ].map(MetricMetadata.init(_:))
    }
}

extension MetricMetadata {
    fileprivate init(_ family: MetricFamily) {
        let kind: Kind =
            switch family.kind {
            case .counter: .counter
            case .gauge: .gauge
            case .histogram: .histogram
            }
        self.init(kind: kind, family: family.name, help: family.help)
    }
}
