import DNSWire
import Samples

/// The columns of the views for other programs. The properties are the parts in which SQLite and PostgreSQL
/// differ. Their defaults are SQLite's. Stores contain this text in their definitions, so that no byte of it
/// may change.
package struct ViewColumns: Sendable {
    /// The columns that precede those of a store file.
    package var place = ""
    /// The prefix of a table's name.
    package var schema = ""
    /// A condition that a table's rows are of the same place.
    package var ofPlace = ""
    /// The suffix that converts a number to floating point before a division or an addition.
    package var real = ""
    /// The column `interval`, whose name is also a type of PostgreSQL.
    package var interval = "interval"
    /// The prefix of a number that has no word; `nil` if the number need not be a text.
    package var numberPrefix: String?
    /// The expression that joins the words of some rows, and the end of a condition on bits.
    package var wordsOfBits = (joined: "group_concat(word, ' ')", areSet: "")
    /// The response code that an answer implies.
    package var usualCode = """
        iif(
                    outcome = \(Outcome.answered.rawValue), '\(ResponseCode.noError)', NULL
                )
        """
    /// A time from nanoseconds since 1970.
    package var time: @Sendable (String) -> String = { time in
        let fraction = "((\(time)) % 1000000000 + 1000000000) % 1000000000"
        return """
            strftime('%Y-%m-%dT%H:%M:%S.', (\(time) - \(fraction)) / 1000000000, 'unixepoch') || \
            iif(\(fraction) % 1000, printf('%09dZ', \(fraction)), \
            printf('%06dZ', \(fraction) / 1000))
            """
    }

    package init() {}

    /// The columns of a sample, followed by `more`.
    package func samples(more: String) -> String {
        """
        \(place)run.name AS run, round_number AS round,
            \(time("due")) AS scheduled, \(time("due + sent")) AS sent,
            vantage.name AS vantage, label AS resolver, address AS endpoint, transport,
            \(word(.series, "series")) AS series,
            question.name AS name, \(word(.type, "type", else: "TYPE")) AS type,
            \(word(.outcome, "outcome")) AS outcome,
            CASE code
                WHEN 0 THEN \(usualCode)
                WHEN 1 THEN NULL
                ELSE \(word(.code, "code - 2", else: "RCODE"))
            END AS rcode,
            \(milliseconds("round_trip")) AS rtt_ms, \(milliseconds("connect")) AS connect_ms,
            \(milliseconds("handshake")) AS handshake_ms, \(milliseconds("udp")) AS udp_ms, \
        ttl, answers, size AS bytes,
            \(milliseconds("(coalesce(sent, 0)\(real) + coalesce(skew, 0))")) AS late_ms,
            \(word(.clock, "nullif(clock, 3)")) AS clock, \(milliseconds("timeout")) AS timeout_ms,
            \(word(.cache, "nullif(cache, 0) - 1")) AS cache,
            \(text("site")) AS site,
            \(text("extended_errors")) AS ede,
            \(word(.connection, "nullif(connection & 7, \(Observation.Extras.noUse))"))
                AS connection,
            \(text("words")) AS detail,
            \(words(.flag, "connection >> 3")) AS flags, \(words(.mark, "marks")) AS round_marks,
            \(word(.origin, "origin")) AS origin,
            \(milliseconds("network_rtt")) AS network_rtt_ms, \(milliseconds("edge")) AS edge_ms,
            hits AS warmup_hits, misses AS warmup_misses, \
        \(milliseconds("miss_time")) AS warmup_miss_ms\(more)
        """
    }

    /// The parts of a sample's state. The parameters extract the outcome and the response code.
    package static func ofState(
        outcome: String = Observation.outcomeInState,
        code: String = Observation.codeInState
    ) -> String {
        """
        \(outcome) AS outcome, state >> 3 & 3 AS clock,
                state >> 5 & 3 AS cache, \(code) AS code
        """
    }

    package var rounds: String {
        """
        \(place)run.name AS run, number AS round, vantage.name AS vantage,
            \(word(.origin, "origin")) AS origin, \(time("started")) AS run_started,
            \(time("start")) AS start, \(time("stop")) AS stop, samples, pruned,
            \(words(.mark, "marks")) AS round_marks, \(milliseconds(interval)) AS interval_ms,
            \(milliseconds("timeout")) AS timeout_ms, \(milliseconds("margin")) AS margin_ms, \
        schedule, baseline
        """
    }

    /// The columns of hourly sums, followed by `more`. `mean` converts the usual expression of the mean.
    package func hours(hour: String, more: String, mean: (String) -> String = { $0 }) -> String {
        let timeout = milliseconds("timeout")
        let usual = "(sum + lost * \(timeout)) / nullif(answered + lost, 0)"
        return """
            \(place)\(hour) AS hour, vantage.name AS vantage,
                \(word(.type, "type", else: "TYPE")) AS type, \(timeout) AS timeout_ms,
                label AS resolver, address AS endpoint, transport,
                \(word(.series, "series")) AS series, \(word(.origin, "origin")) AS origin,
                answered, timeouts, unreachable, malformed, failed, failures, filtered, offline,
                blocked, minimum AS min_ms,
                \(mean(usual)) AS mean_ms,
                maximum AS max_ms\(more)
            """
    }

    /// The sum `lost` of an hour, without wrong answers.
    package static let lost = "timeouts + unreachable + malformed + failed"
    package static let packets = """
        ,
            wire_out AS wire_bytes_out, wire_in AS wire_bytes_in, wire_packets
        """
    package static let wrong = ", coalesce(wrong, 0) AS wrong"
    package static let availability = ", rounds, unanswered AS rounds_without_answer"

    private func milliseconds(_ nanoseconds: String) -> String { "\(nanoseconds) / 1e6\(real)" }

    package func text(_ column: String) -> String {
        "(SELECT value FROM \(schema)text WHERE \(ofPlace)id = \(column))"
    }

    /// The word for the number `expression`. A number without a word follows `prefix`.
    private func word(
        _ kind: Schema.Word.Kind,
        _ expression: String,
        else prefix: String? = nil
    ) -> String {
        let number = (prefix ?? numberPrefix).map { "'\($0)' || (\(expression))" } ?? expression
        return """
            coalesce((SELECT word FROM \(schema)word WHERE kind = '\(kind)' \
            AND number = \(expression)), \(number))
            """
    }

    /// The words for the bits of the number `expression`, separated by spaces.
    private func words(_ kind: Schema.Word.Kind, _ expression: String) -> String {
        """
        (SELECT \(wordsOfBits.joined) FROM \(schema)word \
        WHERE kind = '\(kind)' AND number & (\(expression))\(wordsOfBits.areSet))
        """
    }
}
