/// Takes a time's text apart, octet by octet.
struct DigitScanner<Text: Sequence<UInt8>> {
    private var rest: Text.Iterator
    private var next: UInt8?

    init(_ text: Text) {
        rest = text.makeIterator()
        next = rest.next()
    }

    var isAtEnd: Bool { next == nil }

    /// Takes `character` if it is the next one.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let octet = next, UInt32(octet) == character.value else { return false }
        next = rest.next()
        return true
    }

    /// Takes exactly `count` digits; `nil` where there are fewer.
    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Takes one to nine digits after the point, in billionths.
    mutating func fraction() -> Int? {
        guard var value = digit() else { return nil }
        for _ in 1..<9 { value = value * 10 + (digit() ?? 0) }
        return value
    }

    /// Takes `Z`, or an offset from UTC such as `-05:30`, in seconds.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let east = skip("+")
        guard east || skip("-"), let hours = digits(2), skip(":"), let minutes = digits(2),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (east ? 1 : -1)
    }

    private mutating func digit() -> Int? {
        guard let octet = next, octet >= UInt8(ascii: "0"), octet <= UInt8(ascii: "9") else {
            return nil
        }
        next = rest.next()
        return Int(octet - UInt8(ascii: "0"))
    }
}
