import Reports

extension PrometheusWriteRequest {
    /// What rounds say, which are in the order of their start.
    ///
    /// A counter and a histogram stand at nothing a millisecond before each round: what they grow by is
    /// then what the round counted, and `increase` has the first round too.
    init(_ rounds: some Collection<RoundFigures>) {
        var places: [SeriesName: Int] = [:]
        func change(_ name: SeriesName, _ change: (inout PrometheusTimeSeries) -> Void) {
            let place = places[name] ?? timeseries.count
            if place == timeseries.count {
                places[name] = place
                timeseries.append(name.message)
            }
            change(&timeseries[place])
        }
        for round in rounds {
            for (name, value) in round.gauges {
                change(name) { $0.samples.append(PrometheusSample(value, at: round.time)) }
            }
            for (name, count) in round.counters {
                change(name) { series in
                    series.samples.append(PrometheusSample(0, at: round.time - 1))
                    series.samples.append(PrometheusSample(Double(count), at: round.time))
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
        ].map(PrometheusMetricMetadata.init(_:))
    }
}

extension PrometheusSample {
    fileprivate init(_ value: Double, at time: Int64) {
        self.init()
        (self.value, timestamp) = (value, time)
    }
}

extension PrometheusMetricMetadata {
    fileprivate init(_ family: MetricFamily) {
        self.init()
        metricFamilyName = family.name
        help = family.help
        type =
            switch family.kind {
            case .counter: .counter
            case .gauge: .gauge
            case .histogram: .histogram
            }
    }
}
