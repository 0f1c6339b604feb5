#if DEBUG || TESTABLE
import Foundation
import Samples
import Store

/// A store file, opened and read by all readers of stores.
enum StoreTarget {
    private static let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("fuzz-\(ProcessInfo.processInfo.processIdentifier).sqlite").path

    static func take(_ input: [UInt8]) {
        // Files that an earlier input left next to its store do not belong to this input.
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        try? Data(input).write(to: URL(fileURLWithPath: path))
        guard let store = try? Store(path: path, access: .readOnly) else { return }
        _ = try? store.info()
        _ = try? store.check()
        _ = try? store.spans()
        _ = try? store.targets()
        _ = try? store.rounds()
        _ = try? store.sites()
        try? store.forEachRollup { _ in }
        _ = try? store.noticeLog(from: "home")
        _ = try? store.traces()
        for sample in (try? store.recording())?.samples ?? []
        where (sample.observation.roundTrip ?? 0) < 0 {
            accuse("a negative time")
        }
    }
}
#endif
