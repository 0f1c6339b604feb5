#if (DEBUG || TESTABLE) && QUIC
import CGnuTLS

/// The protection of QUIC packets in one direction (RFC 9001 §5), with AES-128-GCM only.
struct PacketKeys {
    private let key: [UInt8]
    private let initialVector: [UInt8]
    private let header: [UInt8]

    /// The keys from a secret of the handshake.
    init(secret: [UInt8]) {
        key = Self.expand(secret, "quic key", 16)
        initialVector = Self.expand(secret, "quic iv", 12)
        header = Self.expand(secret, "quic hp", 16)
    }

    /// The keys of the client's or the server's Initial packets, which any host can read (§5.2).
    init(initialOf destination: [UInt8], label: String) {
        let salt: [UInt8] = [
            0x38, 0x76, 0x2c, 0xf7, 0xf5, 0x59, 0x34, 0xb3, 0x4d, 0x17, 0x9a, 0xe6, 0xa4, 0xc8,
            0x0c,
            0xad, 0xcc, 0xbb, 0x7f, 0x0a,
        ]
        var secret = [UInt8](repeating: 0, count: 32)
        unsafe Self.lend(destination, salt) { key, salt in
            _ = unsafe gnutls_hkdf_extract(GNUTLS_MAC_SHA256, &key, &salt, &secret)
        }
        self.init(secret: Self.expand(secret, label, 32))
    }

    /// Encrypts `payload`. `front` is the header, which ends with a packet number of two bytes.
    func seal(_ payload: [UInt8], behind front: [UInt8], number: UInt16) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: payload.count + 16)
        var size = sealed.count
        let nonce = nonce(number)
        unsafe withCipher { cipher in
            _ = unsafe gnutls_aead_cipher_encrypt(
                cipher,
                nonce,
                nonce.count,
                front,
                front.count,
                16,
                payload,
                payload.count,
                &sealed,
                &size
            )
        }
        var packet = front + sealed
        mask(&packet, at: front.count - 2)
        return packet
    }

    /// Returns the content of the sealed `packet`, whose packet number is at `place`; `nil` if the
    /// seal is invalid.
    func open(_ packet: [UInt8], numberAt place: Int) -> [UInt8]? {
        guard packet.count >= place + 20 else { return nil }
        var packet = packet
        let bits = headerMask(packet, at: place)
        packet[0] ^= bits[0] & 0x0f
        let length = Int(packet[0] & 3) + 1
        for index in 0..<length { packet[place + index] ^= bits[1 + index] }
        let number = packet[place..<place + length].reduce(0) { $0 << 8 | UInt16($1) }
        let front = Array(packet[..<(place + length)])
        let sealed = Array(packet[(place + length)...])
        var payload = [UInt8](repeating: 0, count: sealed.count)
        var size = payload.count
        let nonce = nonce(number)
        let isOpen = unsafe withCipher { cipher in
            unsafe gnutls_aead_cipher_decrypt(
                cipher,
                nonce,
                nonce.count,
                front,
                front.count,
                16,
                sealed,
                sealed.count,
                &payload,
                &size
            ) == 0
        }
        return isOpen ? Array(payload[..<size]) : nil
    }

    // MARK: Parts

    private func nonce(_ number: UInt16) -> [UInt8] {
        var nonce = initialVector
        nonce[10] ^= UInt8(number >> 8)
        nonce[11] ^= UInt8(number & 0xff)
        return nonce
    }

    private func mask(_ packet: inout [UInt8], at place: Int) {
        let bits = headerMask(packet, at: place)
        packet[0] ^= bits[0] & (packet[0] & 0x80 != 0 ? 0x0f : 0x1f)
        for index in 0..<2 { packet[place + index] ^= bits[1 + index] }
    }

    /// Returns AES of the 16 bytes that begin four bytes after the beginning of the packet number
    /// (§5.4.3).
    private func headerMask(_ packet: [UInt8], at place: Int) -> [UInt8] {
        let sample = Array(packet[(place + 4)..<(place + 20)])
        var mask = [UInt8](repeating: 0, count: 16)
        // GnuTLS has no bare block cipher. CBC of one block with a zero vector is equivalent.
        let zero = [UInt8](repeating: 0, count: 16)
        unsafe Self.lend(header, zero) { key, vector in
            var cipher: gnutls_cipher_hd_t?
            guard unsafe gnutls_cipher_init(&cipher, GNUTLS_CIPHER_AES_128_CBC, &key, &vector) == 0,
                let cipher = unsafe cipher
            else { return }
            _ = unsafe gnutls_cipher_encrypt2(cipher, sample, 16, &mask, 16)
            unsafe gnutls_cipher_deinit(cipher)
        }
        return mask
    }

    @discardableResult
    private func withCipher<R>(_ body: (gnutls_aead_cipher_hd_t) -> R) -> R {
        unsafe Self.lend(key, []) { key, _ in
            var cipher: gnutls_aead_cipher_hd_t?
            guard unsafe gnutls_aead_cipher_init(&cipher, GNUTLS_CIPHER_AES_128_GCM, &key) == 0,
                let cipher = unsafe cipher
            else { accuse("no cipher can be made") }
            defer { unsafe gnutls_aead_cipher_deinit(cipher) }
            return unsafe body(cipher)
        }
    }

    /// Returns HKDF-Expand-Label (RFC 8446 §7.1) without a context.
    private static func expand(_ secret: [UInt8], _ label: String, _ size: Int) -> [UInt8] {
        let label = Array("tls13 \(label)".utf8)
        let info = [UInt8(size >> 8), UInt8(size & 0xff), UInt8(label.count)] + label + [0]
        var octets = [UInt8](repeating: 0, count: size)
        unsafe lend(secret, info) { key, info in
            _ = unsafe gnutls_hkdf_expand(GNUTLS_MAC_SHA256, &key, &info, &octets, size)
        }
        return octets
    }

    private static func lend<R>(
        _ first: [UInt8],
        _ second: [UInt8],
        _ body: (inout gnutls_datum_t, inout gnutls_datum_t) -> R
    ) -> R {
        var (first, second) = (first, second)
        return unsafe first.withUnsafeMutableBufferPointer { first in
            unsafe second.withUnsafeMutableBufferPointer { second in
                var left = unsafe gnutls_datum_t(data: first.baseAddress, size: UInt32(first.count))
                var right = unsafe gnutls_datum_t(
                    data: second.baseAddress,
                    size: UInt32(second.count)
                )
                return unsafe body(&left, &right)
            }
        }
    }
}
#endif
