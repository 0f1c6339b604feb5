import Store

/// The SQL functions of the views. They return NULL or no row for input that no store packs. A place can
/// write any bytes, and one bad row must not stop readers.
///
/// Each function uses only the server's own functions and operators, whatever the search path of the session
/// (CVE-2018-1058). None catches errors, because a parallel worker cannot catch them.
enum CentralFunctions {
    static var steps: [CentralStep] {
        [
            step("numbers(bytea, integer)", numbers), step("unpack(bytea)", unpack),
            step("quantile(bytea, double precision, bigint)", quantile),
        ]
    }

    private static func step(_ name: String, _ definition: String) -> CentralStep {
        CentralStep(
            "FUNCTION dnstempo.\(name)",
            at: "to_regprocedure('dnstempo.\(name)')",
            in: "pg_proc",
            [definition]
        )
    }

    private static let attributes = """
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = ''
        """

    /// Reads the numbers of a sketch: seven bits per byte, the lowest first (LEB128).
    private static let numbers = """
        CREATE OR REPLACE FUNCTION dnstempo.numbers(data bytea, place int) RETURNS bigint[]
        \(attributes) AS $$
        DECLARE
            found bigint[] := '{}';
            count int := 0;
            value bigint := 0;
            shift int := 0;
            byte int;
        BEGIN
            IF octet_length(data) > \(StoreLimits.longestSketch) THEN
                RETURN NULL;
            END IF;
            FOR index IN place..octet_length(data) - 1 LOOP
                byte := get_byte(data, index);
                IF shift > 56 THEN
                    RETURN NULL;
                END IF;
                value := value | ((byte & 127)::bigint << shift);
                shift := shift + 7;
                IF byte < 128 THEN
                    count := count + 1;
                    found[count] := value;
                    value := 0;
                    shift := 0;
                END IF;
            END LOOP;
            RETURN CASE WHEN shift = 0 THEN found END;
        END $$
        """

    /// Unpacks a packed round: the columns of each sample, and the columns of its detail. Ends at the first
    /// byte that no place packs.
    private static let unpack = """
        CREATE OR REPLACE FUNCTION dnstempo.unpack(
            data bytea, OUT place bigint, OUT sample bigint[], OUT detail bigint[]
        ) RETURNS SETOF record
        \(attributes) AS $$
        DECLARE
            -- Each call with a value that is stored elsewhere would fetch all of it.
            packed bytea := data || ''::bytea;
            own int;
            details int;
            samples bigint;
            head int := 0;
            number bigint := 0;
            shift int := 0;
            byte int;
            mask bigint := 0;
            bits int[] := '{}';
            next int := 0;
            bit int;
            due bigint := 0;
            most CONSTANT bigint := 9223372036854775807;
        BEGIN
            IF octet_length(packed) < \(StoreLimits.leastPacked.round) OR get_byte(packed, 0) <> 1 THEN
                RETURN;
            END IF;
            place := -1;
            FOR index IN 1..octet_length(packed) - 1 LOOP
                byte := get_byte(packed, index);
                IF shift = 63 AND byte > 1 THEN
                    RETURN;
                END IF;
                number := number | ((byte & 127)::bigint << shift);
                IF byte > 127 THEN
                    shift := shift + 7;
                    CONTINUE;
                END IF;
                IF next > 0 THEN
                    number := ((number >> 1) & most) # -(number & 1);
                    bit := bits[next];
                    IF bit = 1 THEN
                        IF number > 0 AND due > most - number
                            OR number < 0 AND due < -most - 1 - number THEN
                            RETURN;
                        END IF;
                        due := due + number;
                        number := due;
                    END IF;
                    IF bit < own THEN
                        sample[bit + 1] := number;
                    ELSE
                        detail[bit - own] := number;
                    END IF;
                    next := next + 1;
                    IF next > cardinality(bits) THEN
                        RETURN NEXT;
                        next := 0;
                    END IF;
                ELSIF head = 3 THEN
                    place := place + 1;
                    IF number <> 0 THEN
                        mask := mask # number;
                        bits := '{}';
                        FOR bit IN 0..own + details LOOP
                            IF bit <> own AND (mask >> bit) & 1 = 1 THEN
                                bits := bits || bit;
                            END IF;
                        END LOOP;
                    END IF;
                    -- With the resolver and its question, the time and the state.
                    IF place >= samples OR mask & 35 <> 35 OR mask >> (own + 1 + details) <> 0
                        OR mask >> own > 0 AND (mask >> own) & 1 = 0 THEN
                        RETURN;
                    END IF;
                    sample := array_fill(NULL::bigint, ARRAY[own]);
                    detail := NULL;
                    IF (mask >> own) & 1 = 1 THEN
                        detail := array_fill(NULL::bigint, ARRAY[details]);
                    END IF;
                    next := 1;
                ELSE
                    head := head + 1;
                    IF head = 1 AND number < 6 OR number < 0 OR number > 30 AND head < 3
                        OR number > \(StoreLimits.mostSamples) THEN
                        RETURN;
                    END IF;
                    CASE head
                        WHEN 1 THEN own := number;
                        WHEN 2 THEN details := number;
                        ELSE samples := number;
                    END CASE;
                END IF;
                number := 0;
                shift := 0;
            END LOOP;
        END $$
        """

    /// Computes a quantile of the times in a sketch and of `beyond` further times, which are longer than all
    /// others. The result is in milliseconds, within 1 % (Masson, Rim & Lee, VLDB 2019). It is NULL if the
    /// quantile is one of the further times.
    private static let quantile = """
        CREATE OR REPLACE FUNCTION dnstempo.quantile(sketch bytea, p float8, beyond bigint)
        RETURNS float8 \(attributes) AS $$
        DECLARE
            found bigint[] := dnstempo.numbers(sketch, 1);
            gamma float8 := ln(1.01::float8 / 0.99::float8);
            lowest float8 := ceil(ln(1e-6::float8) / gamma);
            bucket bigint;
            rest float8 := 0;
            index int;
        BEGIN
            IF coalesce(cardinality(found), 0) = 0 OR get_byte(sketch, 0) <> 1 OR beyond < 0 THEN
                RETURN NULL;
            END IF;
            FOR pass IN 1..2 LOOP
                bucket := found[1];
                index := 2;
                WHILE index <= cardinality(found) LOOP
                    IF bucket > \(StoreLimits.lastBucket) THEN
                        RETURN NULL;
                    END IF;
                    IF found[index] = 0 THEN
                        IF index = cardinality(found)
                            OR found[index + 1] > \(StoreLimits.lastBucket) THEN
                            RETURN NULL;
                        END IF;
                        bucket := bucket + found[index + 1] + 1;
                        index := index + 2;
                    ELSE
                        rest := rest + found[index] * (CASE pass WHEN 1 THEN 1 ELSE -1 END);
                        IF pass = 2 AND rest <= 0 THEN
                            RETURN 0.99::float8 * exp((lowest + bucket) * gamma);
                        END IF;
                        bucket := bucket + 1;
                        index := index + 1;
                    END IF;
                END LOOP;
                rest := greatest(1, ceil(p * (rest + beyond)));
            END LOOP;
            RETURN NULL;
        END $$
        """
}
