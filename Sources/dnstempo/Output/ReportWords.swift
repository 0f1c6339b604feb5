import DNSWire
import Measurement
import Processes
import Reports
import Runs
import Samples

/// The commands in the report of a comparison, and its redaction.
struct ReportWords {
    /// The words of the command for the charts; `nil` if the report has charts.
    let chart: [String]?
    let redaction: Redaction?

    /// Adds the commands. Redacts the context and the recording if this is wanted, and returns the redaction
    /// with all their values.
    func complete(_ context: inout ReportContext, of recording: inout Recording) -> Redaction? {
        let words = Array(CommandLine.arguments.dropFirst())
        context.command = CommandLine.shown(words)
        context.chartCommand = chart.map { CommandLine.shown($0) }
        guard var redaction else { return nil }
        redaction.note(context)
        redaction.note(recording)
        recording = redaction.applied(to: recording)
        context = context.redacted(by: redaction)
        context.command = redaction.command(words)
        context.chartCommand = chart.map(redaction.command)
        return redaction
    }
}

extension Redaction {
    /// The values that are known before the first query.
    mutating func note(_ order: RunOrder) {
        note(vantage: order.vantage)
        for resolver in order.resolvers { note(resolver.target(in: .cached)) }
        for question in order.plan.questions { note(name: question.name.description) }
        for resolver in order.unmeasured { note(resolver.target) }
    }
}
