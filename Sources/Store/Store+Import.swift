package import Samples

extension Store {
    /// Adds the samples of a file, whose rounds come in any order, in bounded memory and in many
    /// transactions; what is there already is left out, so that a file may be imported again, also
    /// after an error. Throws ``StoreError``, ``SamplesError``, or what the file's source throws.
    package func importSamples(_ stream: inout SamplesStream) throws -> Intake {
        var intake = Intake()
        try importSamples(&stream, counting: &intake)
        return intake
    }

    /// The same; after an error too, `intake` tells what was stored.
    package func importSamples(
        _ stream: inout SamplesStream,
        counting intake: inout Intake
    ) throws {
        var work = RoundIntake()
        var rounds = RoundAssembler()
        while let samples = try stream.next() {
            rounds.add(samples)
            guard rounds.isFull else { continue }
            try store(rounds.takeReady(), from: stream, to: &work)
            intake = work.intake
        }
        try store(rounds.takeAll(), from: stream, to: &work)
        intake = work.intake
    }

    private func store(
        _ slots: [RoundAssembler.Slot],
        from stream: SamplesStream,
        to intake: inout RoundIntake
    ) throws(StoreError) {
        let pieces = slots.compactMap { slot -> RoundPiece? in
            guard let first = slot.samples.first else { return nil }
            let marks = RoundMarks.of(slot.samples, targets: stream.targets)
            let run = Run(
                recordingRun: stream.runs[Int(slot.run)],
                origin: .imported,
                started: first.scheduled
            )
            return RoundPiece(
                run: run,
                number: slot.number,
                samples: slot.samples,
                marks: slot.isOpen ? [] : marks,
                isWhole: true,
                isOpen: slot.isOpen
            )
        }
        try add(pieces, targets: stream.targets, questions: stream.questions, to: &intake)
    }
}

/// Puts the rows of a file together as rounds, for rows of several runs may come by turns.
struct RoundAssembler {
    /// The samples of one round, or of a part of it.
    struct Slot {
        /// Index among the file's runs.
        var run: Int32
        var number: Int32
        var samples: [Sample]
        /// More of it follows.
        var isOpen = false
        /// After how many rows it last grew.
        var touched: Int
    }

    private var slots: [Slot] = []
    /// For each run its slot that still grows.
    private var growing: [Int32: Int] = [:]
    private var rows = 0
    private var waiting = 0

    /// So many samples are stored in one transaction.
    private static let batch = 50_000
    /// A round that did not grow for so many rows has ended.
    private static let patience = 5_000

    var isFull: Bool { waiting >= Self.batch }

    /// Takes rows in the order of the file.
    mutating func add(_ samples: [Sample]) {
        var start = samples.startIndex
        while start < samples.endIndex {
            let (run, number) = (samples[start].run, samples[start].round)
            let end =
                samples[start...].firstIndex { $0.run != run || $0.round != number }
                ?? samples.endIndex
            rows += end - start
            waiting += end - start
            if let slot = growing[run], slots[slot].number == number {
                slots[slot].samples += samples[start..<end]
                slots[slot].touched = rows
            } else {
                growing[run] = slots.count
                slots.append(
                    Slot(
                        run: run,
                        number: number,
                        samples: Array(samples[start..<end]),
                        touched: rows
                    )
                )
            }
            start = end
        }
    }

    /// Hands over the rounds that have ended, and of larger ones what there is.
    mutating func takeReady() -> [Slot] {
        var ready: [Slot] = []
        var rest: [Slot] = []
        for (index, var slot) in slots.enumerated() {
            let grows = growing[slot.run] == index && rows - slot.touched < Self.patience
            if grows, slot.samples.count < Self.batch / 2 {
                rest.append(slot)
            } else {
                slot.isOpen = grows
                ready.append(slot)
            }
        }
        keep(rest)
        return ready
    }

    /// Hands over everything.
    mutating func takeAll() -> [Slot] {
        defer { keep([]) }
        return slots
    }

    private mutating func keep(_ rest: [Slot]) {
        slots = rest
        growing = [:]
        waiting = 0
        for (index, slot) in rest.enumerated() {
            growing[slot.run] = index
            waiting += slot.samples.count
        }
    }
}
