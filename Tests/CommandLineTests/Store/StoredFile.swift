import Servers
import Testing

/// A store as its user, and as another program, sees it.
struct StoredFile {
    let path: String

    init(_ path: String) { self.path = path }

    /// What `store info` says.
    func info() async throws -> JSON {
        let run = try await Binary.succeedSilently([
            "store", "info", "--store", path, "--format", "json",
        ])
        return try JSON(run.output)
    }

    /// What SQLite's own shell prints; changes what `sql` says.
    @discardableResult
    func query(_ sql: String) async throws -> String {
        let run = try await Program("sqlite3", package: "sqlite3")
            .run(["-batch", "-init", "/dev/null", path, sql])
        #expect(run.code == 0 && run.errors == "")
        return run.output
    }

    /// Expects that `store check` finds no fault, and the number of rounds if one is given.
    func expectSound(rounds: Int? = nil) async throws {
        let run = try await Binary.run(["store", "check", "--store", path])
        #expect(run.code == 0 && run.errors == "", "\(run.output)\(run.errors)")
        let sound = "'\(path)' is sound: \(rounds.map { "\($0) round" } ?? "")"
        #expect(run.output.hasPrefix(sound), "\(run.output)")
    }
}
