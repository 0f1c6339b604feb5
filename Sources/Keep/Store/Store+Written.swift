import SQLite
package import Samples

extension Store {
    /// The start of the last round from a vantage point that a receiver of remote writes accepted; `nil` if
    /// it accepted none.
    package func lastWritten(
        to receiver: String,
        from vantage: String
    ) throws(StoreError) -> Timestamp? {
        try read { database in
            try database.first(
                """
                SELECT start FROM written JOIN vantage ON vantage.id = vantage
                WHERE name = ? AND receiver = ?
                """,
                [vantage, receiver]
            ) { try $0.moment(0) }
        }
    }

    /// Records that a receiver accepted the rounds from a vantage point up to the round that started at
    /// `start`.
    package func noteWritten(
        until start: Timestamp,
        to receiver: String,
        from vantage: String
    ) throws(StoreError) {
        try write { context in
            let place = try context.number(of: .vantage(vantage))
            try context.database.insert(
                "written",
                [
                    "vantage": place, "receiver": receiver, "start": start.nanoseconds,
                ],
                replaces: true
            )
        }
    }

    /// The samples of rounds that were listed before, except pruned rounds.
    package func recording(of rounds: [StoredRound]) throws(StoreError) -> Recording {
        try read { database in
            var reader = try RecordingReader(Window(includesMarked: true), database)
            for round in rounds where !round.row.isPruned { try reader.add(round) }
            return reader.recording
        }
    }

    /// The start of the last stored round from a vantage point, among the rounds of `sample` and `watch`.
    package func lastRound(from vantage: String) throws(StoreError) -> Timestamp? {
        try read { database in
            try database.first(
                """
                SELECT start FROM round
                    JOIN run ON run.id = run JOIN vantage ON vantage.id = run.vantage
                WHERE vantage.name = ?
                    AND origin IN (\(Run.Origin.sample.rawValue), \(Run.Origin.watch.rawValue))
                ORDER BY round.id DESC LIMIT 1
                """,
                [vantage]
            ) { try $0.moment(0) }
        }
    }
}

extension StoredRound {
    package var isPruned: Bool { row.isPruned }
}
