/// Options whose value may be left out: `--lab` means `--lab default`.
///
/// ArgumentParser has none; the value is joined to its option before parsing, so that a resolver
/// after a bare `--lab` stays a resolver.
enum OptionalValues {
    static func joined(_ arguments: some Sequence<String>) -> [String] {
        var joined: [String] = []
        var arguments = Array(arguments)[...]
        while let argument = arguments.popFirst() {
            if argument == "--" { return joined + [argument] + arguments }
            guard argument == "--lab" else {
                joined.append(argument)
                continue
            }
            if let value = arguments.first, LabChoice.isProfile(value) {
                joined.append("--lab=\(value)")
                arguments.removeFirst()
            } else {
                joined.append("--lab=\(LabChoice.standard)")
            }
        }
        return joined
    }
}
