"""Finds queries and their answers in captured packets."""

from dataclasses import dataclass


@dataclass
class RoundTrip:
    """A captured query with its answer. The times of both are in nanoseconds since 1970.

    `time` is the difference in nanoseconds. `id` is None where the query's ID is unknown.
    """

    sent: int
    answered: int
    id: int | None

    @property
    def time(self):
        return self.answered - self.sent


def pair(packets, port):
    """Returns the UDP queries to `port` with their answers, in the order of the answers."""
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


# A padded query has 128 bytes (RFC 8467), and encryption adds more. After the handshake, all other
# packets of a client are smaller.
SMALLEST_QUERY = 128
HANDSHAKE_RECORD = 0x16


def pair_streamed(packets, port, quiet):
    """Returns the queries over TCP connections to `port` with their answers, in the order of the answers.

    The content is encrypted, so sizes and pauses identify the messages:

    - A query is a client's packet of at least SMALLEST_QUERY bytes outside the handshake.
    - Its answer begins after a pause of more than `quiet` nanoseconds.
    - The answer ends with the server's last packet before the client's next packet or the next such pause.

    If a client sends a query before the answer to its previous query, both queries are left out. The
    capture does not show which of them the next answer belongs to.
    """
    queries, answers = {}, {}
    seen, found = set(), []

    def conclude(client):
        if client in answers:
            found.append(RoundTrip(queries.pop(client), answers.pop(client), None))

    for packet in packets:
        place = (packet.source, packet.destination, packet.sequence)
        # A retransmission, after a late acknowledgement, is not a new message.
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


# An answer has at least a DNS header, the question and QUIC's own bytes. An acknowledgement is smaller.
SMALLEST_ANSWER = 64
LONG_HEADER = 0x80


def pair_datagrams(packets, port, quiet):
    """Returns the queries over QUIC to `port` with their answers, in the order of the answers.

    - A query is a client's datagram of at least SMALLEST_QUERY bytes.
    - Its answer is the server's first datagram of at least SMALLEST_ANSWER bytes after more than `quiet`
      nanoseconds.
    - Datagrams with a long header belong to the handshake (RFC 9000 §17.2), and are ignored.

    If a client sends a query before the answer to its previous query, both queries are left out.
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
    """Returns the queries to `port` with their answers, by the pauses between an answer and the next query.

    A pause is longer than `pause` nanoseconds. The query is the client's first packet after a pause.
    The answer is the server's last packet before the client sends another one.
    """
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
