import Samples
import Store

/// Views for other programs, with the columns that those of a store file have and a place's number
/// before them; times are PostgreSQL's. A view is as its reader's rights are (PostgreSQL 15, CREATE
/// VIEW, security_invoker).
enum CentralViews {
    static var statements: [String] {
        get throws {
            [words, "GRANT SELECT ON dnstempo.word TO dnstempo_vantage, dnstempo_reader"]
                + ["DELETE FROM dnstempo.word", "INSERT INTO dnstempo.word VALUES \(Store.words)"]
                + [numbers, unpack, quantile]
                + view("current", current) + view("samples", try samples) + view("rounds", rounds)
                + view("hours", hours)
        }
    }

    /// Each round as it came last.
    private static let current = """
        SELECT * FROM dnstempo.round WHERE NOT EXISTS (
            SELECT FROM dnstempo.round AS later
            WHERE later.source = round.source AND later.id = round.id AND later.extended > 0
                AND later.extended > round.extended
        )
        """

    private static let words = """
        CREATE TABLE IF NOT EXISTS dnstempo.word (
            kind text NOT NULL,
            number bigint NOT NULL,
            word text NOT NULL,
            PRIMARY KEY (kind, number)
        )
        """

    private static func view(_ name: String, _ query: String) -> [String] {
        [
            "CREATE OR REPLACE VIEW dnstempo.\(name) WITH (security_invoker = true) AS \(query)",
            "GRANT SELECT ON dnstempo.\(name) TO dnstempo_vantage, dnstempo_reader",
        ]
    }

    /// Numbers of seven bits an octet, the lowest first (LEB128).
    private static let numbers = """
        CREATE OR REPLACE FUNCTION dnstempo.numbers(data bytea, place int) RETURNS bigint[]
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
        DECLARE
            found bigint[] := '{}';
            count int := 0;
            value bigint := 0;
            shift int := 0;
            octet int;
        BEGIN
            FOR index IN place..octet_length(data) - 1 LOOP
                octet := get_byte(data, index);
                value := value | ((octet & 127)::bigint << shift);
                shift := shift + 7;
                IF octet < 128 THEN
                    count := count + 1;
                    found[count] := value;
                    value := 0;
                    shift := 0;
                END IF;
            END LOOP;
            RETURN found;
        END $$
        """

    /// The function that unpacks a round as a place packed it: of each sample its columns, and
    /// those of its detail.
    private static let unpack = """
        CREATE OR REPLACE FUNCTION dnstempo.unpack(
            data bytea, OUT place bigint, OUT sample bigint[], OUT detail bigint[]
        ) RETURNS SETOF record
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
        DECLARE
            found bigint[] := dnstempo.numbers(data, 1);
            own int := found[1];
            details int := found[2];
            index int := 4;
            mask bigint := 0;
            due bigint := 0;
            value bigint;
        BEGIN
            IF get_byte(data, 0) <> 1 THEN
                RAISE 'samples of a form that this version does not know';
            END IF;
            FOR number IN 0..found[3] - 1 LOOP
                mask := mask # found[index];
                index := index + 1;
                place := number;
                sample := array_fill(NULL::bigint, ARRAY[own]);
                detail := NULL;
                IF mask & (1::bigint << own) <> 0 THEN
                    detail := array_fill(NULL::bigint, ARRAY[details]);
                END IF;
                FOR bit IN 0..own + details LOOP
                    CONTINUE WHEN bit = own OR mask & (1::bigint << bit) = 0;
                    value := (found[index] >> 1) & 9223372036854775807;
                    value := value # -(found[index] & 1);
                    index := index + 1;
                    IF bit = 1 THEN
                        due := due + value;
                        value := due;
                    END IF;
                    IF bit < own THEN
                        sample[bit + 1] := value;
                    ELSE
                        detail[bit - own] := value;
                    END IF;
                END LOOP;
                RETURN NEXT;
            END LOOP;
        END $$
        """

