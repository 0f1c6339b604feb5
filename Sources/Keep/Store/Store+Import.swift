package import Samples

extension Store {
    /// Adds the samples of a file. Its rounds may be in any order. The import uses bounded memory and many
    /// transactions. Samples that are already stored are skipped, so that a file can be imported again, also
    /// after an error. `result` shows what was stored, even after an error.
    ///
    /// - Throws: ``StoreError``, ``SamplesError``, or an error of the file's source.
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
            try store(rounds.takeReady(), from: stream, of: texts, to: &writer)
            result = writer.result
        }
        try store(rounds.takeReady(isOver: true), from: stream, of: texts, to: &writer)
        result = writer.result
    }

    private func store(
        _ pieces: [RoundPiece],
        from stream: SamplesStream,
        of texts: Recording,
        to writer: inout RoundWriter
    ) throws(StoreError) {
        var pieces = pieces
        // An incomplete round does not show the state of the connection.
        for index in pieces.indices
        where !pieces[index].isOpen && !stream.tellsMarks(ofRun: pieces[index].round.run) {
            let marks = RoundMarks.of(pieces[index].samples, targets: texts.targets)
            pieces[index].round.marks.formUnion(marks)
        }
        try add(pieces, of: texts, to: &writer)
    }
}

/// Assembles the rows of a file into rounds. Rows of several runs may alternate.
struct RoundAssembler {
    private struct Slot {
        var piece: RoundPiece
        /// The numbers of rows after which it began and last grew.
        var began: Int
        var touched: Int
    }

    /// The round of each run that can still grow.
    private var growing: [Int32: Slot] = [:]
    private var ended: [Slot] = []
    private var rows = 0
    private var waiting = 0

    /// The number of samples that are stored in one transaction.
    private static let batch = 50_000
    /// The number of rows after which a round that did not grow has ended.
    private static let patience = 5_000

    var isFull: Bool { waiting >= Self.batch }

    /// Adds rows in the order of the file.
    mutating func add(_ rows: Recording) {
        let samples = rows.samples
        var start = samples.startIndex
        while start < samples.endIndex {
            let index = samples[start].round
            let round = rows.rounds[Int(index)]
            let end = samples[start...].firstIndex { $0.round != index } ?? samples.endIndex
            if growing[round.run]?.piece.round.number != round.number {
                let piece = RoundPiece(round: round, samples: [])
                let slot = Slot(piece: piece, began: self.rows, touched: self.rows)
                if let old = growing.updateValue(slot, forKey: round.run) { ended.append(old) }
            }
            self.rows += end - start
            waiting += end - start
            growing[round.run]?.piece.samples += samples[start..<end]
            growing[round.run]?.piece.round.marks.formUnion(round.marks)
            growing[round.run]?.touched = self.rows
            start = end
        }
    }

    /// Removes and returns the rounds that have ended, and the present part of larger rounds. Returns all
    /// rounds if the file `isOver`.
    mutating func takeReady(isOver: Bool = false) -> [RoundPiece] {
        var ready = ended
        ended = []
        for (run, var slot) in growing {
            slot.piece.isOpen = !isOver && rows - slot.touched < Self.patience
            guard !slot.piece.isOpen || slot.piece.samples.count >= Self.batch / 2 else { continue }
            ready.append(slot)
            growing[run] = nil
        }
        waiting = growing.values.reduce(0) { $0 + $1.piece.samples.count }
        return ready.sorted { $0.began < $1.began }.map(\.piece)
    }
}
