package import DNSWire
package import Samples

extension Store {
    /// Stores a round of `run` in one transaction, with the rollups that it adds to; when this
    /// returns, it is stored as ``durability`` has it. The samples refer to `targets` and
    /// `questions`. A round that is there already stays as it was.
    package func append(
        _ round: MeasuredRound,
        of run: Run,
        targets: [Recording.Target],
        questions: [Question],
        marks: RoundMarks = []
    ) throws(StoreError) {
        try append([round], of: run, targets: targets, questions: questions) { _ in marks }
    }

    /// Stores rounds that ended while others were stored, all of them in one transaction.
    package func append(
        _ rounds: [MeasuredRound],
        of run: Run,
        targets: [Recording.Target],
        questions: [Question],
        marks: (MeasuredRound) -> RoundMarks
    ) throws(StoreError) {
        var intake = RoundIntake()
        let pieces = rounds.map { round in
            RoundPiece(
                run: run,
                number: Int32(clamping: round.number),
                samples: round.samples,
                marks: marks(round),
                isWhole: round.isWhole
            )
        }
        try add(pieces, targets: targets, questions: questions, to: &intake)
    }

    /// Stores `pieces` in one transaction.
    func add(
        _ pieces: [RoundPiece],
        targets: [Recording.Target],
        questions: [Question],
        to intake: inout RoundIntake
    ) throws(StoreError) {
        try write { database, registry in
            var texts = try IntakeTexts(
                targets: targets,
                questions: questions,
                registry,
                database
            )
            for piece in pieces { try intake.add(piece, with: &texts) }
            try texts.rollups.write(database)
            registry = texts.registry
        }
    }
}
