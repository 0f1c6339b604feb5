import CSockets
import DNSWire
import Testing

@testable import Transports

@Suite struct StampsTests {
    private static let start: Int64 = 1_700_000_000_000_000_000

    /// Returns both clocks `elapsed` nanoseconds after the start, with CLOCK_REALTIME set forward
    /// by `step` nanoseconds.
    private func clocks(_ elapsed: Int64, step: Int64 = 0) -> cs_clocks {
        cs_clocks(monotonic: 5_000_000_000 + elapsed, realtime: Self.start + elapsed + step)
    }

    private func stamps(kernelSent: Int64?) -> Stamps {
        var stamps = Stamps(sentAt: clocks(0))
        stamps.kernelSent = kernelSent.map { Self.start + $0 }
        return stamps
    }

    @Test func `two kernel stamps exclude delays of the process`() {
        let trip = stamps(kernelSent: 10_000)
            .roundTrip(until: Self.start + 2_010_000, read: clocks(9_000_000))
        #expect(trip.nanoseconds == 2_000_000)
        #expect(trip.clock == .kernel)
        #expect(trip.step == nil)
    }

    @Test func `without a send stamp the time of the process is the start`() {
        let trip = stamps(kernelSent: nil)
            .roundTrip(until: Self.start + 2_010_000, read: clocks(9_000_000))
        #expect(trip.nanoseconds == 2_010_000)
        #expect(trip.clock == .kernelReceive)
    }

    @Test func `without a receive stamp the clock of the process is used`() {
        let trip = stamps(kernelSent: 10_000).roundTrip(until: nil, read: clocks(9_000_000))
        #expect(trip.nanoseconds == 9_000_000)
        #expect(trip.clock == .user)
    }

    @Test(arguments: [3_600_000_000_000, -3_600_000_000_000, 50_000_000, -1_000_000] as [Int64])
    func `a clock that is set between the stamps is corrected`(step: Int64) {
        let trip = stamps(kernelSent: 10_000)
            .roundTrip(until: Self.start + 2_010_000 + step, read: clocks(2_050_000, step: step))
        #expect(trip.nanoseconds == 2_000_000)
        #expect(trip.clock == .kernel)
        #expect(trip.step == .nanoseconds(step))
    }

    @Test func `a slewed clock is not a step`() {
        // A slew of 500 ppm during one second.
        let trip = stamps(kernelSent: 0)
            .roundTrip(
                until: Self.start + 1_000_500_000,
                read: clocks(1_000_000_000, step: 500_000)
            )
        #expect(trip.step == nil)
    }

    @Test func `a stamp from before the query is rejected`() {
        let trip = stamps(kernelSent: 10_000)
            .roundTrip(until: Self.start - 5_000, read: clocks(9_000_000))
        #expect(trip.clock == .user)
        #expect(trip.nanoseconds == 9_000_000)
    }

    @Test func `a stamp that was read late is valid`() {
        let trip = stamps(kernelSent: 10_000)
            .roundTrip(until: Self.start + 2_010_000, read: clocks(60_000_000_000))
        #expect(trip.nanoseconds == 2_000_000)
        #expect(trip.clock == .kernel)
    }

    @Test func `an old stamp is rejected if the clock was set`() {
        let step: Int64 = 5_000_000_000
        for received in [2_010_000, 2_010_000 + step] {
            let trip = stamps(kernelSent: 10_000)
                .roundTrip(until: Self.start + received, read: clocks(60_000_000_000, step: step))
            #expect(trip.nanoseconds == 60_000_000_000)
            #expect(trip.clock == .user)
        }
    }

    @Test(arguments: [true, false, nil] as [Bool?])
    func `an answer from before its query is rejected, without a time`(isSent: Bool?) {
        for result in [
            QueryResult.response(Response(code: .noError)), .malformed("HTTP status 503"),
        ] {
            var exchange = Exchange(within: TimeLimit(.seconds(1)))
            exchange.stamps = isSent.map {
                $0 ? Stamps(sentAt: clocks(0)) : Stamps(triedAt: clocks(0))
            }
            let moment = clocks(isSent == true ? -1 : 1)
            exchange.end(result, Arrival(stamp: moment.realtime, clocks: moment))
            let words = "the answer came before the query was sent"
            #expect(exchange.result == (result.response == nil ? result : .malformed(words)))
            #expect(exchange.roundTrip == nil)
        }
    }

    @Test func `an answer from before its query is rejected even if it is read late`() {
        var exchange = Exchange(within: TimeLimit(.seconds(1)))
        exchange.stamps = Stamps(sentAt: clocks(0))
        let early = Arrival(stamp: Self.start - 1_000_000, clocks: clocks(9_000_000))
        exchange.end(.response(Response(code: .noError)), early)
        #expect(exchange.result == .malformed("the answer came before the query was sent"))
        #expect(exchange.roundTrip == nil)
    }

    @Test(arguments: ClockSource.allCases, ClockSource.allCases)
    func `an answer over TCP has the coarser stamp`(first: ClockSource, second: ClockSource) {
        var full = Exchange.answered(second)
        full.follow(.answered(first))
        #expect(full.clock == max(first, second))
        #expect(full.roundTrip == .milliseconds(4))
    }
}

extension Exchange {
    /// An exchange that took two milliseconds according to `clock`.
    fileprivate static func answered(_ clock: ClockSource) -> Exchange {
        var exchange = Exchange(within: TimeLimit(.seconds(1)))
        exchange.clock = clock
        exchange.roundTrip = .milliseconds(2)
        return exchange
    }
}
