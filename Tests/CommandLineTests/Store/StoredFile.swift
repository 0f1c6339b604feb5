import Servers
import Testing

/// A store, read by the program and by SQLite's shell.
struct StoredFile {
    let path: String

    init(_ path: String) { self.path = path }

    /// The JSON of `store info`.
    func info() async throws -> JSON {
        let run = try await Binary.succeedSilently([
            "store", "info", "--store", path, "--format", "json",
        ])
        return try JSON(run.output)
    }

    /// Runs `sql` in SQLite's own shell, and returns its output.
    @discardableResult
    func query(_ sql: String) async throws -> String {
        let run = try await Program("sqlite3", package: "sqlite3")
            .run(["-batch", "-init", "/dev/null", path, sql])
        #expect(run.code == 0 && run.errors == "", "\(run.errors)")
        return run.output
    }

    /// Expects that `store check` finds no fault. Also expects the number of rounds, if it is given.
    func expectSound(rounds: Int? = nil) async throws {
        let run = try await Binary.run(["store", "check", "--store", path])
        #expect(run.code == 0 && run.errors == "", "\(run.output)\(run.errors)")
        let sound = "'\(path)' is sound: \(rounds.map { "\($0) round" } ?? "")"
        #expect(run.output.hasPrefix(sound), "\(run.output)")
    }
}
