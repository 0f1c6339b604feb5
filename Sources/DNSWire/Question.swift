/// What is asked: a name and a type, class IN.
public struct Question: Hashable, Sendable {
    public var name: DomainName
    public var type: RecordType

    public init(name: DomainName, type: RecordType) {
        self.name = name
        self.type = type
    }
}
