import ArgumentParser
import Central
import Failures
import History
import Samples
import Synchronization

/// The option of commands that read a central store.
struct LeftOutOption: ParsableArguments {
    @Option(
        name: .customLong("without-place"),
        help: "Leave out this place of a central store; repeatable.".naming("number")
    )
    var withoutPlace: [Int] = []

    /// The excluded places of each central store, by the store's URL. Each reader in this process also
    /// excludes the places that another reader could not read.
    private static let known = Mutex<[String: LeftOutPlaces]>([:])

    /// Prints the unreadable places so far on standard error, for outputs without notes. Their names are
    /// left out if the outputs are redacted.
    func mentionUnread(isRedacted: Bool = false) {
        Self.known.withLock { $0.values.flatMap(\.unread) }
            .map { isRedacted ? RedactedSource.unreadPlace : $0.sentences }
            .forEach(Terminal.mention)
    }

    /// The places excluded from the named store. Throws if the option is given for files.
    func places(of names: [String]) throws -> LeftOutPlaces {
        let url = names.first { CentralAddress.isURL($0) }
        guard let url else {
            try Failure.refuse([
                "--without-place is for a central store: name one with --store URL":
                    !withoutPlace.isEmpty
            ])
            return LeftOutPlaces()
        }
        return Self.known.withLock { known in
            let places = known[url] ?? LeftOutPlaces(Set(withoutPlace))
            known[url] = places
            return places
        }
    }
}

extension UnreadPlace {
    /// The observation, its meaning for the result, and the remedy. The text is safe for a terminal.
    var sentences: String {
        let reason = EscapedText.terminal(reason)
        let subject = "Place \(source) (\(EscapedText.terminal(vantage)))"
        return
            "\(subject) could not be read: \(reason). Its rounds are left out. Run dnstempo store "
            + "check, or add --without-place \(source)."
    }
}
