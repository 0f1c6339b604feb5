/// Why a file's signature is not believed, in one line that names no file.
package struct SignatureError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The text is no public key.
        case key
        /// The text is no signature.
        case shape
        /// The signature is another key's.
        case foreign
        /// The octets are not those that were signed.
        case altered
    }

    package let kind: Kind
    package let description: String
}
