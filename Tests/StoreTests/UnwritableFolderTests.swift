#if os(Linux)
import Failures
import Fixtures
import LibC
import SQLite
import Samples
import Testing

@testable import Store

/// A store in a folder that is read-only for the reader, while another user writes to the store.
@Suite(.enabled("needs root", { (try? ReadOnlyView(of: TemporaryFolder())) != nil }))
struct UnwritableFolderTests {
    private let folder = TemporaryFolder()
    private let view: ReadOnlyView
    private let path: String

    init() throws {
        view = try ReadOnlyView(of: folder)
        path = folder.file("store.sqlite")
    }

    /// Stores rounds and closes the store.
    private func fill(run: String) throws {
        var simulation = try Simulation()
        _ = try simulation.fill(Store(path: path), run: run, rounds: 3)
    }

    @Test func `a reader detects later writes, and reads them after reopening`() throws {
        try fill(run: "a")
        let reader = try Store(path: view("store.sqlite"), access: .readOnly)
        #expect(try reader.info().rounds == 3 && !reader.isOutdated)
        try fill(run: "b")
        #expect(reader.isOutdated)
        #expect(try Store(path: view("store.sqlite"), access: .readOnly).info().rounds == 6)
    }

    @Test func `a write during a read is an error`() throws {
        try fill(run: "a")
        let reader = try Store(path: view("store.sqlite"), access: .readOnly)
        let error = #expect(throws: StoreError.self) {
            try reader.read { database in
                let before = try database.count("SELECT count(*) FROM round")
                try fill(run: "b")
                return before
            }
        }
        #expect(error?.status == .busy)
        #expect(error?.description.contains("was written while it was read") == true)
    }

    @Test func `a reader reads an existing log`() throws {
        let writer = try Store(path: path)
        var simulation = try Simulation()
        _ = try simulation.fill(writer, run: "a", rounds: 2)
        let reader = try Store(path: view("store.sqlite"), access: .readOnly)
        #expect(try reader.info().rounds == 2)
        _ = try simulation.fill(writer, run: "b", rounds: 2)
        #expect(try reader.info().rounds == 4 && !reader.isOutdated)
    }
}

/// A read-only view of a folder.
private final class ReadOnlyView: Sendable {
    private struct Unmounted: Error {}

    private let folder = TemporaryFolder()
    private let path: String

    init(of original: TemporaryFolder) throws {
        path = folder.path
        let flags = UInt(MS_BIND)
        guard unsafe mount(original.path, path, nil, flags, nil) == 0 else {
            throw Unmounted()
        }
        let readOnly = flags | UInt(MS_REMOUNT) | UInt(MS_RDONLY)
        guard unsafe mount(nil, path, nil, readOnly, nil) == 0 else {
            unsafe umount(path)
            throw Unmounted()
        }
    }

    deinit { unsafe umount(path) }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}
#endif
