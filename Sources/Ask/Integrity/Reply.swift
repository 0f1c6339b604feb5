package import Catalogue
package import DNSWire

/// The outcome of one query.
package struct Reply: Hashable, Sendable, CustomStringConvertible {
    package var outcome: QueryResult
    /// Whether the answer over UDP was truncated. `outcome` is then the outcome over TCP.
    package var wasTruncated: Bool

    package init(_ outcome: QueryResult, wasTruncated: Bool = false) {
        self.outcome = outcome
        self.wasTruncated = wasTruncated
    }

    package var response: Response? { outcome.response }

    /// Whether the query was sent and could be answered. Otherwise its outcome shows nothing about
    /// the resolver.
    var wasAsked: Bool {
        switch outcome {
        case .noRoute, .wrongAddress, .blocked, .cancelled: false
        case .response, .malformed, .timeout, .unreachable, .untrusted: true
        }
    }

    /// The response code, addresses and texts, or the reason why there is no response.
    package var description: String {
        let words =
            switch outcome {
            case .response(let response): response.words
            case .timeout: "no answer"
            case .unreachable(let reason): "not reached (\(reason))"
            case .untrusted(let distrust): "not reached (\(distrust.reason))"
            case .noRoute: "no route"
            case .wrongAddress(let reason): "not sent (\(reason))"
            case .malformed(let reason): "a response that \(reason)"
            case .blocked: "not asked, outside the allowed networks"
            case .cancelled: "given up"
            }
        return wasTruncated ? "truncated over UDP, then over TCP \(words)" : words
    }
}

extension Reply {
    /// The A and AAAA records of the answer; empty without an answer.
    var addresses: [IPAddress] { (response?.addresses ?? []).compactMap { IPAddress(bytes: $0) } }

    /// Whether the response is without an error and has answer records.
    var resolves: Bool {
        response.map { $0.code == .noError && $0.answerCount > 0 } ?? false
    }

    /// Whether the response states that the name does not exist or has no address.
    var deniesAddress: Bool {
        guard let response else { return false }
        return response.code == .nxDomain || response.code == .noError && addresses.isEmpty
    }
}

extension Response {
    /// Text such as `NOERROR 192.0.2.1 (validated)` or `SERVFAIL (extended error 6 (DNSSEC
    /// Bogus))`.
    fileprivate var words: String {
        var words = [code.description]
        let shown = addresses.compactMap { IPAddress(bytes: $0)?.description }
        words += shown.prefix(4)
        if shown.count > 4 { words.append("and \(shown.count - 4) more") }
        words += texts.prefix(4).map { "\"\($0.joined(separator: " ").prefix(80))\"" }
        if code == .noError && answerCount == 0 { words.append("without an answer") }
        var notes: [String] = []
        if authenticData { notes.append("validated") }
        if let nsid, !nsid.isEmpty {
            notes.append("NSID \"\(PresentationText.escaped(Array(nsid.prefix(80))))\"")
        }
        notes += extendedErrors.prefix(2).map { "extended error \($0)" }
        if !notes.isEmpty { words.append("(\(notes.joined(separator: ", ")))") }
        return words.joined(separator: " ")
    }
}

/// Sends one query to an endpoint and returns the reply.
package typealias CheckSend = @Sendable (Endpoint, Query) async -> Reply

struct Asker: Sendable {
    let endpoint: Endpoint
    let send: CheckSend

    /// Sends a query, and repeats it once if no response arrived, because one lost packet is no
    /// evidence. Without `isRepeated`, it does not repeat the query.
    func ask(
        _ question: Question,
        over transport: TransportKind? = nil,
        isRepeated: Bool = true,
        _ configure: (inout QueryOptions) -> Void = { _ in }
    ) async -> Evidence {
        var options = QueryOptions()
        configure(&options)
        var endpoint = endpoint
        endpoint.transport = transport ?? endpoint.transport
        let asked = Self.words(question, options, over: transport)
        do {
            let query = try Query(question, options: options)
            var reply = await send(endpoint, query)
            if isRepeated, reply.outcome == .timeout { reply = await send(endpoint, query) }
            return Evidence(asked: asked, reply: reply)
        } catch {
            return Evidence(asked: asked, reply: Reply(.malformed("\(error)")))
        }
    }

    func ask(_ name: DomainName) async -> Evidence { await ask(Question(name: name, type: .a)) }

    private static func words(
        _ question: Question,
        _ options: QueryOptions,
        over transport: TransportKind?
    ) -> String {
        let isChaos = question.recordClass == .chaos
        var text = "\(question.name)\(isChaos ? " CH" : "") \(question.type)"
        let marks = [
            (options.dnssecOK, "DO"), (options.checkingDisabled, "CD"), (options.nsid, "NSID"),
            (
                options.bufferSize != QueryOptions().bufferSize,
                "a buffer of \(options.bufferSize) bytes"
            ),
        ].filter(\.0).map(\.1)
        if !marks.isEmpty { text += " with \(marks.joined(separator: ", "))" }
        return transport == .tcp ? "\(text) over TCP" : text
    }
}

extension Collection where Element: Sendable {
    /// The results of `transform` in the elements' order. It runs for all elements at the same
    /// time, or for at most `atOnce` elements.
    package func concurrentMap<Result: Sendable>(
        atOnce most: Int = .max,
        _ transform: @escaping @Sendable (Element) async -> Result
    ) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { group in
            var results: [(Int, Result)] = []
            for (index, element) in enumerated() {
                if index >= most, let result = await group.next() { results.append(result) }
                group.addTask { (index, await transform(element)) }
            }
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
