#if DEBUG || TESTABLE
import FuzzJudge
import Integrity

@testable import DNSWire

/// The data of SVCB records, and the designations made of them. Each designation is written in
/// visible ASCII characters only.
enum ServiceTarget {
    static func take(_ input: [UInt8]) {
        // Each record follows its length.
        var bindings: [ServiceBinding] = []
        var rest = input[...]
        while let count = rest.popFirst(), bindings.count < 8 {
            let data = Array(rest.prefix(Int(count)))
            rest = rest.dropFirst(Int(count))
            guard let binding = try? ServiceBinding(data) else { continue }
            guard binding.priority == data.number(at: 0) else { accuse("another priority") }
            bindings.append(binding)
        }
        for designation in Designation.all(of: bindings) {
            let notation = designation.notation
            guard notation.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                accuse("a designation is written as '\(notation)'")
            }
        }
    }
}
#endif
