import Foundation
import Samples
import SimulatedKernel
import Store

/// A client that requests one page of `serve` (HTTP/1.1).
final class PageClient {
    private let socket: UInt64
    private var bytes: [UInt8] = []
    private(set) var hasEnded = false

    /// Connects to the server on this port; `nil` without a server.
    init?(port: UInt16) {
        socket = simulated_dial(port)
        guard socket != 0 else { return nil }
        Internet.current.clients[socket] = self
    }

    /// Sends bytes to the server.
    func send(_ text: String) {
        _ = unsafe simulated_feed(socket, Array(text.utf8), text.utf8.count)
    }

    /// Closes the connection, or resets it.
    func close(isReset: Bool = false) { simulated_end(socket, isReset ? 1 : 0) }

    func take(_ sent: [UInt8]) { bytes += sent }

    func noteEnd() { hasEnded = true }

    /// The status and the body of the answer, as soon as it is complete.
    var answer: (status: Int, body: String)? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard hasEnded, let end = text.range(of: "\r\n\r\n") else { return nil }
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return (status, String(text[end.upperBound...]))
    }
}

/// The pages of `serve` at a place.
struct Pages {
    private let world: World
    private let place: Place
    private let process: SimulatedProcess
    /// Whether the process must answer each request.
    private let mustAnswer: Bool

    private static let paths = [
        "/", "/metrics", "/compare", "/api/overview", "/api/changes", "/nothing",
    ]
    /// The longest time until an answer, in nanoseconds.
    private static let patience: Int64 = 60_000_000_000

    init(_ world: World, at place: Place, of process: SimulatedProcess, mustAnswer: Bool) {
        (self.world, self.place) = (world, place)
        (self.process, self.mustAnswer) = (process, mustAnswer)
    }

    /// Requests some pages. Other clients leave early, or send invalid requests.
    func read() throws {
        if world.random.isOnce(in: 4), let other = PageClient(port: place.port) {
            let texts = ["GET /metrics HTTP/1.1\r\nHo", "\u{16}\u{3}\u{1}", request("/"), ""]
            other.send(world.random.pick(texts))
            if world.random.isOnce(in: 2) { other.close(isReset: world.random.isOnce(in: 2)) }
        }
        try checkMetrics()
        let path = world.random.pick(Self.paths)
        guard let (status, body) = try get(path) else { return }
        // A comparison needs two resolvers with answers.
        let isPossible =
            status == 200 && path != "/nothing" || status == 404 && path == "/nothing"
            || status == 400 && path == "/compare"
        guard isPossible || !mustAnswer else {
            throw Violation("the status \(status) of \(path): \(body.prefix(200))")
        }
        guard
            status != 200 || !path.hasPrefix("/api/")
                || (try? JSONSerialization.jsonObject(with: Data(body.utf8))) != nil
        else { throw Violation("\(path) is no JSON: \(body.prefix(200))") }
    }

    private func request(_ path: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(place.port)\r\nConnection: close\r\n\r\n"
    }

    /// The answer to a request; `nil` if the server has ended, or may refuse the request.
    private func get(_ path: String) throws -> (status: Int, body: String)? {
        guard process.code == nil, !process.isKilled else { return nil }
        guard let client = PageClient(port: place.port) else {
            guard !mustAnswer else { throw Violation("nothing listens for \(path)") }
            return nil
        }
        client.send(request(path))
        let process = process
        Kernel.run(for: Self.patience) { client.hasEnded || process.code != nil }
        world.counts.pages += 1
        if let answer = client.answer { return answer }
        guard !mustAnswer || process.code != nil else {
            throw Violation("no answer to \(path) within \(Self.patience / 1_000_000_000) s")
        }
        return nil
    }

    /// The counters of the metrics are those of the store when they were rendered.
    private func checkMetrics() throws {
        let earlier = try counts()
        guard let (status, body) = try get("/metrics") else { return }
        guard status == 200 else {
            guard !mustAnswer else {
                throw Violation("the status \(status) of the metrics: \(body)")
            }
            return
        }
        let later = try counts()
        var found: [String: Int] = [:]
        for line in body.split(separator: "\n") where line.hasPrefix("dnstempo_queries_total{") {
            let labels = line.split(separator: "\"", omittingEmptySubsequences: false)
            guard let resolver = labels.value(of: "resolver"),
                let outcome = labels.value(of: "outcome"),
                let count = line.split(separator: " ").last.flatMap({ Int($0) })
            else { throw Violation("an unreadable line of the metrics: \(line)") }
            found["\(resolver) \(outcome)", default: 0] += count
        }
        for key in Set(found.keys).union(later.keys) {
            let (least, most) = (earlier[key] ?? 0, later[key] ?? 0)
            guard (min(least, most)...most).contains(found[key] ?? 0) else {
                throw Violation(
                    "the metrics have \(found[key] ?? 0) queries of \(key), and the store \(least) to \(most)"
                )
            }
        }
    }

    /// The numbers of queries by resolver and outcome, from the store itself.
    private func counts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        guard FileManager.default.fileExists(atPath: place.store) else { return counts }
        let store = try Store(path: place.store, access: .readOnly, patience: .zero)
        try store.forEachRollup { sum in
            for outcome in Outcome.allCases where sum.counts[outcome] > 0 {
                counts["\(sum.target.label) \(outcome)", default: 0] += sum.counts[outcome]
            }
        }
        return counts
    }
}

extension [Substring] {
    /// The value of a label, in the parts of a line between its quotes.
    fileprivate func value(of label: String) -> Substring? {
        firstIndex { $0.hasSuffix("\(label)=") }.flatMap { $0 + 1 < count ? self[$0 + 1] : nil }
    }
}
