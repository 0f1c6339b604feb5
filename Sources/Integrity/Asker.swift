package import Catalogue
package import DNSWire

/// Sends one query to an endpoint and tells what came back.
package typealias CheckSend = @Sendable (Endpoint, Query) async -> Reply

/// Asks one resolver.
struct Asker: Sendable {
    let endpoint: Endpoint
    let send: CheckSend

    /// Asks once, and once more where nothing came back: one lost packet decides nothing.
    func ask(
        _ question: Question,
        over transport: TransportKind? = nil,
        _ configure: (inout QueryOptions) -> Void = { _ in }
    ) async -> Evidence {
        var options = QueryOptions()
        configure(&options)
        var endpoint = endpoint
        endpoint.transport = transport ?? endpoint.transport
        let asked = Self.words(question, options, over: transport)
        let query: Query
        do {
            query = try Query(question, options: options)
        } catch {
            return Evidence(asked: asked, reply: Reply(.malformed("\(error)")))
        }
        var reply = await send(endpoint, query)
        if reply.outcome == .silence { reply = await send(endpoint, query) }
        return Evidence(asked: asked, reply: reply)
    }

    /// Asks for a name's A records.
    func ask(_ name: DomainName) async -> Evidence { await ask(Question(name: name, type: .a)) }

    private static func words(
        _ question: Question,
        _ options: QueryOptions,
        over transport: TransportKind?
    ) -> String {
        let isChaos = question.recordClass == .chaos
        var text = "\(question.name)\(isChaos ? " CH" : "") \(question.type)"
        var marks: [String] = []
        if options.dnssecOK { marks.append("DO") }
        if options.checkingDisabled { marks.append("CD") }
        if options.nsid { marks.append("NSID") }
        if options.bufferSize != QueryOptions().bufferSize {
            marks.append("a buffer of \(options.bufferSize) octets")
        }
        if !marks.isEmpty { text += " with \(marks.joined(separator: ", "))" }
        return transport == .tcp ? "\(text) over TCP" : text
    }
}