    /// A quantile of a sketch and of `beyond` more times that are longer than all, within 1 %, in
    /// milliseconds (Masson, Rim & Lee, VLDB 2019); NULL where it is one of those more.
    private static let quantile = """
        CREATE OR REPLACE FUNCTION dnstempo.quantile(sketch bytea, p float8, beyond bigint)
        RETURNS float8 LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
        DECLARE
            found bigint[] := dnstempo.numbers(sketch, 1);
            gamma float8 := ln(1.01::float8 / 0.99::float8);
            bucket bigint;
            rest bigint := 0;
            index int;
        BEGIN
            FOR pass IN 1..2 LOOP
                bucket := ceil(ln(1e-6::float8) / gamma)::bigint + found[1];
                index := 2;
                WHILE index <= coalesce(array_length(found, 1), 0) LOOP
                    IF found[index] = 0 THEN
                        bucket := bucket + found[index + 1] + 1;
                        index := index + 2;
                    ELSE
                        rest := rest + found[index] * (CASE pass WHEN 1 THEN 1 ELSE -1 END);
                        IF pass = 2 AND rest <= 0 THEN
                            RETURN 0.99::float8 * exp(bucket * gamma);
                        END IF;
                        bucket := bucket + 1;
                        index := index + 1;
                    END IF;
                END LOOP;
                rest := greatest(1, ceil(p * (rest + beyond)::float8)::bigint);
            END LOOP;
            RETURN NULL;
        END $$
        """

    private static var samples: String {
        get throws {
            let (own, details) = try Store.packedColumns()
            let columns =
                own.enumerated().map { "unpacked.sample[\($0 + 1)] AS \"\($1)\"" }
                + details.enumerated().map { "unpacked.detail[\($0 + 1)] AS \"\($1)\"" }
            return """
                SELECT sample.source, run.name AS run, round_number AS round,
                    \(time("due")) AS scheduled, \(time("due + sent")) AS sent,
                    vantage.name AS vantage, label AS resolver, address AS endpoint, transport,
                    \(word("series", "series")) AS series,
                    question.name AS name, \(word("type", "type", else: "TYPE")) AS type,
                    \(word("outcome", "outcome")) AS outcome,
                    CASE code
                        WHEN 0 THEN CASE outcome WHEN \(Outcome.answered.rawValue) THEN 'NOERROR' END
                        WHEN 1 THEN NULL
                        ELSE \(word("code", "code - 2", else: "RCODE"))
                    END AS rcode,
                    \(milliseconds("round_trip")) AS rtt_ms,
                    \(milliseconds("connect")) AS connect_ms,
                    \(milliseconds("handshake")) AS handshake_ms, \(milliseconds("udp")) AS udp_ms,
                    ttl, answers, size AS bytes,
                    \(milliseconds("coalesce(sent, 0) + coalesce(skew, 0)")) AS late_ms,
                    \(word("clock", "nullif(clock, 3)")) AS clock,
                    \(milliseconds("timeout")) AS timeout_ms,
                    \(word("cache", "nullif(cache, 0) - 1")) AS cache,
                    \(text("site")) AS site, \(text("extended_errors")) AS ede,
                    \(word("connection", "nullif(connection & 7, \(Observation.Extras.noUse))")) AS connection,
                    \(text("words")) AS detail, \(words("flag", "connection >> 3")) AS flags,
                    \(words("mark", "marks")) AS round_marks, \(word("origin", "origin")) AS origin,
                    \(milliseconds("network_rtt")) AS network_rtt_ms,
                    \(milliseconds("edge")) AS edge_ms, hits AS warmup_hits,
                    misses AS warmup_misses, \(milliseconds("miss_time")) AS warmup_miss_ms
                FROM (
                    SELECT unpacked.*, coalesce(base, start) + scheduled AS due,
                        \(Observation.outcomeInState) AS outcome, (state >> 3) & 3 AS clock,
                        (state >> 5) & 3 AS cache, \(Observation.codeInState) AS code
                    FROM (
                        SELECT round.source, run AS run_id, start, base, marks,
                            number AS round_number, \(columns.joined(separator: ", "))
                        FROM dnstempo.current AS round, dnstempo.unpack(data) AS unpacked
                    ) AS unpacked
                ) AS sample
                    JOIN dnstempo.run ON run.source = sample.source AND run.id = run_id
                    \(join("vantage"))
                    JOIN dnstempo.probe ON probe.source = sample.source AND probe.id = probe
                    \(join("question")) \(join("target")) \(join("endpoint"))
                """
        }
    }

