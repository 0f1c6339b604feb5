"""Where name servers listen, and how they are asked there."""

from dataclasses import dataclass

# The name in the certificates of the servers.
CERTIFIED = "bench.test"


@dataclass(frozen=True)
class Host:
    """An address for servers, the network around it that may ask, and the network namespace."""

    address: str
    network: str
    namespace: str | None = None

    def command(self, *words):
        """The command that runs `words` there."""
        return ["ip", "netns", "exec", self.namespace, *words] if self.namespace else list(words)


LOOPBACK = Host("127.0.0.1", "127.0.0.0/8")


@dataclass(frozen=True)
class Service:
    """A server's port for one transport, and whose certificates it has, where it needs one."""

    transport: str
    address: str
    port: int
    authority: str | None = None

    @property
    def endpoint(self):
        """As dnstempo reads it."""
        place = f"{self.address}:{self.port}"
        if self.transport == "udp":
            return place
        return f"{self.transport}://{place}" + (f"#{CERTIFIED}" if self.authority else "")
