import Samples
import Scheduling
import Store

/// When the scheduled rounds of a store began.
enum StoredRounds {
    /// Those that a schedule's command took, or all that `sample` did where it does not say which
    /// are its own; none where there is no store yet.
    static func times(of command: ScheduledCommand) throws -> [Timestamp] {
        guard let path = command.store else { return [] }
        if AbsolutePath.isMissing(path) { return [] }
        let scheduled = Store.Window(origins: [.sample], includesMarked: true)
        return try Store(path: path, access: .readOnly).rounds(scheduled)
            .filter { command.schedule == nil || $0.run.schedule == command.schedule }
            .map(\.round.started)
    }
}
