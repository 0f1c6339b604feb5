"""A server of DNS over QUIC or HTTP/3 that misbehaves as told:
[ADDRESS:]PORT CERTIFICATE KEY PROTOCOL MODE LOG [BACKEND], where ADDRESS is 127.0.0.1 if not given,
PROTOCOL doq or h3 and BACKEND a port of loopback.

MODE is plain, retry (addresses are validated first), late (what comes before the end of the
handshake is not taken), cautious (and tickets say so), other (a version of QUIC that nobody
speaks), trickle (one octet a datagram), forward (the answers are those of BACKEND), swap (of two
queries the later is answered first), reset (the stream, in the middle of the answer), close (the
connection, there), leave (the connection, without an answer), empty (the stream ends without an
answer), forget (the connection, after its first answer), idle (for half a second at most), silent
(no answers), slow (20 ms before each answer), stray (an answer with another ID before the right
one), error (HTTP's 503), premature (HTTP's 425 until the handshake is over), goaway (no more queries after the first) or restarted (connections of
another server at the same place are reset).
LOG gets a line for each connection, for each query, for each that is known to be taken and stays
without an answer, and for each reset.
"""

import asyncio
import hashlib
import os
import struct
import sys

import aioquic.quic.connection
import aioquic.tls
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.asyncio.server import QuicServer
from aioquic.buffer import encode_uint_var
from aioquic.h3.connection import FrameType, H3Connection, encode_frame
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import HandshakeCompleted, PingAcknowledged, StreamDataReceived

place, certificate, key, protocol, mode, log = sys.argv[1:7]
address, _, port = place.rpartition(":")
backend = int(sys.argv[7]) if mode == "forward" else None


def note(line):
    with open(log, "a") as file:
        file.write(line + "\n")


def answer(query, id=None):
    end = query.index(0, 12) + 5
    head = (id or query[:2]) + struct.pack("!HHHHH", 0x8180, 1, 1, 0, 0)
    record = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 300, 4) + bytes([192, 0, 2, 1])
    return head + query[12:end] + record


async def forwarded(query):
    """What the backend says, over TCP so that nothing is cut off."""
    reader, writer = await asyncio.open_connection("127.0.0.1", backend)
    writer.write(framed(query))
    size = struct.unpack("!H", await reader.readexactly(2))[0]
    message = await reader.readexactly(size)
    writer.close()
    return message


def reset_token(identifier):
    """Whoever has the key can reset connections that another has forgotten (RFC 9000 §10.3.2)."""
    return hashlib.blake2s(identifier, key=b"key", digest_size=16).digest()


def framed(message):
    return struct.pack("!H", len(message)) + message


class DNSStreams:
    """A query is all that comes on a stream, behind its length."""

    def __init__(self, connection):
        self.connection = connection
        self.streams = {}

    def handle(self, event):
        if not isinstance(event, StreamDataReceived):
            return
        octets = self.streams.get(event.stream_id, b"") + event.data
        self.streams[event.stream_id] = octets
        if event.end_stream:
            query = octets[2:]
            id, length = struct.unpack("!HH", query[:2] + octets[:2])
            note(f"query {len(query)} id {id}" + ("" if length == len(query) else " misframed"))
            self.connection.asked(event.stream_id, query)

    def begin(self, stream, query):
        return framed(answer(query, id=b"ab")) if mode == "stray" else b""

    def octets(self, message):
        return framed(message)


class HTTPStreams:
    """A query is a request (RFC 8484)."""

    def __init__(self, connection):
        self.connection = connection
        self.http = H3Connection(connection._quic)
        self.requests = {}

    def handle(self, event):
        for event in self.http.handle_event(event):
            if isinstance(event, HeadersReceived):
                self.requests[event.stream_id] = (dict(event.headers), b"")
            elif not isinstance(event, DataReceived):
                continue
            headers, body = self.requests[event.stream_id]
            if isinstance(event, DataReceived):
                body += event.data
                self.requests[event.stream_id] = (headers, body)
            if event.stream_ended:
                self.requested(event.stream_id, headers, body)

    def requested(self, stream, headers, body):
        method, path = headers[b":method"].decode(), headers[b":path"].decode()
        if method == "GET":
            import base64

            path, _, text = path.partition("?dns=")
            body = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        name = headers[b":authority"].decode()
        kind = headers.get(b"content-type" if method == "POST" else b"accept", b"").decode()
        id = struct.unpack("!H", body[:2])[0]
        note(f"query {len(body)} id {id} {method} {name} {path} {kind}")
        self.connection.asked(stream, body)

    def begin(self, stream, query):
        is_early = mode == "premature" and not self.connection.is_safe
        status = b"503" if mode == "error" else b"425" if is_early else b"200"
        headers = [(b":status", status), (b"content-type", b"application/dns-message")]
        self.http.send_headers(stream, headers)
        if mode == "goaway":
            octets = encode_frame(FrameType.GOAWAY, encode_uint_var(stream + 4))
            quic = self.connection._quic
            quic.send_stream_data(self.http._local_control_stream_id, octets)
        return b""

    def octets(self, message):
        return encode_frame(FrameType.DATA, message)


