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
        var texts = Recording()
        while var rows = try stream.next() {
            rounds.add(rows)
            rows.samples = []
            texts = rows
            guard rounds.isFull else { continue }
            try store(rounds.takeReady(), with: texts, to: &work)
            intake = work.intake
        }
        try store(rounds.takeAll(), with: texts, to: &work)
        intake = work.intake
    }

    private func store(
        _ slots: [RoundAssembler.Slot],
        with texts: Recording,
        to intake: inout RoundIntake
    ) throws(StoreError) {
        let pieces = slots.map { slot in
            var round = slot.round
            // What is not yet known whole tells nothing of the connection.
            if !slot.isOpen {
                round.marks.formUnion(.of(slot.samples, targets: texts.targets))
            }
            return RoundPiece(
                run: texts.runs[Int(round.run)],
                round: round,
                samples: slot.samples,
                isOpen: slot.isOpen
            )
        }
        try add(pieces, targets: texts.targets, questions: texts.questions, to: &intake)
    }
}

/// Puts the rows of a file together as rounds, for rows of several runs may come by turns.
struct RoundAssembler {
    /// The samples of one round, or of a part of it.
    struct Slot {
        var round: Round
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
    mutating func add(_ rows: Recording) {
        let samples = rows.samples
        var start = samples.startIndex
        while start < samples.endIndex {
            let round = rows.rounds[Int(samples[start].round)]
            let end =
                samples[start...].firstIndex { $0.round != samples[start].round }
                ?? samples.endIndex
            self.rows += end - start
            waiting += end - start
            if let slot = growing[round.run], slots[slot].round.number == round.number {
                slots[slot].samples += samples[start..<end]
                slots[slot].round.marks.formUnion(round.marks)
                slots[slot].touched = self.rows
            } else {
                growing[round.run] = slots.count
                slots.append(
                    Slot(round: round, samples: Array(samples[start..<end]), touched: self.rows)
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
            let grows = growing[slot.round.run] == index && rows - slot.touched < Self.patience
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
            growing[slot.round.run] = index
            waiting += slot.samples.count
        }
    }
}
