import Catalogue
import Failures
import History
import Samples
import Store

extension HistorySource {
    /// The run with this name or prefix. `last` means the last comparison, or the last run if there is no
    /// comparison.
    func run(named name: String) throws -> StoredRun {
        let runs = try recorded.runs()
        if name == "last" {
            let ended = runs.sorted { $0.span.upperBound < $1.span.upperBound }
            if let last = ended.last(where: { $0.run.origin == .compare }) ?? ended.last {
                return last
            }
            throw Failure(.noInput, "there is no run yet: measure one with 'dnstempo compare'")
        }
        let found = runs.filter { $0.run.id.hasPrefix(name) }
        if let exact = found.first(where: { $0.run.id == name }) { return exact }
        if found.count == 1 { return found[0] }
        if let first = found.first, let last = found.last {
            throw Failure.usage(
                "\(found.count) runs begin with '\(name)', from '\(first.run.id)' to "
                    + "'\(last.run.id)': write more characters of the name"
            )
        }
        let ids = runs.map(\.run.id)
        let near = NearestName.question(name, among: ids + ["last"])
        let newest = ids.last.map { "; the newest run is '\($0)'" } ?? "; no run was stored yet"
        throw Failure(
            .noInput,
            "there is no file '\(name)', and no run of that name" + (near.isEmpty ? newest : near)
        )
    }

    /// The samples of one run.
    func recording(of found: StoredRun) throws -> Recording {
        let end = found.span.upperBound.advanced(by: .nanoseconds(1))
        let recording = try recording(found.span.lowerBound..<end).rounds(of: found.run)
        guard !recording.samples.isEmpty else {
            throw Failure(
                .noInput,
                "the samples of run '\(found.run.id)' are no longer kept; its hourly sums are in "
                    + "'dnstempo report --origin \(found.run.origin)'"
            )
        }
        return recording
    }
}
