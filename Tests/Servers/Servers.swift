// Servers for tests.
