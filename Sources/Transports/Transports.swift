/// Placeholder so that the target exists while its first type is being written.
