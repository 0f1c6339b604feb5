import CGnuTLS
import Catalogue
import DNSWire
import LibC

/// The sole owner of a GnuTLS certificate; `deinit` frees it.
@safe
struct TLSCertificate: ~Copyable {
    private let certificate: gnutls_x509_crt_t

    /// Reads a certificate in DER; `nil` if the data is not a certificate.
    init?(_ encoded: gnutls_datum_t) {
        var made: gnutls_x509_crt_t?
        guard unsafe gnutls_x509_crt_init(&made) == 0, let certificate = unsafe made else {
            return nil
        }
        var encoded = unsafe encoded
        guard unsafe gnutls_x509_crt_import(certificate, &encoded, GNUTLS_X509_FMT_DER) == 0 else {
            unsafe gnutls_x509_crt_deinit(certificate)
            return nil
        }
        unsafe self.certificate = certificate
    }

    /// The certificate of the trusted root that signed `other`; `nil` if it is missing.
    init?(rootOf other: borrowing TLSCertificate, in roots: gnutls_certificate_credentials_t) {
        var found: gnutls_x509_crt_t?
        let flags = UInt32(GNUTLS_TL_GET_COPY.rawValue)
        let code = unsafe gnutls_certificate_get_issuer(roots, other.certificate, &found, flags)
        guard code == 0, let certificate = unsafe found else { return nil }
        unsafe self.certificate = certificate
    }

    deinit { unsafe gnutls_x509_crt_deinit(certificate) }

    /// The SHA-256 of its public key (SPKI).
    var publicKeyDigest: [UInt8]? {
        var digest = [UInt8](repeating: 0, count: 32)
        var size = digest.count
        let kind = UInt32(GNUTLS_KEYID_USE_SHA256.rawValue)
        guard unsafe gnutls_x509_crt_get_key_id(certificate, kind, &digest, &size) == 0 else {
            return nil
        }
        return digest
    }

    /// Whether the key has at most 16,384 bits and, for RSA, an exponent of at most 64 bits. OpenSSL has
    /// these limits for large keys.
    var hasBoundedKey: Bool {
        var bits: UInt32 = 0
        _ = unsafe gnutls_x509_crt_get_pk_algorithm(certificate, &bits)
        var (modulus, exponent) = unsafe (gnutls_datum_t(), gnutls_datum_t())
        let code = unsafe gnutls_x509_crt_get_pk_rsa_raw(certificate, &modulus, &exponent)
        guard code == 0 else { return bits <= 16_384 }
        defer {
            unsafe free(modulus.data)
            unsafe free(exponent.data)
        }
        let data = unsafe UnsafeBufferPointer(start: exponent.data, count: Int(exponent.size))
        return unsafe bits <= 16_384 && data.drop { $0 == 0 }.count <= 8
    }

    /// The SHA-256 of the part that the issuer signed (the TBSCertificate of RFC 5280 §4.1).
    var signedPartDigest: [UInt8]? {
        var size = 0
        // Without a buffer the function returns the required size.
        _ = unsafe gnutls_x509_crt_export(certificate, GNUTLS_X509_FMT_DER, nil, &size)
        var data = [UInt8](repeating: 0, count: size)
        let code = unsafe gnutls_x509_crt_export(certificate, GNUTLS_X509_FMT_DER, &data, &size)
        guard code == 0, let whole = DERElement(at: 0, in: data),
            let part = DERElement(at: whole.content.lowerBound, in: data)
        else { return nil }
        return SHA256.hash(Array(data[part.range]))
    }

    /// Whether the certificate is valid for `address`, four or sixteen bytes (RFC 5280 §4.2.1.6, iPAddress).
    func names(_ address: [UInt8]) -> Bool {
        unsafe gnutls_x509_crt_check_ip(certificate, address, UInt32(address.count), 0) != 0
    }

    var isSelfSigned: Bool {
        unsafe gnutls_x509_crt_check_issuer(certificate, certificate) == 1
    }

    /// The name of the issuer, in printable form.
    var issuer: String {
        let (code, data) = unsafe read { buffer, size in
            let text = unsafe buffer.assumingMemoryBound(to: CChar.self)
            return unsafe gnutls_x509_crt_get_issuer_dn(certificate, text, &size)
        }
        return code < 0 || data.isEmpty ? "without a name" : CertificateNames.shown(data)
    }

