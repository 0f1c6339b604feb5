import Analysis
import ArgumentParser
import CMemory
import Evidence
import Failures
import Measurement
import Processes
import Reports
import Runs
import Samples
import Store

struct CompareCommand: MeasuringCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Measure resolvers side by side, now.",
        discussion: """
            Queries every resolver in rounds, in random order and at a polite rate, until the best \
            resolver is known. A resolver that cannot be the best is dropped early. Ctrl-C ends \
            the run and reports its results so far. --help-hidden adds options for experts.

            Examples:
              dnstempo compare --lab
              dnstempo compare system cloudflare quad9 --rounds 30
              dnstempo compare --catalogue
              dnstempo compare router=192.168.1.1 google/all -d example.com -t A -t AAAA
              dnstempo compare system quad9 --strategies
              dnstempo compare system quad9 --under-load --load https://files.example/1GB
              dnstempo compare --lab -o report.html -o charts.svg --samples samples.csv
              dnstempo compare system quad9 --no-store --fail-if slower-than-baseline
            """
    )

    @OptionGroup(title: "Resolvers") var choice: ResolverOptions
    @OptionGroup(title: "Names") var names: NameOptions
    @OptionGroup(title: "Resolvers") var field: CatalogueOption
    @OptionGroup(title: "Names") var list: ListLengthOption
    @OptionGroup(title: "Length of the run") var length: LengthOptions
    @OptionGroup(title: "Length of the run") var pacing: PacingOptions
    @OptionGroup(title: "Encryption") var trust: TrustOptions
    @OptionGroup(title: "Queries") var message: MessageOptions
    @OptionGroup(title: "Resolvers") var place: PlaceOptions
    @OptionGroup(title: "Length of the run") var load: LoadOptions
    @OptionGroup(title: "Length of the run") var waking: WakeOption
    @OptionGroup(title: "Verdict") var certainty: CertaintyOptions
    @OptionGroup(title: "Verdict") var preflightOptions: PreflightOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var redacting: RedactOptions
    @OptionGroup(title: "Output") var proving: EvidenceOption
    @OptionGroup(title: "Output") var looking: LiveOptions
    @OptionGroup(title: "Store") var keeping: StoreChoice

    func run() async throws {
        var redaction = try redacting.redaction()
        let destinations = try await Destinations(output)
        let gate = try Gate(certainty.gate.failIf)
        let live = try looking.kind(quiet: output.quiet)
        let evidence = try proving.folder(isRedacted: redacting.redact)
        if evidence != nil, certainty.resume {
            throw Failure.usage("--evidence records a whole run: leave out --resume")
        }
        try load.check(
            beside: [("--evidence", evidence != nil), ("--connect", preflightOptions.connect)]
        )
        var order = try await order(for: destinations, gate)
        redaction?.note(order)
        // The store is opened before the run, so that a problem is detected before any work is lost.
        let store = try keeping.open(order.options, isLab: order.lab != nil)
        let earlier =
            certainty.resume ? try earlierRun(in: store, of: order, redaction) : nil
        // Steps that may fail come before the run, so that its report is not lost.
        let earlierToday =
            try certainty.resume
            ? 0 : store.map { try EarlierRun.countToday(in: $0, of: order) } ?? 0
        let chartWords = try destinations.hasChart ? nil : chartWords(store, evidence)
        if let earlier { order.plan = try earlier.continued(order.plan) }
        let session = try await session(order, live, earlier, store, evidence, redaction)
        let wantsFloors = order.options.measuresFloor
        let wantsStrategies = certainty.strategies.isWanted
        let awake = waking.lock()
        defer { awake?.release() }
        let words = ReportWords(chart: chartWords, redaction: redaction)
        let (report, redacted) = try await Self.report(of: session, to: destinations, words) {
            context in
            context.wantedFloors = wantsFloors
            context.wantsStrategies = wantsStrategies
            context.earlierToday = earlierToday
            // The same order as in the pages and charts of the store.
            context.resolverOrder = try? store?.targets().map(\.label)
        }
        if var failure = report.absence {
            failure.description +=
                gate.redacted(by: redacted).finding(in: report).map { " \($0)" } ?? ""
            throw failure
        }
        try gate.redacted(by: redacted).pass(report)
    }

    /// Checks the outputs and conditions against the run before anything is measured.
    private func order(for destinations: Destinations, _ gate: Gate) async throws -> RunOrder {
        var length = length.given
        length.names = list.names
        var request = try request(length, certainty, usesCatalogue: field.catalogue)
        request.load = try load.request
        let builder = try await OrderBuilder(request, TerminalConsole())
        let isLab = choice.lab != nil
        // Problems of the store are reported where it is opened.
        let stored = try? keeping.path(builder.options, isLab: isLab)
        try destinations.keep(builder.files + [stored].compactMap(\.self))
        let order = try await builder.order(
            leavingOutNamesIn: { try keeping.path($0, isLab: isLab) }
        )
        let targets = order.resolvers.map { $0.target(in: .cached) }
        try gate.check(
            zip(targets, targets.names).map { ($0.label, $1) }
                + order.unmeasured.map { ($0.target.label, $0.name) },
            at: order.vantage,
            baseline: order.baseline
        )
        return order
    }

    /// Makes the checks that must precede the run.
    private func session(
        _ order: RunOrder,
        _ live: LiveOptions.Kind,
        _ earlier: EarlierRun?,
        _ store: Store?,
        _ evidence: EvidenceFolder?,
        _ redaction: Redaction?
    ) async throws -> ComparisonSession {
        func mention(_ note: String) { Terminal.mention(redaction?.text(note) ?? note) }
        if !output.quiet {
            order.notes.forEach(mention)
            order.plan.uncachedLimitNote.map(mention)
            order.load.map { mention($0.note) }
        }
        let connects =
            preflightOptions.connect
            ? try ContentConnects(
                order,
                port: preflightOptions.connectPort,
                earlier: earlier?.recording
            ) : nil
        if !output.quiet { connects.map { mention($0.note) } }
        // Memory used for parsing the command is returned before measuring.
        cmemory_give_back()
        cmemory_keep_no_large_blocks()
        let preflight = Preflight(order, checks: preflightOptions.checking.check)
        var findings = try await preflight.before()
        if let earlier { findings.candidates.add(earlier.recording.tampering) }
        return ComparisonSession(
            order,
            findings,
            after: earlier,
            watcher: live == .none
                ? nil
                : LiveView(
                    kind: live,
                    colour: !output.style.noColor,
                    redaction: redaction
                ),
            connects: connects,
            store: store,
            evidence: evidence
        )
    }

    /// Measures and writes all outputs. Until everything is written, a first interruption discards no
    /// measurement.
    private static func report(
        of session: ComparisonSession,
        to destinations: Destinations,
        _ words: ReportWords,
        complete: @escaping @Sendable (inout ReportContext) -> Void
    ) async throws -> (ComparisonReport, Redaction?) {
        let reporting = await Signals.whileRunning {
            Task {
                let measured = try await session.measure()
                var context = ReportContext(session, measured)
                complete(&context)
                var recording = measured.run.recording
                let redaction = words.complete(&context, of: &recording)
                let report = ComparisonReport(of: recording, context: context)
                var destinations = destinations
                destinations.redaction = redaction
                let (complete, outputs) = (recording, destinations)
                // This task is not cancelled with the surrounding task.
                try await Task {
                    try await write(report, of: complete, measured, to: outputs)
                }.value
                if measured.run.interrupted || Task.isCancelled {
                    throw Failure(.interrupted, "")
                }
                return (report, redaction)
            }
        }
        return try await reporting.value
    }

    /// Writes all outputs. A failure of one output does not prevent the others.
    private static func write(
        _ report: ComparisonReport,
        of recording: Recording,
        _ measured: ComparedRun,
        to destinations: Destinations
    ) async throws {
        let written = await result { try await destinations.write(report, of: recording) }
        let stored = await result { try await measured.storing?.finish() }
        // The messages contain the query IDs.
        var context = report.context
        context.registered?.forgetIDs()
        var document = report.document
        document.redaction = destinations.redaction?.sentence
        try await measured.bundle?.finish(
            context: context,
            report: JSONFormat().render(document),
            of: recording
        )
        try stored.get()
        try written.get()
    }

    private static func result(
        of body: () async throws -> Void
    ) async -> Result<Void, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    /// The command that draws the run from its evidence or from the store. A run that has neither must be
    /// measured again with charts.
    private func chartWords(_ store: Store?, _ evidence: EvidenceFolder?) throws -> [String] {
        let output = ["-o", "charts.svg"]
        if let evidence { return ["report", "--recompute", evidence.path] + output }
        guard let store else { return CommandLine.arguments.dropFirst() + output }
        let isUsual = try store.path == NamedStore.usualPath
        let named = isUsual ? [] : ["--store", store.path]
        return ["report", "last"] + named + output
    }

    private func earlierRun(
        in store: Store?,
        of order: RunOrder,
        _ redaction: Redaction?
    ) throws -> EarlierRun? {
        guard let store else {
            throw Failure.usage("--resume continues a run of a store: name one with --store")
        }
        let earlier = try EarlierRun.last(in: store, of: order)
        if !output.quiet {
            let note = earlier.note(in: store.path)
            Terminal.mention(redaction?.text(note) ?? note)
            if pacing.seed != nil, earlier?.run.seed != nil {
                Terminal.mention("--seed is ignored: the resumed run keeps its own seed")
            }
        }
        return earlier
    }
}

extension ComparisonReport {
    /// The failure that no resolver answered, with the errors received. `nil` if any resolver answered.
    fileprivate var absence: Failure? {
        let counts = rows.reduce(into: OutcomeCounts()) { $0.merge($1.counts) }
        guard counts.answered + counts[.wrong] == 0 else { return nil }
        let causes = failureCauses
        if !causes.isEmpty {
            return Failure(.unavailable, "no resolver gave an answer: \(causes)")
        }
        let responses =
            counts.responseCodes.keys.sorted() + (counts[.filtered] > 0 ? ["filtered"] : [])
            + (counts[.malformed] > 0 ? ["malformed"] : [])
        guard !responses.isEmpty else {
            return .noAnswer("is there a network, and are they resolvers?")
        }
        return Failure(
            .unavailable,
            "no resolver gave an answer: all responses were \(responses.listed); do they serve this "
                + "network?"
        )
    }
}
