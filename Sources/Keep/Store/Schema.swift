import SQLite
import Samples
import Statistics

/// The tables of a store, and the steps from each older version to this one.
enum Schema {
    /// The version, stored as SQLite's `user_version`.
    static var version: Int { migrations.count }

    /// Step i leads from version i to version i + 1. Steps are only added, never changed.
    private static let migrations = [
        first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh,
        twelfth, thirteenth, fourteenth, fifteenth, sixteenth, outbox,
    ]

    /// Migrates a database to a version within a transaction. Tests use older versions.
    static func migrate(_ database: Database, to version: Int = Schema.version) throws {
        let current = try database.count("PRAGMA user_version")
        guard current < version else { return }
        for step in migrations[current..<version] { try database.execute(step) }
        if current < connections, version >= connections { try ConnectionSums.fill(database) }
        if current < availability, version >= availability { try Availability.fill(database) }
        try database.execute("PRAGMA user_version = \(version)")
    }

    /// Times are in nanoseconds. In `run` and `round`, they are POSIX times. `sample.scheduled` counts from
    /// the round's `base`, or from its `start` if `base` is NULL. `sample.sent` counts from `scheduled`. The
    /// lateness of a sample is `sent` + `skew`. Most numbers take one to four bytes.
    ///
    /// `sample.state` is the outcome + 8 · clock + 32 · cache + 128 · response code, with the outcome's
    /// fourth bit above all, as in ``Observation/packed``. `detail.connection` is
    /// ``Observation/Extras/packed``. A rollup's times are in milliseconds; its `hour` counts from 1970.
    private static let first = """
        CREATE TABLE vantage (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE endpoint (
            id INTEGER PRIMARY KEY,
            transport TEXT NOT NULL,
            address TEXT NOT NULL,
            UNIQUE (transport, address)
        ) STRICT;
        CREATE TABLE target (
            id INTEGER PRIMARY KEY,
            label TEXT NOT NULL,
            endpoint INTEGER NOT NULL REFERENCES endpoint,
            series INTEGER NOT NULL,
            UNIQUE (label, endpoint, series)
        ) STRICT;
        CREATE TABLE question (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            type INTEGER NOT NULL,
            UNIQUE (name, type)
        ) STRICT;
        CREATE TABLE probe (
            id INTEGER PRIMARY KEY,
            target INTEGER NOT NULL REFERENCES target,
            question INTEGER NOT NULL REFERENCES question,
            UNIQUE (target, question)
        ) STRICT;
        CREATE TABLE text (
            id INTEGER PRIMARY KEY,
            value TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE run (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            vantage INTEGER NOT NULL REFERENCES vantage,
            timeout INTEGER NOT NULL,
            origin INTEGER NOT NULL,
            started INTEGER NOT NULL,
            interval INTEGER,
            seed INTEGER,
            checksum INTEGER NOT NULL,
            UNIQUE (name, vantage, timeout)
        ) STRICT;
        CREATE TABLE round (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run,
            number INTEGER NOT NULL,
            start INTEGER NOT NULL,
            stop INTEGER NOT NULL,
            base INTEGER,
            samples INTEGER NOT NULL,
            marks INTEGER NOT NULL,
            whole INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            pruned INTEGER NOT NULL DEFAULT 0,
            UNIQUE (run, number)
        ) STRICT;
        CREATE INDEX round_by_start ON round (start, stop);
        CREATE TABLE sample (
            round INTEGER NOT NULL REFERENCES round,
            position INTEGER NOT NULL,
            probe INTEGER NOT NULL REFERENCES probe,
            scheduled INTEGER NOT NULL,
            sent INTEGER,
            skew INTEGER,
            round_trip INTEGER,
            state INTEGER NOT NULL,
            ttl INTEGER,
            answers INTEGER,
            size INTEGER,
            PRIMARY KEY (round, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE detail (
            round INTEGER NOT NULL,
            position INTEGER NOT NULL,
            connect INTEGER,
            handshake INTEGER,
            udp INTEGER,
            site INTEGER REFERENCES text,
            extended_errors INTEGER REFERENCES text,
            connection INTEGER,
            words INTEGER REFERENCES text,
            PRIMARY KEY (round, position),
            FOREIGN KEY (round, position) REFERENCES sample
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE rollup_key (
            id INTEGER PRIMARY KEY,
            vantage INTEGER NOT NULL REFERENCES vantage,
            target INTEGER NOT NULL REFERENCES target,
            type INTEGER NOT NULL,
            timeout INTEGER NOT NULL,
            origin INTEGER NOT NULL,
            UNIQUE (vantage, target, type, timeout, origin)
        ) STRICT;
        CREATE TABLE rollup (
            hour INTEGER NOT NULL,
            key INTEGER NOT NULL REFERENCES rollup_key,
            answered INTEGER NOT NULL,
            timeouts INTEGER NOT NULL,
            unreachable INTEGER NOT NULL,
            malformed INTEGER NOT NULL,
            filtered INTEGER NOT NULL,
            offline INTEGER NOT NULL,
            blocked INTEGER NOT NULL,
            failures TEXT,
            minimum REAL,
            maximum REAL,
            sum REAL NOT NULL,
            squares REAL NOT NULL,
            difference_sum REAL NOT NULL,
            differences INTEGER NOT NULL,
            sketch BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (hour, key)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE pruning (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            hour INTEGER NOT NULL
        ) STRICT;
        """

