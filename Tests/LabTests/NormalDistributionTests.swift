import Testing

@testable import Lab

struct NormalDistributionTests {
    /// Reference values of Python's `statistics.NormalDist().inv_cdf`.
    @Test(arguments: [
        (0.5, 0), (0.975, 1.9599639845400536), (0.01, -2.3263478740408408),
        (1e-9, -5.9978070150076865), (1e-12, -7.034483825301131), (0.75, 0.6744897501960817),
    ])
    func `quantiles agree with the reference`(p: Double, z: Double) {
        #expect(abs(NormalDistribution.quantile(p) - z) < 1e-9)
    }

    @Test(arguments: [0.01, 0.3, 0.5, 0.99])
    func `the log-normal quantile is the inverse of the cumulative distribution`(p: Double) {
        let delay = LogNormal(median: 3, sigma: 0.7)
        #expect(abs(delay.cumulative(delay.quantile(p)) - p) < 1e-9)
    }

    @Test(arguments: [0.5, 2, 3, 9])
    func `the slope of the integral is the cumulative distribution`(x: Double) {
        let delay = LogNormal(median: 3, sigma: 0.7)
        let slope = (delay.cumulativeIntegral(x + 1e-4) - delay.cumulativeIntegral(x - 1e-4)) / 2e-4
        #expect(abs(slope - delay.cumulative(x)) < 1e-6)
    }
}
