/// A remote-write request, as the receiver decoded it.
struct WriteRequest: Decodable {
    struct Histogram: Decodable, Hashable {
        var count: Double
        var sum: Double
        var schema: Int
        var time: Double
        var buckets: [String: Int]
    }

    struct Series: Decodable {
        var labels: [String: String]
        var samples: [[Double]]
        var histograms: [Histogram]
    }

    var path: String
    var head: [String: String]
    var metrics: [String]
    var series: [Series]

    /// The times of the request's rounds, in the order of the request.
    var times: [Double] {
        let last = series.first { $0.labels["__name__"] == "dnstempo_last_query_timestamp_seconds" }
        return last?.samples.map { $0[0] } ?? []
    }

    var rounds: Int { times.count }

    /// All samples and histograms, each with the labels of its series.
    var points: Set<[AnyHashable]> {
        Set(
            series.flatMap { series in
                series.samples.map { [series.labels, $0] }
                    + series.histograms.map { [series.labels, $0] }
            }
        )
    }
}
