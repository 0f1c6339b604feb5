import CPSL

/// Sole owner of the public suffix list (publicsuffix.org): the system's where it is newer than what
/// libpsl brings. `deinit` frees it.
@safe struct PublicSuffixes: ~Copyable {
    private let list: OpaquePointer?

    init() { unsafe list = psl_latest(nil) }

    deinit { unsafe psl_free(list) }

    /// The name that somebody registered, such as `example.co.uk` for `www.example.co.uk`; `nil` for
    /// a suffix itself, and under a suffix that the list does not know, which is a private network's.
    func registeredName(of host: String) -> String? {
        unsafe host.withCString { host in
            guard let suffix = unsafe psl_unregistrable_domain(list, host),
                unsafe psl_is_public_suffix2(list, suffix, Self.listed) == 1,
                let name = unsafe psl_registrable_domain(list, host)
            else { return nil }
            return unsafe String(cString: name)
        }
    }

    /// Rules of every kind, but not the one that takes any unknown word for a suffix.
    private static let listed = PSL_TYPE_ICANN | PSL_TYPE_PRIVATE | PSL_TYPE_NO_STAR_RULE
}
