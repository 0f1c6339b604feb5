// The live page and /metrics.
