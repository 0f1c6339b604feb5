import Fixtures
import LibC
import Testing

@testable import Store

/// Stores whose file is moved while its log remains.
struct LeftLogTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("store.sqlite") }

    /// Opens a store with 30 rounds in its file and 3 rounds in its log.
    private func opened(_ simulation: inout Simulation) throws -> Store {
        let store = try Store(path: path)
        _ = try simulation.fill(store, run: "a", rounds: 30)
        try store.foldLog()
        _ = try simulation.fill(store, run: "b", rounds: 3)
        return store
    }

    @Test func `the log of a moved store is not applied to a new store`() throws {
        var simulation = try Simulation()
        let old = try opened(&simulation)
        #expect(unsafe rename(path, folder.file("away.sqlite")) == 0)
        let new = try Store(path: path)
        #expect(try new.info().rounds == 0)
        _ = try simulation.fill(new, run: "c", rounds: 2)
        #expect(try new.check().findings == [])
        #expect(try new.info().rounds == 2)
        #expect(try !File.read(path + "-wal.left").isEmpty)
        // A process that still has the old store open can write the log into its file.
        try old.foldLog()
        let away = try Store(path: folder.file("away.sqlite"), access: .readOnly)
        #expect(try away.info().rounds == 33)
        #expect(try away.check().findings == [])
    }

    @Test func `a folded log leaves no file behind`() throws {
        var simulation = try Simulation()
        let old = try opened(&simulation)
        #expect(unsafe rename(path, folder.file("away.sqlite")) == 0)
        try old.foldLog()
        let new = try Store(path: path)
        _ = try simulation.fill(new, run: "c", rounds: 2)
        #expect(try new.check().findings == [])
        #expect((try? File.read(path + "-wal.left")) == nil)
    }
}
