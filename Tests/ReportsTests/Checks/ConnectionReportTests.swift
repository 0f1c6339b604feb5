import Catalogue
import DNSWire
import Fixtures
import Reports
import Samples
import Statistics
import Testing

@Suite struct ConnectionReportTests {
    private static func reading(
        _ label: String,
        _ transport: Recording.Transport,
        _ change: (inout ConnectionReading) -> Void
    ) -> ConnectionReading {
        let target = Recording.Target(
            label: label,
            endpoint: "192.0.2.53:53",
            transport: transport,
            series: .cached
        )
        var reading = ConnectionReading(target, upTo: 300)
        reading.openings[.new] = [40, 41, 42, 43, 44, 48]
        (reading.connections, reading.queries) = (7, 18)
        change(&reading)
        return reading
    }

    private static var readings: [ConnectionReading] {
        [
            reading("harbour", "tcp") { $0.idle.note(gap: 300.2, isKept: true) },
            reading("harbour", "tls") {
                $0.idle.note(endAfter: 13)
                ($0.signal, $0.statedTimeout, $0.order) = (.fin, 30, .outOfOrder)
                ($0.givesTickets, $0.acceptsEarlyData) = (true, false)
                $0.openings[.resumed] = [30, 31, 32, 33, 34, 35]
            },
            reading("brook", "h3") {
                $0.idle.note(gap: 300, isKept: false)
                for gap in [46.8, 20, 12] { $0.idle.note(gap: gap, isKept: gap < 15) }
                $0.idle.note(gap: 13, isKept: false)
                ($0.signal, $0.statedTimeout, $0.order) = (.silence, 600, .inOrder)
                ($0.givesTickets, $0.acceptsEarlyData) = (true, true)
                $0.openings[.early] = [0, 0, 0]
            },
            reading("cliff", "quic") {
                $0.openings = [:]
                $0.failure = Detail("no answer")
            },
        ]
    }

    private func report(
        _ readings: [ConnectionReading],
        hasPattern: Bool = false
    ) throws -> ConnectionReport {
        let list = "time,name\n0,a.example\n10,b.example\n30,a.example\n600,A.example\n"
        let pattern = try QueryPattern(list: Array(list.utf8), file: "p.csv")
        return ConnectionReport(
            readings,
            for: [.rate(20), .rate(600)] + (hasPattern ? [.pattern(pattern)] : []),
            upTo: .seconds(300),
            context: CheckContext(
                started: try #require(Timestamp("2026-11-28T10:00:00Z")),
                finished: try #require(Timestamp("2026-11-28T10:06:00Z")),
                toolVersion: "0.1.0",
                command: "dnstempo connections harbour brook cliff"
            )
        )
    }

    @Test(arguments: [OutputFormat.text, .csv, .json, .markdown])
    func `the report has the format of its suffix`(format: OutputFormat) throws {
        let text = format.writer.render(try report(Self.readings, hasPattern: true))
        try Golden.expect(text, in: "connections.\(format.rawValue)")
    }

    @Test func `the cost is the share of openings times their mean time`() throws {
        // e^(−20·13/3600) is 0.930; the mean of the openings is 43 ms, and 32.5 ms with a ticket.
        let document = try report([Self.readings[1]]).document
        #expect(
            document.sections[0].details.first
                == "At 20 queries per hour, 93 % of your queries over TLS to harbour open a connection; "
                + "that adds 40 ms (with a ticket 30.2 ms) on average."
        )
        #expect(document.sections[0].headline == "Idle connections end after 13.0 s.")
    }

    @Test func `without an idle timeout the share is an upper limit`() throws {
        let document = try report([Self.readings[0]]).document
        #expect(document.sections[0].headline == "No server ended an idle connection within 5 min.")
        let first = document.sections[0].details[0]
        #expect(first.hasPrefix("At 20 queries per hour, at most 19 % of"))
    }

    @Test func `without any answer no timeout is known`() throws {
        let document = try report([Self.readings[3]]).document
        #expect(document.sections[0].headline == "No idle timeout is known.")
        #expect(document.sections[0].details.contains("cliff over QUIC: no answer."))
    }
}
