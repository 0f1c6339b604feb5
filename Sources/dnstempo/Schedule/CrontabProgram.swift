import Scheduling

/// The user's crontab, read and written by crontab(1) as everybody does.
enum CrontabProgram {
    /// What `crontab -l` lists.
    static func read() throws -> Crontab { try crontab(in: run(["-l"])) }

    /// As ``read()``, but empty where there is no cron.
    static func readIfAny() throws -> Crontab {
        guard let output = try ChildProgram.run(["crontab", "-l"]) else { return try Crontab(nil) }
        return try crontab(in: output)
    }

    private static func crontab(in output: ChildProgram.Output) throws -> Crontab {
        if output.code == 0 { return try Crontab(exact(output.bytes)) }
        if output.message.contains("no crontab for") { return try Crontab(nil) }
        throw Failure(.inputOutput, "cannot read the crontab: crontab -l: \(output.message)")
    }

    /// The crontab whose listing is `listed`. Debian's `crontab -l` shows a carriage return as `\r`,
    /// and written back it would be that: where there is one, the file is asked for by way of an
    /// editor that only copies it.
    private static func exact(_ listed: [UInt8]) throws -> [UInt8] {
        guard listed.contains(Array("\\r".utf8)) else { return listed }
        let copy = try run(["-e"], environment: ["VISUAL": "cat", "EDITOR": "cat"]).bytes
        let shown = copy.split(separator: UInt8(ascii: "\r"), omittingEmptySubsequences: false)
            .joined(separator: Array("\\r".utf8))
        guard copy == listed || Array(shown) == listed else {
            throw Failure(
                .inputOutput,
                "crontab -l shows \\r, and whether that is a carriage return cannot be told; take "
                    + "it out with 'crontab -e' (nothing was changed)"
            )
        }
        return copy
    }

    /// Replaces the whole; a crontab that is none is deleted.
    static func write(_ crontab: Crontab) throws {
        guard let bytes = crontab.bytes else { return try replace(["-r"], by: []) }
        do {
            try replace(["-"], by: bytes)
        } catch {
            // Most crontab programs take no last line without an end; it was there before us.
            guard let last = bytes.last, last != UInt8(ascii: "\n") else { throw error }
            try replace(["-"], by: bytes + [UInt8(ascii: "\n")])
            try Terminal.error.write(
                "dnstempo: crontab takes no last line without an end; a newline was added\n"
            )
        }
    }

    private static func replace(_ arguments: [String], by bytes: [UInt8]) throws(Failure) {
        let output = try run(arguments, input: bytes)
        guard output.code != 0 else { return }
        throw Failure(
            .cannotCreate,
            "cannot write the crontab: crontab \(arguments[0]): \(output.message)"
        )
    }

    private static func run(
        _ arguments: [String],
        input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws(Failure) -> ChildProgram.Output {
        let output = try ChildProgram.run(
            ["crontab"] + arguments,
            input: input,
            environment: environment
        )
        guard let output else {
            throw Failure(
                .inputOutput,
                "there is no crontab program; install cron (Debian: apt-get install cron), "
                    + "or use --systemd"
            )
        }
        return output
    }
}
