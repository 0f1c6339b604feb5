import dnstempo

Dnstempo.main()