    private static let rounds = """
        SELECT sample.source, run.name AS run, number AS round, vantage.name AS vantage,
            \(word("origin", "origin")) AS origin, \(time("started")) AS run_started,
            \(time("start")) AS start, \(time("stop")) AS stop, samples, pruned,
            \(words("mark", "marks")) AS round_marks, \(milliseconds("\"interval\"")) AS interval_ms,
            \(milliseconds("timeout")) AS timeout_ms, \(milliseconds("margin")) AS margin_ms,
            schedule, baseline
        FROM dnstempo.current AS sample \(join("run")) \(join("vantage"))
        """

    private static let hours = """
        SELECT sample.source, \(time("hour * 3600000000000")) AS hour, vantage.name AS vantage,
            \(word("type", "type", else: "TYPE")) AS type, \(milliseconds("timeout")) AS timeout_ms,
            label AS resolver, address AS endpoint, transport,
            \(word("series", "series")) AS series, \(word("origin", "origin")) AS origin,
            answered, timeouts, unreachable, malformed, failed, failures, filtered, offline,
            blocked, minimum AS min_ms,
            (sum + lost * \(milliseconds("timeout"))) / nullif(answered + lost, 0) AS mean_ms,
            maximum AS max_ms, dnstempo.quantile(sketch, 0.5, lost) AS median_ms,
            dnstempo.quantile(sketch, 0.95, lost) AS p95_ms, coalesce(wrong, 0) AS wrong
        FROM (
            SELECT *, timeouts + unreachable + malformed + failed + coalesce(wrong, 0) AS lost FROM (
                SELECT *, (
                    SELECT coalesce(sum(value::bigint), 0)::bigint
                    FROM regexp_split_to_table(failures, ' ') WITH ORDINALITY AS part (value, place)
                    WHERE place % 2 = 0
                ) AS failed FROM dnstempo.rollup
            ) AS counted
        ) AS sample
            JOIN dnstempo.rollup_key ON rollup_key.source = sample.source AND rollup_key.id = key
            \(join("vantage")) \(join("target")) \(join("endpoint"))
        """

    /// The row that a column of a table's name refers to.
    private static func join(_ table: String) -> String {
        "JOIN dnstempo.\(table) ON \(table).source = sample.source AND \(table).id = \(table)"
    }

    /// A moment from nanoseconds since 1970, to the microsecond.
    private static func time(_ nanoseconds: String) -> String {
        "timestamptz 'epoch' + (\(nanoseconds)) / 1000 * interval '1 microsecond'"
    }

    private static func milliseconds(_ nanoseconds: String) -> String {
        "(\(nanoseconds)) / 1e6::float8"
    }

    private static func text(_ column: String) -> String {
        "(SELECT value FROM dnstempo.text WHERE source = sample.source AND id = \(column))"
    }

    /// The word of the number that `expression` is, or else that number after `prefix`.
    private static func word(
        _ kind: String,
        _ expression: String,
        else prefix: String = ""
    ) -> String {
        """
        coalesce((SELECT word FROM dnstempo.word WHERE kind = '\(kind)' AND number = \(expression)), \
        '\(prefix)' || (\(expression)))
        """
    }

    /// The words of the bits of the number that `expression` is, with a space between them.
    private static func words(_ kind: String, _ expression: String) -> String {
        """
        (SELECT string_agg(word, ' ' ORDER BY number) FROM dnstempo.word \
        WHERE kind = '\(kind)' AND number & (\(expression)) <> 0)
        """
    }
}
