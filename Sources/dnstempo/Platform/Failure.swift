import ArgumentParser
import BrowserHistory
import Catalogue
import Central
import DNSWire
import Dashboard
import Evidence
import Files
import Lab
import LibC
import Measurement
import RemoteWrite
import Reports
import Samples
import Scheduling
import Store

/// The end of the program for a reason: one line, and the exit code that scripts rely on
/// (sysexits.h).
struct Failure: Error, CustomStringConvertible {
    enum Kind: Int32 {
        case condition = 1
        case usage = 64
        case badData = 65
        case noInput = 66
        case noResolver = 69
        /// The system grants too little to begin with.
        case system = 71
        case cannotCreate = 73
        case inputOutput = 74
        case busy = 75
        case configuration = 78
        case interrupted = 130
    }

    var kind: Kind
    /// One line that says what is wrong and what to do; empty where all was said already.
    var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    static func usage(_ description: String) -> Failure { Failure(.usage, description) }

    /// A word that is no value of `option`, with the nearest one that is, or `advice`.
    static func unknown(
        _ word: String,
        of option: String,
        among known: some Sequence<String>,
        else advice: String
    ) -> Failure {
        let near = NearestName.advice(for: word, among: known)
        return usage("\(option): unknown value '\(word)': \(near ?? advice)")
    }

    /// Refuses a name of `what` that files and stores cannot hold.
    static func check(name: String, of what: String) throws(Failure) {
        guard (1...Resolver.longestName).contains(name.utf8.count), !name.utf8.contains(0) else {
            throw usage("the name of \(what) has 1 to \(Resolver.longestName) octets: give another")
        }
    }

    /// Refuses a command of which one of `faults` holds, the first of them.
    static func refuse(_ faults: KeyValuePairs<String, Bool>) throws(Failure) {
        if let fault = faults.first(where: \.value) { throw usage(fault.key) }
    }

    /// Nobody answered; `advice` is the question that may be to blame.
    static func noAnswer(_ advice: String = "is there a network?") -> Failure {
        Failure(.noResolver, "no resolver answered; \(advice)")
    }

    /// The reason of the last call to the system that failed (errno).
    static var reasonOfSystem: String { unsafe String(cString: strerror(errno)) }

    /// The exit code and the one line that belong to any error of the modules or of the parser.
    init(describing error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as CatalogueError: self.init(code: error.kind.rawValue, "\(error)")
        case let error as OutputError:
            self.init(code: error.exitCode, EscapedText.terminal("\(error)"))
        case let error as ScheduleError: self.init(code: error.kind.rawValue, "\(error)")
        case let error as EvidenceError: self.init(code: error.kind.rawValue, "\(error)")
        case let error as CentralError: self.init(code: error.kind.rawValue, "\(error)")
        case let error as RemoteWriteError: self.init(code: error.kind.rawValue, "\(error)")
        case let error as StoreError: self.init(code: error.kind.rawValue, "\(error)")
        case let error as BrowserHistoryError:
            self.init(code: error.kind.rawValue, "--domains-from: \(error)")
        case is DashboardError: self.init(.cannotCreate, "\(error)")
        case is SamplesError: self.init(.badData, "\(error)")
        case is NameError, is WireError, is PlanError, is PaceError, is LabError:
            self.init(.usage, "\(error)")
        default: self.init(.usage, Self.line(of: error))
        }
    }

    private init(code: Int32, _ description: String) {
        self.init(Kind(rawValue: code) ?? .inputOutput, description)
    }

    /// The parser's own message without the usage that it puts below, and where to read on.
    private static func line(of error: any Error) -> String {
        let message = Dnstempo.message(for: error)
            .split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
            .joined(separator: " ")
        return message.hasSuffix("?") || message.contains("--help")
            ? String(message) : "\(message) (see --help)"
    }
}
