import DNSWire
package import Samples

extension Store {
    /// Stores the rounds of a recording in one transaction, with the rollups that they add to; when
    /// this returns, they are stored as ``durability`` has it. A round that is there already stays
    /// as it was.
    package func append(_ recording: Recording) throws(StoreError) {
        var intake = RoundIntake()
        try add(
            recording.pieces,
            targets: recording.targets,
            questions: recording.questions,
            to: &intake
        )
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

extension Recording {
    /// The rounds with their samples, in their order.
    var pieces: [RoundPiece] {
        let samples = Dictionary(grouping: samples, by: \.round)
        return rounds.enumerated().compactMap { index, round in
            guard let samples = samples[Int32(clamping: index)] else { return nil }
            return RoundPiece(run: runs[Int(round.run)], round: round, samples: samples)
        }
    }
}
