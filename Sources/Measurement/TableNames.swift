import DNSWire

/// File names for the tables of questions: `NAME.tsv`, or `NAME.TYPE.tsv` where a name has several
/// types.
struct TableNames {
    let fileNames: [String]

    init(of questions: [Question]) {
        var types: [DomainName: Int] = [:]
        for question in questions { types[question.name, default: 0] += 1 }
        let stems = questions.map { question in
            let name = question.name.description
            return types[question.name, default: 0] > 1 ? "\(name).\(question.type)" : name
        }
        fileNames = FileNames(of: stems, suffix: "tsv").fileNames
    }
}
