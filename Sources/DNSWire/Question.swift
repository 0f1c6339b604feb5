/// What is asked: a name, a type and a class.
package struct Question: Hashable, Sendable {
    package var name: DomainName
    package var type: RecordType
    package var recordClass: RecordClass

    package init(name: DomainName, type: RecordType, recordClass: RecordClass = .internet) {
        self.name = name
        self.type = type
        self.recordClass = recordClass
    }
}
