/// What is asked: a name, a type and a class.
public struct Question: Hashable, Sendable {
    public var name: DomainName
    public var type: RecordType
    public var recordClass: RecordClass

    public init(name: DomainName, type: RecordType, recordClass: RecordClass = .internet) {
        self.name = name
        self.type = type
        self.recordClass = recordClass
    }
}
