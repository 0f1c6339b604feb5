/// A server's certificate and its key, as PEM files.
package struct Certificate: Sendable {
    package let file: String
    package let key: String
    /// Keeps the files until the certificate is released.
    let folder: TemporaryFolder
}

/// A certificate authority for one test. No other program trusts its certificates.
package struct ThrowawayAuthority: Sendable {
    private let folder: TemporaryFolder
    private let openssl: Program

    /// The path of the root certificate, which the clients must trust.
    package var root: String { folder.file("root.pem") }

    /// Creates the authority's key and certificate in `folder`.
    package init(in folder: TemporaryFolder) async throws {
        self.folder = folder
        openssl = try Program("openssl", package: "openssl")
        try await make("root", ["-x509", "-days", "2"], name: "Throw-away authority")
    }

    /// Creates an authority in a new folder, and a certificate for `name`.
    package static func certified(
        _ name: String = "dot.test"
    ) async throws -> (folder: TemporaryFolder, authority: Self, certificate: Certificate) {
        let folder = TemporaryFolder()
        let authority = try await Self(in: folder)
        return (folder, authority, try await authority.certificate(for: name))
    }

    /// Creates a certificate for `name` and for 127.0.0.1, signed by the authority and valid for `days` days.
    ///
    /// `purpose` is an extended key usage in openssl's syntax; `nil` allows any purpose. `key` describes the
    /// new key in openssl's syntax.
    package func certificate(
        for name: String,
        days: Int = 2,
        purpose: String? = nil,
        key: [String] = ellipticKey
    ) async throws -> Certificate {
        let file = "leaf\(days)\(purpose ?? "")"
        try await make(file, [], name: name, key: key)
        let extensions = try folder.write(
            "subjectAltName=DNS:\(name),IP:127.0.0.1\n"
                + (purpose.map { "extendedKeyUsage=\($0)\n" } ?? ""),
            to: "extensions"
        )
        let request = folder.file("\(file).pem")
        try await run([
            "x509", "-req", "-in", request, "-CA", root, "-CAkey", folder.file("root.key"),
            "-CAcreateserial", "-days", "\(days)", "-extfile", extensions,
            "-out", folder.file("\(file).crt"),
        ])
        return Certificate(
            file: folder.file("\(file).crt"),
            key: folder.file("\(file).key"),
            folder: folder
        )
    }

    /// An RSA key whose exponent has 73 bits.
    package static let steepKey = [
        "rsa:2048", "-pkeyopt", "rsa_keygen_pubexp:4722366482869645213697",
    ]
    package static let ellipticKey = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]

    /// Creates a certificate for `name` whose file contains a second certificate. The authority signs both.
    /// The key of the second certificate is an RSA key of 16,385 bits, for which no private key exists.
    package func certificateWithLargeKey(for name: String) async throws -> Certificate {
        let leaf = try await certificate(for: name)
        let modulus = "0x1" + String(repeating: "0", count: 4095) + "1"
        let description = try folder.write(
            """
            asn1=SEQUENCE:info
            [info]
            algorithm=SEQUENCE:algorithm
            key=BITWRAP,SEQUENCE:key
            [algorithm]
            name=OID:rsaEncryption
            parameters=NULL
            [key]
            modulus=INTEGER:\(modulus)
            exponent=INTEGER:65537

            """,
            to: "large.cnf"
        )
        let (key, large) = (folder.file("large.der"), folder.file("large.pem"))
        try await run(["asn1parse", "-genconf", description, "-noout", "-out", key])
        try await run([
            "x509", "-new", "-subj", "/CN=Large", "-force_pubkey", key, "-days", "2",
            "-CA", root, "-CAkey", folder.file("root.key"), "-out", large,
        ])
        let chain = folder.text("leaf2.crt") + folder.text("large.pem")
        return Certificate(
            file: try folder.write(chain, to: "chain.pem"),
            key: leaf.key,
            folder: folder
        )
    }

    /// Returns the SHA-256 digest of the signed part of the certificate in `file`.
    package func signedPartDigest(of file: String) async throws -> [UInt8] {
        let part = folder.file("signed.der")
        try await run(["asn1parse", "-in", file, "-strparse", "4", "-noout", "-out", part])
        let digest = try await openssl.run(["dgst", "-sha256", part])
        guard let hex = digest.output.split(separator: " ").last?.prefix(64), hex.count == 64 else {
            throw ServerError("openssl: \(digest.errors)")
        }
        return hex.utf8.enumerated().reduce(into: []) { octets, digit in
            let value = UInt8(String(UnicodeScalar(digit.element)), radix: 16) ?? 0
            if digit.offset % 2 == 0 {
                octets.append(value << 4)
            } else {
                octets[octets.count - 1] |= value
            }
        }
    }

    /// Creates a self-signed certificate for `name`.
    package func selfSigned(for name: String) async throws -> Certificate {
        try await make(
            "self",
            ["-x509", "-days", "2", "-addext", "subjectAltName=DNS:\(name),IP:127.0.0.1"],
            name: name
        )
        return Certificate(
            file: folder.file("self.pem"),
            key: folder.file("self.key"),
            folder: folder
        )
    }

    private func make(
        _ file: String,
        _ options: [String],
        name: String,
        key: [String] = ellipticKey
    ) async throws {
        try await run(
            ["req", "-newkey"] + key + ["-nodes"]
                + ["-keyout", folder.file("\(file).key"), "-out", folder.file("\(file).pem")]
                + ["-subj", "/CN=\(name)"] + options
        )
    }

    private func run(_ arguments: [String]) async throws {
        let run = try await openssl.run(arguments)
        guard run.code == 0 else { throw ServerError("openssl: \(run.errors)") }
    }
}
