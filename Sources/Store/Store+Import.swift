package import Samples

extension Store {
    /// Adds the samples of a file, whose rounds come in any order, in bounded memory and in many
    /// transactions; what is there already is left out, so that a file may be imported again, also
    /// after an error: then too `result` tells what was stored. Throws ``StoreError``,
    /// ``SamplesError``, or what the file's source throws.
    package func importSamples(
        _ stream: inout SamplesStream,
        counting result: inout ImportResult
    ) throws {
        var writer = RoundWriter()
        var rounds = RoundAssembler()
        var texts = Recording()
        while var rows = try stream.next() {
            rounds.add(rows)
            rows.samples = []
            texts = rows
            guard rounds.isFull else { continue }
            try store(rounds.takeReady(), of: texts, to: &writer)
            result = writer.result
        }
        try store(rounds.takeAll(), of: texts, to: &writer)
        result = writer.result
    }

    private func store(
        _ pieces: [RoundPiece],
        of texts: Recording,
        to writer: inout RoundWriter
    ) throws(StoreError) {
        var pieces = pieces
        // What is not yet known whole tells nothing of the connection.
        for index in pieces.indices where !pieces[index].isOpen {
            let marks = RoundMarks.of(pieces[index].samples, targets: texts.targets)
            pieces[index].round.marks.formUnion(marks)
        }
        try add(pieces, of: texts, to: &writer)
    }
}

/// Puts the rows of a file together as rounds, for rows of several runs may come by turns.
struct RoundAssembler {
    private struct Slot {
        var piece: RoundPiece
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
            if let slot = growing[round.run], slots[slot].piece.round.number == round.number {
                slots[slot].piece.samples += samples[start..<end]
                slots[slot].piece.round.marks.formUnion(round.marks)
                slots[slot].touched = self.rows
            } else {
                growing[round.run] = slots.count
                let piece = RoundPiece(round: round, samples: Array(samples[start..<end]))
                slots.append(Slot(piece: piece, touched: self.rows))
            }
            start = end
        }
    }

    /// Hands over the rounds that have ended, and of larger ones what there is.
    mutating func takeReady() -> [RoundPiece] {
        var ready: [RoundPiece] = []
        var rest: [Slot] = []
        for (index, var slot) in slots.enumerated() {
            let grows =
                growing[slot.piece.round.run] == index && rows - slot.touched < Self.patience
            if grows, slot.piece.samples.count < Self.batch / 2 {
                rest.append(slot)
            } else {
                slot.piece.isOpen = grows
                ready.append(slot.piece)
            }
        }
        keep(rest)
        return ready
    }

    mutating func takeAll() -> [RoundPiece] {
        defer { keep([]) }
        return slots.map(\.piece)
    }

    private mutating func keep(_ rest: [Slot]) {
        slots = rest
        growing = [:]
        waiting = 0
        for (index, slot) in rest.enumerated() {
            growing[slot.piece.round.run] = index
            waiting += slot.piece.samples.count
        }
    }
}
