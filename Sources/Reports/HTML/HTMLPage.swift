import Charts

/// A page that is whole in itself: its style, its scripts and its charts are in it, and it may load
/// nothing else.
package struct HTMLPage: Hashable, Sendable {
    package var title: String
    /// Content of `body`.
    package var content: [HTML]
    /// Style on top of ``PageAssets/style``, allowed by its hash.
    package var addedStyle: TrustedMarkup?
    /// The scripts, allowed by their hashes.
    package var scripts: [TrustedMarkup]
    /// Whether its scripts may ask the server that it came from.
    package var allowsServer: Bool

    package init(
        title: String,
        content: [HTML],
        addedStyle: TrustedMarkup? = nil,
        scripts: [TrustedMarkup] = [PageAssets.sorting],
        allowsServer: Bool = false
    ) {
        self.title = title
        self.content = content
        self.addedStyle = addedStyle
        self.scripts = scripts
        self.allowsServer = allowsServer
    }

    /// Policy on what it may load and run; a server sends it as a header too.
    package var policy: PagePolicy {
        PagePolicy(
            styles: styles,
            scripts: scripts.map(\.markup),
            allowsServer: allowsServer
        )
    }

    private var styles: [String] {
        [PageAssets.style.markup] + (addedStyle.map { [$0.markup] } ?? [])
    }

    /// The document.
    package var text: String {
        let head = HTML(
            .head,
            HTML(.meta, [.charset("utf-8")]),
            HTML(.meta, [.header("Content-Security-Policy"), .content(policy.text)]),
            HTML(.meta, [.name("viewport"), .content("width=device-width, initial-scale=1")]),
            HTML(.meta, [.name("color-scheme"), .content("light dark")]),
            HTML(.meta, [.name("referrer"), .content("no-referrer")]),
            HTML(.title, HTML(text: title)),
            HTML(
                TrustedMarkup("\n" + styles.map { "<style>\($0)</style>\n" }.joined())
            )
        )
        let scripts = scripts.map { HTML(TrustedMarkup("<script>\($0.markup)</script>\n")) }
        let body = HTML(.body, [], content + scripts)
        return "<!DOCTYPE html>\n<html lang=\"en\">\n\(head.markup)\(body.markup)</html>\n"
    }
}

/// The style and the script of every page.
package enum PageAssets {
    /// For light and dark, narrow and wide, screen and paper; that of the charts with it.
    package static let style = TrustedMarkup(
        String(decoding: PackageResources.page_css, as: UTF8.self) + Sheet.inlineStyle
    )

    /// Makes the columns of sortable tables sort at a click.
    package static let sorting = TrustedMarkup(
        String(decoding: PackageResources.sort_js, as: UTF8.self)
    )
}

/// Policy on what a page may load and run: nothing but its own style and scripts, each by its hash (Content
/// Security Policy Level 3).
package struct PagePolicy: Hashable, Sendable {
    /// The texts between the tags, exactly.
    package var styles: [String]
    package var scripts: [String]
    /// Whether its scripts may ask the server that it came from.
    package var allowsServer: Bool

    package init(styles: [String], scripts: [String], allowsServer: Bool = false) {
        self.styles = styles
        self.scripts = scripts
        self.allowsServer = allowsServer
    }

    /// The value of the header, and of the `meta` element that stands for it.
    package var text: String {
        var directives = ["default-src 'none'"]
        if !styles.isEmpty { directives.append("style-src " + Self.sources(styles)) }
        if !scripts.isEmpty { directives.append("script-src " + Self.sources(scripts)) }
        if allowsServer { directives.append("connect-src 'self'") }
        directives.append("base-uri 'none'")
        directives.append(allowsServer ? "form-action 'self'" : "form-action 'none'")
        return directives.joined(separator: "; ")
    }

    private static func sources(_ texts: [String]) -> String {
        texts.map { "'sha256-\(Base64.text(SHA256.hash(Array($0.utf8))))'" }
            .joined(separator: " ")
    }
}

/// The hash by which a page's policy allows its own style and script (FIPS 180-4).
enum SHA256 {
    /// The 32 bytes for `message`.
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c,
            0x1f83_d9ab, 0x5be0_cd19,
        ]
        let blocks = padded(message)
        for start in stride(from: 0, to: blocks.count, by: 64) {
            compress(blocks[start..<start + 64], into: &state)
        }
        return state.flatMap(bytes)
    }

    /// With a one, zeros, and the length in bits, to whole blocks of 64 bytes (§5.1.1).
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        let zeros = (119 - message.count % 64) % 64
        let length = UInt64(message.count) << 3
        return message + [0x80] + [UInt8](repeating: 0, count: zeros)
            + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
    }

    private static func bytes(_ word: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }

    /// §6.2.2.
    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 64)
        for (index, byte) in block.enumerated() {
            words[index / 4] = words[index / 4] << 8 | UInt32(byte)
        }
        for index in 16..<64 {
            let (near, far) = (words[index - 2], words[index - 15])
            let sigma1 = turned(near, 17) ^ turned(near, 19) ^ near >> 10
            let sigma0 = turned(far, 7) ^ turned(far, 18) ^ far >> 3
            words[index] = sigma1 &+ words[index - 7] &+ sigma0 &+ words[index - 16]
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum1 &+ choice &+ constants[index] &+ words[index]
            let sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word >> bits | word << (32 - bits)
    }

    /// §4.2.2.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}

/// Bytes as text of 64 characters (RFC 4648 §4).
enum Base64 {
    static func text(_ bytes: [UInt8]) -> String {
        var result = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(UInt32(0)) { bits, offset in
                bits << 8 | (offset < group.count ? UInt32(group[start + offset]) : 0)
            }
            for place in 0..<4 {
                let digit = Int(bits >> UInt32(18 - 6 * place) & 63)
                result.unicodeScalars.append(place <= group.count ? digits[digit] : "=")
            }
        }
        return result
    }

    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".unicodeScalars
    )
}
