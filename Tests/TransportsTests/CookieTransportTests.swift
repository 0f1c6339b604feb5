import DNSWire
import Servers
import Testing
import Transports

@Suite struct CookieTransportTests {
    @Test(arguments: Carrier.allCases)
    func `the server's cookie is returned, and a wrong cookie is a stray`(carrier: Carrier)
        async throws
    {
        let own: [UInt8] = [9, 8, 7, 6, 5, 4, 3, 2]
        try await withResponder { query in
            let client = Array((query.options.first { $0.code == 10 }?.data ?? []).prefix(8))
            let wrong = query.answer(option: 10, [0] + client.dropFirst() + own)
            return [.reply(wrong), .reply(query.answer(option: 10, client + own))]
        } _: { responder in
            let transport = CookieTransport(
                over: try carrier.transport(to: responder.endpoint),
                CookieJar()
            )
            for _ in 0..<2 {
                let exchange = await transport.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.code == .noError)
                #expect(exchange.strays.wrongCookie == 1)
            }
            let cookies = responder.queries.map { $0.options.first { $0.code == 10 }?.data ?? [] }
            #expect(cookies.map(\.count) == [8, 16])
            #expect(cookies[1] == cookies[0] + own)
        }
    }
}