    /// The schedule that took a run, the notices about resolvers, and the hour up to which they were judged.
    private static let second = """
        ALTER TABLE run ADD COLUMN schedule TEXT;
        CREATE TABLE notice (
            id INTEGER PRIMARY KEY,
            vantage INTEGER NOT NULL REFERENCES vantage,
            target INTEGER NOT NULL REFERENCES target,
            kind TEXT NOT NULL,
            since INTEGER NOT NULL,
            sent INTEGER NOT NULL,
            delivered INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE judgement (
            vantage INTEGER PRIMARY KEY REFERENCES vantage,
            hour INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        """

    /// The margin of a run that compares, in nanoseconds.
    private static let third = "ALTER TABLE run ADD COLUMN margin INTEGER"

    /// The connections of a rollup's answers, in milliseconds, if there are connections to report.
    private static let fourth = """
        CREATE TABLE connection (
            hour INTEGER NOT NULL,
            key INTEGER NOT NULL,
            new INTEGER NOT NULL,
            reused INTEGER NOT NULL,
            resumed INTEGER NOT NULL,
            early INTEGER NOT NULL,
            unverified INTEGER NOT NULL,
            connect BLOB NOT NULL,
            handshake BLOB NOT NULL,
            query BLOB NOT NULL,
            whole BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (hour, key),
            FOREIGN KEY (hour, key) REFERENCES rollup
        ) STRICT, WITHOUT ROWID;
        """
    /// The version that adds this table. The migration to this version fills it.
    private static let connections = 4

    /// Flags, next to the use of a connection. Earlier versions stored them as words of a detail.
    private static let fifth = """
        UPDATE detail SET connection = coalesce(connection, \(Observation.Extras.noUse)) | (
            SELECT \(flagsInDetail) FROM text WHERE text.id = words
        ) WHERE words IN (SELECT id FROM text WHERE (\(flagsInDetail)) <> 0);
        """
    private static let flagsInDetail =
        SampleFlags.wordsInDetail.map { flag, word in
            "(instr(value, '\(word)') > 0) * \(flag.packed)"
        }.joined(separator: " | ")

    /// The label of the resolver with which a run compared the others, and whether it was in use.
    private static let sixth = """
        ALTER TABLE run ADD COLUMN baseline TEXT;
        ALTER TABLE run ADD COLUMN in_use INTEGER NOT NULL DEFAULT 0;
        """

    /// The network's round trip to a resolver, stored with the first query of a round. The time to connect to
    /// the address of an answer. Both are in nanoseconds.
    private static let seventh = """
        ALTER TABLE detail ADD COLUMN network_rtt INTEGER;
        ALTER TABLE detail ADD COLUMN edge INTEGER;
        """