    /// The last day of its validity (UTC), such as `2026-11-21`.
    var lastDay: String { Self.day(unsafe gnutls_x509_crt_get_expiration_time(certificate)) }

    /// The first day of its validity (UTC).
    var firstDay: String { Self.day(unsafe gnutls_x509_crt_get_activation_time(certificate)) }

    private static func day(_ time: time_t) -> String {
        var (time, parts) = unsafe (time, tm())
        guard unsafe gmtime_r(&time, &parts) != nil else { return "an unknown day" }
        let numbers = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
        return numbers.map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: "-")
    }

    /// The names in the certificate: the alternative names (RFC 5280 §4.2.1.6), or else the subject's name.
    var names: CertificateNames {
        var names = CertificateNames()
        for number in 0..<UInt32(CertificateNames.mostRead) {
            let (kind, data) = unsafe read { buffer, size in
                unsafe gnutls_x509_crt_get_subject_alt_name(certificate, number, buffer, &size, nil)
            }
            if kind == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE { break }
            names.add(data, isAddress: kind == GNUTLS_SAN_IPADDRESS.rawValue)
        }
        guard names.isEmpty else { return names }
        let (code, data) = unsafe read { buffer, size in
            unsafe gnutls_x509_crt_get_dn_by_oid(certificate, "2.5.4.3", 0, 0, buffer, &size)
        }
        if code >= 0 { names.add(data) }
        return names
    }

    /// The result code of a GnuTLS function and the bytes that it writes. No bytes if they are longer than
    /// any name.
    private func read(
        _ function: (UnsafeMutableRawPointer, inout Int) -> Int32
    ) -> (code: Int32, bytes: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 1024)
        var size = buffer.count
        let code = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe function($0, &size) } ?? -1
        }
        return (code, code < 0 ? [] : Array(buffer.prefix(size)))
    }

    func isSigned(by issuer: borrowing TLSCertificate) -> Bool {
        guard unsafe gnutls_x509_crt_check_issuer(certificate, issuer.certificate) == 1 else {
            return false
        }
        var authority: gnutls_x509_crt_t? = unsafe issuer.certificate
        var status: UInt32 = 0
        // The verification of the whole chain checks the validity period.
        let flags = UInt32(GNUTLS_VERIFY_DISABLE_TIME_CHECKS.rawValue)
        let code = unsafe gnutls_x509_crt_verify(certificate, &authority, 1, flags, &status)
        return code == 0 && status == 0
    }
}

/// The names in a certificate, limited for output: third parties write these names.
struct CertificateNames {
    static let mostRead = 64
    private static let mostShown = 3
    private static let longest = 64

    private var shown: [String] = []
    private var count = 0
    /// The first name that is a single host.
    private(set) var host: String?

    var isEmpty: Bool { count == 0 }

    /// The first few, such as `dns.example, 192.0.2.1 and 3 more`.
    var text: String {
        guard !isEmpty else { return "no name" }
        let more = count > shown.count ? " and \(count - shown.count) more" : ""
        return shown.joined(separator: ", ") + more
    }

    mutating func add(_ data: [UInt8], isAddress: Bool = false) {
        count += 1
        let address = isAddress ? IPAddress(bytes: data)?.description : nil
        let name = address ?? Self.shown(data)
        if shown.count < Self.mostShown { shown.append(name.isEmpty ? "no name" : name) }
        let isHost =
            data.count <= 253 && data.contains(UInt8(ascii: "."))
            && data.allSatisfy { $0.isAlphanumeric || ".-".utf8.contains($0) }
        if host == nil, !isAddress, isHost { host = String(decoding: data, as: UTF8.self) }
    }

    /// The name as printable ASCII, at most as long as a host name.
    static func shown(_ data: [UInt8]) -> String {
        PresentationText.escaped(Array(data.prefix(longest)))
            + (data.count > longest ? "…" : "")
    }
}

/// The position of one DER element (X.690 §8.1), which lies completely inside the data.
private struct DERElement {
    let range: Range<Int>
    let content: Range<Int>

    init?(at start: Int, in data: [UInt8]) {
        guard start + 2 <= data.count else { return nil }
        var position = start + 2
        var length = Int(data[start + 1])
        if length >= 0x80 {
            let count = length & 0x7f
            guard (1...4).contains(count), position + count <= data.count else { return nil }
            length = data[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
            position += count
        }
        guard length <= data.count - position else { return nil }
        content = position..<position + length
        range = start..<position + length
    }
}
