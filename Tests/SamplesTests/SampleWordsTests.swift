import Testing

@testable import Samples

@Suite struct SampleWordsTests {
    @Test func `every word of a samples file has a meaning`() {
        for words in SampleWords.all {
            #expect(words.meanings.allSatisfy { !$0.meaning.isEmpty }, "\(words.column)")
        }
    }

    @Test func `every column has a definition, in the order of the file`() {
        #expect(SampleColumn.declarations.count == SampleColumn.allCases.count)
        #expect(SampleColumn(title: "rtt_ms") == .roundTrip)
        #expect(SampleColumn(title: "cause_value") == .causeValue)
    }
}
