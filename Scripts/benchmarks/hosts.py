"""Addresses and ports of the name servers."""

from dataclasses import dataclass

# The host name in the servers' certificates.
CERTIFIED = "bench.test"


@dataclass(frozen=True)
class Host:
    """The address of servers, the network that may query them, and their network namespace."""

    address: str
    network: str
    namespace: str | None = None

    def command(self, *words):
        """Returns the command that runs `words` in the network namespace."""
        return ["ip", "netns", "exec", self.namespace, *words] if self.namespace else list(words)


LOOPBACK = Host("127.0.0.1", "127.0.0.0/8")


@dataclass(frozen=True)
class Service:
    """A server's port for one transport. `authority` is the file of its trusted certificate, if any."""

    transport: str
    address: str
    port: int
    authority: str | None = None

    @property
    def endpoint(self):
        """The endpoint in dnstempo's syntax."""
        place = f"{self.address}:{self.port}"
        if self.transport == "udp":
            return place
        return f"{self.transport}://{place}" + (f"#{CERTIFIED}" if self.authority else "")