    /// An identity of the file, which distinguishes it from other files in a central store. The causes of
    /// changes: times and parts in milliseconds, `hour` counted from 1970. The cache hits and misses of a
    /// round's warm-up, stored with the first query of the round, and the median round trip of the misses in
    /// nanoseconds. The hits and misses of the rollups of these rounds. The ``views``.
    private static let eighth = """
        CREATE TABLE cause (
            vantage INTEGER NOT NULL REFERENCES vantage,
            target INTEGER NOT NULL REFERENCES target,
            kind TEXT NOT NULL,
            hour INTEGER NOT NULL,
            word TEXT NOT NULL,
            share REAL,
            evidence REAL NOT NULL,
            hours INTEGER NOT NULL,
            won INTEGER NOT NULL,
            total REAL,
            line REAL,
            path REAL,
            cache REAL,
            connection REAL,
            resolver REAL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (vantage, target, kind, hour)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE warmup (
            hour INTEGER NOT NULL,
            key INTEGER NOT NULL,
            hits INTEGER NOT NULL,
            misses INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (hour, key),
            FOREIGN KEY (hour, key) REFERENCES rollup
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE store (
            identity BLOB NOT NULL
        ) STRICT;
        INSERT INTO store VALUES (randomblob(16));
        ALTER TABLE detail ADD COLUMN hits INTEGER;
        ALTER TABLE detail ADD COLUMN misses INTEGER;
        ALTER TABLE detail ADD COLUMN miss_time INTEGER;
        \(views)
        """

    /// The start of the last round of a vantage point that a receiver of remote writes accepted.
    private static let ninth = """
        CREATE TABLE written (
            vantage INTEGER NOT NULL REFERENCES vantage,
            receiver TEXT NOT NULL,
            start INTEGER NOT NULL,
            PRIMARY KEY (vantage, receiver)
        ) STRICT, WITHOUT ROWID;
        """

    /// The number of the last extension of a round by later samples, counted over all rounds; 0 without an
    /// extension.
    private static let tenth = """
        ALTER TABLE round ADD COLUMN extended INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX round_by_extension ON round (extended) WHERE extended > 0;
        """

    /// The number of wrong answers in a rollup; NULL without wrong answers, as in older rows.
    private static let eleventh = """
        ALTER TABLE rollup ADD COLUMN wrong INTEGER;
        INSERT OR IGNORE INTO word VALUES \(Word.of(.wrong).values);
        DROP VIEW samples;
        \(samplesView())
        DROP VIEW hours;
        \(hoursView(hasWrong: true))
        """

    /// The traces of the paths to resolvers in trouble. A row contains the reason, its start, the time of the
    /// trace (both in nanoseconds of POSIX time), the preceding round, and a handshake's round trip in
    /// nanoseconds.
    private static let twelfth = """
        CREATE TABLE trace (
            vantage INTEGER NOT NULL REFERENCES vantage,
            target INTEGER NOT NULL REFERENCES target,
            time INTEGER NOT NULL,
            run TEXT NOT NULL,
            number INTEGER NOT NULL,
            kind TEXT NOT NULL,
            since INTEGER NOT NULL,
            ending TEXT NOT NULL,
            hops TEXT NOT NULL,
            site TEXT,
            handshake INTEGER,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (vantage, target, time)
        ) STRICT, WITHOUT ROWID;
        """

    /// The words of flags that were added after the version of the views.
    private static let thirteenth = """
        INSERT OR IGNORE INTO word VALUES \(Word.flags.map(\.values).joined(separator: ", "));
        """

    /// The typed cause of a failure, in the format of ``FailureCause/description``.
    private static let fourteenth = """
        ALTER TABLE detail ADD COLUMN cause INTEGER REFERENCES text;
        INSERT OR IGNORE INTO word VALUES \(Word.flags.map(\.values).joined(separator: ", "));
        DROP VIEW samples;
        \(samplesView(hasCause: true))
        """

    /// The rounds in a rollup, and those without an answer. A round counts in the rollup of the record type
    /// with the lowest number that it asked. NULL if no round is counted, as in older rows.
    private static let fifteenth = """
        ALTER TABLE rollup ADD COLUMN rounds INTEGER;
        ALTER TABLE rollup ADD COLUMN unanswered INTEGER;
        DROP VIEW hours;
        \(hoursView(hasWrong: true, hasRounds: true))
        """
    /// The version that adds these columns. The migration to this version fills them.
    private static let availability = 15

    /// The bytes and packets of a query until its answer, if its run counts them.
    private static let sixteenth = """
        ALTER TABLE detail ADD COLUMN wire_out INTEGER;
        ALTER TABLE detail ADD COLUMN wire_in INTEGER;
        ALTER TABLE detail ADD COLUMN wire_packets INTEGER;
        INSERT OR IGNORE INTO word VALUES \(Word.added);
        DROP VIEW samples;
        \(samplesView(hasCause: true, hasPackets: true))
        """
}
