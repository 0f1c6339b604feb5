import Catalogue
import DNSWire

@testable import Lab

extension Behaviour {
    /// A resolver without delay or faults, with the given change.
    static func plain(_ change: (inout Behaviour) -> Void = { _ in }) -> Behaviour {
        var behaviour = Behaviour(name: "brook", baseDelay: .zero)
        change(&behaviour)
        return behaviour
    }

    /// A resolver with a base delay of 14 ms and an additional log-normal delay with a median of 2 ms, with
    /// the given change.
    static func spread(_ change: (inout Behaviour) -> Void = { _ in }) -> Behaviour {
        var behaviour = Behaviour(name: "harbour", baseDelay: .milliseconds(14))
        behaviour.jitter = .milliseconds(2)
        behaviour.sigma = 0.8
        change(&behaviour)
        return behaviour
    }
}

extension SimulatedResolver {
    /// Creates the first resolver of a lab, with this behaviour.
    init(_ behaviour: Behaviour, seed: UInt64 = 7) {
        self.init(behaviour, seed: seed, index: 0)
    }
}

extension Query {
    /// Returns a query for `name`, with the given change of the default options.
    static func example(
        _ name: String = "www.example.com",
        _ type: RecordType = .a,
        _ change: (inout QueryOptions) -> Void = { _ in }
    ) throws -> Query {
        var options = QueryOptions()
        change(&options)
        return try Query(Question(name: DomainName(name), type: type), options: options)
    }

    /// Returns the meaning of a message for the query that was sent with `id`.
    func reading(of message: [UInt8], id: UInt16) -> Reading { read(message.span, id: id) }
}

extension Reading {
    /// The response to the query; `nil` for any other message.
    var response: Response? {
        if case .response(let response) = self { response } else { nil }
    }
}
