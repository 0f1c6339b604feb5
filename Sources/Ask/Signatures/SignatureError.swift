/// The reason why a file's signature is not valid, in one line without a file name.
package struct SignatureError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The text is not a public key.
        case key
        /// The text is not a signature.
        case shape
        /// The signature belongs to another key.
        case foreign
        /// The content differs from the signed content.
        case altered
    }

    package let kind: Kind
    package let description: String
}