class Connection(QuicConnectionProtocol):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.application = None
        self.waiting = None
        # The handshake is over.
        self.is_safe = False
        self.is_forgotten = False
        for identifier in self._quic._host_cids:
            identifier.stateless_reset_token = reset_token(identifier.cid)

    def quic_event_received(self, event):
        if isinstance(event, HandshakeCompleted):
            kind = "resumed" if event.session_resumed else "new"
            kind = "early" if event.early_data_accepted else kind
            note(f"connection {kind} {event.alpn_protocol}")
            self.is_safe = True
        if isinstance(event, PingAcknowledged):
            note(f"taken {event.uid}")
        if self.application is None:
            self.application = (HTTPStreams if protocol == "h3" else DNSStreams)(self)
        self.application.handle(event)

    def datagram_received(self, data, address):
        if not self.is_forgotten:
            return super().datagram_received(data, address)
        note("reset")
        token = self._quic._host_cids[0].stateless_reset_token
        self._transport.sendto(b"\x40" + os.urandom(30) + token, address)

    def asked(self, stream, query):
        if mode == "leave":
            return self.close(error_code=2, reason_phrase="enough")
        if mode == "silent":
            # Whoever has got this knows that the query has come.
            return self._quic.send_ping(stream)
        if mode == "swap":
            if self.waiting is None:
                self.waiting = (stream, query)
                return
            self.send(stream, query)
            stream, query = self.waiting
            self.waiting = None
        if mode == "slow":
            return self._loop.call_later(0.02, self.send, stream, query)
        if mode == "forward":
            return self._loop.create_task(self.forward(stream, query))
        self.send(stream, query)

    async def forward(self, stream, query):
        self.send(stream, query, await forwarded(query))
        self.transmit()

    def send(self, stream, query, message=None):
        quic = self._quic
        if mode == "empty":
            return quic.send_stream_data(stream, b"", end_stream=True)
        octets = self.application.begin(stream, query)
        octets += self.application.octets(message or answer(query))
        if mode in ("reset", "close"):
            quic.send_stream_data(stream, octets[:20])
            self.transmit()
            if mode == "close":
                return self.close(error_code=1)
            return quic.reset_stream(stream, 1)
        if mode == "trickle":
            for octet in octets:
                quic.send_stream_data(stream, bytes([octet]))
                self.transmit()
            octets = b""
        quic.send_stream_data(stream, octets, end_stream=True)
        if mode in ("slow", "forget"):
            self.transmit()
            self.is_forgotten = mode == "forget"


class Server(QuicServer):
    def datagram_received(self, data, address):
        # The tests ask in plain DNS whether the server is there.
        if data[:2] == b"dt" and len(data) < 64:
            return self._transport.sendto(data[:2] + bytes([data[2] | 0x80]) + data[3:], address)
        identifier = data[1:9]
        if mode == "restarted" and not data[0] & 0x80 and identifier not in self._protocols:
            note("reset")
            # It is smaller than what it is for, so that it is no reason for another (§10.3.3).
            octets = b"\x40" + os.urandom(len(data) - 18) + reset_token(identifier)
            return self._transport.sendto(octets, address)
        super().datagram_received(data, address)


tickets = {}
pull_client_hello = aioquic.tls.pull_client_hello


def pull_without_early_data(octets):
    hello = pull_client_hello(octets)
    hello.early_data = False
    return hello


async def serve():
    configuration = QuicConfiguration(alpn_protocols=[protocol], is_client=False)
    configuration.load_cert_chain(certificate, key)
    if mode == "late":
        aioquic.tls.pull_client_hello = pull_without_early_data
    if mode == "cautious":
        aioquic.quic.connection.MAX_EARLY_DATA = None
    if mode == "idle":
        configuration.idle_timeout = 0.5
    if mode == "other":
        # One that nobody speaks (RFC 9000 §15).
        configuration.supported_versions = [0x0A1A2A3A]
    await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: Server(
            configuration=configuration,
            create_protocol=Connection,
            retry=mode == "retry",
            # Each can be used once.
            session_ticket_fetcher=lambda label: tickets.pop(label, None),
            session_ticket_handler=lambda given: tickets.update({given.ticket: given}),
        ),
        local_addr=(address or "127.0.0.1", int(port)),
    )
    await asyncio.Event().wait()


asyncio.run(serve())
