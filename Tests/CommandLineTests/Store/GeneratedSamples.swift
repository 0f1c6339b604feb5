/// A samples file of one run. It has one round per minute, each with forty queries to four resolvers.
struct GeneratedSamples {
    static let queries = 40

    var run: String
    var rounds: Int
    /// The day in October 2026 on which the first round begins, 1 to 25.
    var day = 1
    /// The minute of the day at which the first round begins.
    var minute = 0

    /// The text of the CSV file.
    var text: String {
        var lines = [
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,name,type,outcome,rtt_ms,"
                + "timeout_ms"
        ]
        for round in 1...rounds {
            for query in 0..<Self.queries { lines.append(row(round, query)) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ round: Int, _ query: Int) -> String {
        let minutes = minute + round - 1
        let fraction = (round * 7919 + query * 104_729) % 1_000_000
        let time =
            "2026-10-\(padded(day + minutes / 1440))T\(padded(minutes / 60 % 24)):"
            + "\(padded(minutes % 60)):\(padded(query)).\(padded(fraction, to: 6))Z"
        return "\(run),\(round),\(time),\(time),here,r\(query % 4),127.0.0.\(query % 4 + 1):53,udp,"
            + "n\(query / 4).example.com,A,answered,\((round * 31 + query * 17) % 50 + 5).25,5000"
    }

    private func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
