import dnstempo

@main
enum Program {
    static func main() { Dnstempo.main() }
}
