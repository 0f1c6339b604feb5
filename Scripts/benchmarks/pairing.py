"""Queries and their answers, found among captured packets."""

from dataclasses import dataclass


@dataclass
class RoundTrip:
    """A query and its answer as captured: nanoseconds since 1970, and between the two."""

    sent: int
    answered: int
    id: int | None

    @property
    def time(self):
        return self.answered - self.sent


def pair(packets, port):
    """Queries to `port` with their answers, in the order of the answers."""
    waiting = {}
    found = []
    for packet in packets:
        if not packet.is_udp or len(packet.payload) < 12:
            continue
        id = packet.payload[0] << 8 | packet.payload[1]
        if packet.destination == port:
            waiting[packet.source, id] = packet.at
        elif (packet.destination, id) in waiting:
            sent = waiting.pop((packet.destination, id))
            found.append(RoundTrip(sent, packet.at, id))
    return found


# A padded query (RFC 8467) has 128 octets, and encryption adds to them; what else a client sends
# once it has shaken hands is smaller.
SMALLEST_QUERY = 128
HANDSHAKE_RECORD = 0x16


def pair_streamed(packets, port, quiet):
    """Queries over connections to `port` with their answers, in the order of the answers.

    What was asked and answered cannot be read, but seen: a query is the last packet large enough
    before the server falls silent, its answer is all that the server says until the next packet of
    the client or the next silence, and ends with the last of that. A query that is sent before the
    last one is answered is left out, as that one is: it cannot be seen whose answer comes.
    """
    queries, answers = {}, {}
    seen, found = set(), []

    def conclude(client):
        if client in answers:
            found.append(RoundTrip(queries.pop(client), answers.pop(client), None))

    for packet in packets:
        place = (packet.source, packet.destination, packet.sequence)
        # What is sent again, because its acknowledgement is late, says nothing new.
        if packet.is_udp or packet.size <= 0 or place in seen:
            continue
        seen.add(place)
        if packet.destination == port:
            conclude(packet.source)
            if packet.size >= SMALLEST_QUERY and packet.payload[0] != HANDSHAKE_RECORD:
                queries[packet.source] = None if packet.source in queries else packet.at
        elif packet.source == port:
            client = packet.destination
            if client in answers and packet.at - answers[client] > quiet:
                conclude(client)
            elif client in queries and queries[client] is None:
                del queries[client]
            elif client in queries and (
                client in answers or packet.at - queries[client] > quiet
            ):
                answers[client] = packet.at
    for client in list(answers):
        conclude(client)
    return sorted(found, key=lambda trip: trip.answered)


# An answer has at least a header, the question and QUIC's own octets; an acknowledgement has fewer.
SMALLEST_ANSWER = 64
LONG_HEADER = 0x80


def pair_datagrams(packets, port, quiet):
    """Queries over QUIC to `port` with their answers, in the order of the answers.

    A query is a client's datagram that is large enough, its answer the first of the server's after
    `quiet` nanoseconds that is more than an acknowledgement. What has a long header shakes hands
    (RFC 9000 §17.2). A query that is sent before the last one is answered is left out, as that one
    is.
    """
    queries = {}
    found = []
    for packet in packets:
        if not packet.is_udp or not packet.payload or packet.payload[0] & LONG_HEADER:
            continue
        if packet.destination == port and packet.size >= SMALLEST_QUERY:
            queries[packet.source] = None if packet.source in queries else packet.at
        elif packet.source == port and packet.size >= SMALLEST_ANSWER:
            sent = queries.get(packet.destination)
            if sent is None:
                queries.pop(packet.destination, None)
            elif packet.at - sent > quiet:
                del queries[packet.destination]
                found.append(RoundTrip(sent, packet.at, None))
    return found


def pair_apart(packets, port, pause):
    """Queries to `port` with their answers, where more than `pause` nanoseconds are between an
    answer and the next query: of what follows a pause, the client's first packet, and the server's
    last before the client has another."""
    found = []
    last = asked = answered = None
    for packet in packets:
        if packet.size <= 0 or port not in (packet.source, packet.destination):
            continue
        if last is None or packet.at - last > pause:
            if answered:
                found.append(RoundTrip(asked, answered, None))
            asked = packet.at if packet.destination == port else None
            answered, is_over = None, False
        elif packet.destination == port:
            is_over = answered is not None
        elif asked and not is_over:
            answered = packet.at
        last = packet.at
    if answered:
        found.append(RoundTrip(asked, answered, None))
    return found
