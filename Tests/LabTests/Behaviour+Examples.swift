import Catalogue
import DNSWire

@testable import Lab

extension Behaviour {
    /// A resolver that answers at once and truly, with one thing changed.
    static func plain(_ change: (inout Behaviour) -> Void = { _ in }) -> Behaviour {
        var behaviour = Behaviour(name: "brook", baseDelay: .zero)
        change(&behaviour)
        return behaviour
    }

    /// 14 ms and a log-normal delay around 2 ms.
    static func spread(_ change: (inout Behaviour) -> Void = { _ in }) -> Behaviour {
        var behaviour = Behaviour(name: "harbour", baseDelay: .milliseconds(14))
        behaviour.jitter = .milliseconds(2)
        behaviour.sigma = 0.8
        change(&behaviour)
        return behaviour
    }
}

extension SimulatedResolver {
    /// The first resolver of a lab with this behaviour.
    init(_ behaviour: Behaviour, seed: UInt64 = 7) {
        self.init(behaviour, seed: seed, index: 0)
    }
}

extension Query {
    /// A query for `name`, with options changed.
    static func example(
        _ name: String = "www.example.com",
        _ type: RecordType = .a,
        _ change: (inout QueryOptions) -> Void = { _ in }
    ) throws -> Query {
        var options = QueryOptions()
        change(&options)
        return try Query(Question(name: DomainName(name), type: type), options: options)
    }

    /// What a message is to the query sent under `id`.
    func reading(of message: [UInt8], id: UInt16) -> Reading { read(message.span, id: id) }
}

extension Reading {
    /// The response, if it is one to the query.
    var response: Response? {
        if case .response(let response) = self { response } else { nil }
    }
}
