extension Recording {
    /// The targets of which an answer may be anybody's, since no certificate was verified.
    package var unverifiedTargets: Set<Target> {
        let indices = Set(
            samples.filter { $0.observation.flags.contains(.unverified) }.map(\.target)
        )
        return Set(indices.map(Int.init).filter(targets.indices.contains).map { targets[$0] })
    }
}

extension Observation {
    /// What is known of it besides its figures.
    package var flags: SampleFlags { extras?.flags ?? [] }
}
