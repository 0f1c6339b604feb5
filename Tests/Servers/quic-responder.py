"""A server of DNS over QUIC or HTTP/3 with the fault of its mode:
[ADDRESS:]PORT CERTIFICATE KEY PROTOCOL MODE LOG [BACKEND].

The default of ADDRESS is 127.0.0.1. PROTOCOL is doq or h3. BACKEND is a loopback port. QUICResponder.swift
lists the modes. LOG gets a line for each connection, query and reset, for each acknowledged query without an
answer, and for each stream that the client stops.
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
from aioquic.quic.events import (
    HandshakeCompleted,
    PingAcknowledged,
    StopSendingReceived,
    StreamDataReceived,
)

place, certificate, key, protocol, mode, log = sys.argv[1:7]
address, _, port = place.rpartition(":")
backend = int(sys.argv[7]) if mode == "forward" else None
tasks = set()


def note(line):
    with open(log, "a") as file:
        file.write(line + "\n")


def answer(query, id=None):
    end = query.index(0, 12) + 5
    head = (id or query[:2]) + struct.pack("!HHHHH", 0x8180, 1, 1, 0, 0)
    record = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 300, 4) + bytes([192, 0, 2, 1])
    return head + query[12:end] + record


async def forwarded(query):
    """Returns the backend's answer. The query is sent over TCP, so that the answer is not truncated."""
    reader, writer = await asyncio.open_connection("127.0.0.1", backend)
    writer.write(framed(query))
    size = struct.unpack("!H", await reader.readexactly(2))[0]
    message = await reader.readexactly(size)
    writer.close()
    return message


def reset_token(identifier):
    """Returns the token of a stateless reset. A server with the same key can reset connections that an
    earlier server has forgotten (RFC 9000 §10.3.2).
    """
    return hashlib.blake2s(identifier, key=b"key", digest_size=16).digest()


def framed(message):
    return struct.pack("!H", len(message)) + message


class DNSStreams:
    """DNS over QUIC: each stream contains the length of a query and the query."""

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
    """DNS over HTTP/3: each request contains a query (RFC 8484)."""

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
        if mode == "headless":
            return b""
        if mode in ("fields", "header", "interim"):
            return self.surplus(stream)
        self.http.send_headers(stream, headers)
        if mode == "goaway":
            octets = encode_frame(FrameType.GOAWAY, encode_uint_var(stream + 4))
            quic = self.connection._quic
            quic.send_stream_data(self.http._local_control_stream_id, octets)
        return b""

    def surplus(self, stream):
        """Returns a header that exceeds one of the client's limits."""

        def header(fields):
            return encode_frame(FrameType.HEADERS, self.http._encode_headers(stream, fields))

        # Setting 6 is SETTINGS_MAX_FIELD_SECTION_SIZE (RFC 9114 §7.2.4.1).
        note(f"limit {self.http.received_settings[6]}")
        if mode == "interim":
            return header([(b":status", b"103")]) * 9
        count, value = (64, b"y") if mode == "fields" else (5, b"y" * 4_000)
        fields = [(b"x-%d" % number, value) for number in range(count)]
        return header([(b":status", b"200")] + fields)

    def octets(self, message):
        if mode in ("fields", "header", "interim"):
            return b""
        if mode == "oversized":
            message += bytes(200_000)
        return encode_frame(FrameType.DATA, message)


class Connection(QuicConnectionProtocol):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.application = None
        self.waiting = None
        # Whether the handshake is complete.
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
        if isinstance(event, StopSendingReceived):
            note(f"stopped {event.error_code}")
        if isinstance(event, PingAcknowledged):
            note(f"taken {event.uid}")
        if self.application is None:
            self.application = (HTTPStreams if protocol == "h3" else DNSStreams)(self)
        self.application.handle(event)

    def datagram_received(self, data, address):
        if not self.is_forgotten:
            return super().datagram_received(data, address)
        if mode == "drop":
            return note("dropped")
        note("reset")
        token = self._quic._host_cids[0].stateless_reset_token
        self._transport.sendto(b"\x40" + os.urandom(30) + token, address)

    def asked(self, stream, query):
        if mode == "leave":
            return self.close(error_code=2, reason_phrase="enough")
        if mode == "silent":
            # An acknowledgement of this ping shows that the client knows of the query's arrival.
            return self._quic.send_ping(stream)
        if mode == "swap":
            if self.waiting is None:
                self.waiting = (stream, query)
                return
            self.send(stream, query)
            stream, query = self.waiting
            self.waiting = None
        if mode == "noise":
            return self.make_noise(stream, query)
        if mode == "slow":
            return self._loop.call_later(0.02, self.send, stream, query)
        if mode == "forward":
            # The loop itself does not keep tasks from the garbage collector.
            task = self._loop.create_task(self.forward(stream, query))
            tasks.add(task)
            return task.add_done_callback(tasks.discard)
        self.send(stream, query)

    def make_noise(self, stream, query):
        """Fills the server's own streams as far as flow control allows, then answers."""
        quic = self._quic
        noisy = []
        for _ in range(12):
            noisy.append(quic.get_next_available_stream_id(is_unidirectional=True))
            # A stream type without a meaning (RFC 9114 §6.2.3).
            quic.send_stream_data(noisy[-1], b"\x21" + bytes(1 << 20), end_stream=True)

        def look(last):
            # A stream that the client has received completely no longer exists.
            streams = [quic._streams.get(identifier) for identifier in noisy]
            sent = sum(each.sender.highest_offset if each else 1 << 20 for each in streams)
            if sent > last:
                return self._loop.call_later(0.2, look, sent)
            note(f"noise {sent}")
            self.send(stream, query)
            self.transmit()

        look(-1)

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
        if mode == "babble":
            quic.send_stream_data(stream, octets)
            return self._loop.call_later(0.05, self.babble, stream)
        # An answer that exceeds a limit never ends.
        is_end = mode not in ("fields", "header", "interim", "oversized")
        quic.send_stream_data(stream, octets, end_stream=is_end)
        if mode in ("slow", "forget"):
            self.transmit()
            self.is_forgotten = mode == "forget"
        if mode == "drop":
            self.answers = getattr(self, "answers", 0) + 1
            self._loop.call_later(2, self.drop, self.answers)

    def drop(self, answers):
        """Forgets the connection, unless it carried another answer."""
        self.is_forgotten = self.is_forgotten or answers == self.answers

    def babble(self, stream):
        """Sends more bytes after the answer."""
        self._quic.send_stream_data(stream, bytes(1_000))
        self.transmit()


class Server(QuicServer):
    def datagram_received(self, data, address):
        # The tests check with a plain DNS query whether the server is ready.
        if data[:2] == b"dt" and len(data) < 64:
            return self._transport.sendto(data[:2] + bytes([data[2] | 0x80]) + data[3:], address)
        if mode == "narrow" and (len(data) > 1360 or data[1:5] == b"\0\0\0\1"):
            return note(f"lost {len(data)}")
        identifier = data[1:9]
        if mode == "restarted" and not data[0] & 0x80 and identifier not in self._protocols:
            note("reset")
            # The reset is smaller than the datagram that caused it, so that it does not cause another reset
            # (§10.3.3).
            octets = b"\x40" + os.urandom(len(data) - 18) + reset_token(identifier)
            return self._transport.sendto(octets, address)
        super().datagram_received(data, address)


tickets = {}
pull_client_hello = aioquic.tls.pull_client_hello


def pull_without_early_data(octets):
    hello = pull_client_hello(octets)
    hello.early_data = False
    return hello


handle_message = aioquic.tls.Context.handle_message


def handle_eagerly(context, octets, output):
    """Sends the ticket before the client has finished the handshake."""
    handle_message(context, octets, output)
    if context.state != aioquic.tls.State.SERVER_EXPECT_FINISHED:
        return
    give = context.new_session_ticket_cb
    if give is None:
        return
    context.new_session_ticket_cb = None
    ticket = aioquic.tls.NewSessionTicket(
        ticket_lifetime=86400,
        ticket_age_add=7,
        ticket_nonce=b"",
        ticket=os.urandom(64),
        max_early_data_size=context._max_early_data,
    )
    aioquic.tls.push_new_session_ticket(output[aioquic.tls.Epoch.ONE_RTT], ticket)
    give(context._build_session_ticket(ticket, context.handshake_extensions))


def push_broken_ticket(octets, ticket):
    """Writes a ticket message with an empty nonce, a ticket of one byte, and one byte of extensions. Every
    extension needs more bytes.
    """
    octets.push_bytes(b"\x04\x00\x00\x0f" + bytes(8) + b"\x00" + b"\x00\x01\x00" * 2)


push_encrypted_extensions = aioquic.tls.push_encrypted_extensions


def push_without_parameters(octets, extensions):
    extensions.other_extensions = []
    push_encrypted_extensions(octets, extensions)


async def serve():
    configuration = QuicConfiguration(alpn_protocols=[protocol], is_client=False)
    configuration.load_cert_chain(certificate, key)
    if mode == "late":
        aioquic.tls.pull_client_hello = pull_without_early_data
    if mode == "eager":
        aioquic.tls.Context.handle_message = handle_eagerly
    if mode == "broken":
        aioquic.tls.push_new_session_ticket = push_broken_ticket
    if mode == "cautious":
        aioquic.quic.connection.MAX_EARLY_DATA = None
    if mode == "bare":
        aioquic.tls.push_encrypted_extensions = push_without_parameters
    if mode == "idle":
        configuration.idle_timeout = 0.5
    if mode == "large":
        # As large as a path of 1,500 bytes allows with IPv6.
        configuration.max_datagram_size = 1452
    if mode == "rest":
        configuration.idle_timeout = 3
    if mode == "other":
        # A reserved version, which no client supports (RFC 9000 §15).
        configuration.supported_versions = [0x0A1A2A3A]
    await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: Server(
            configuration=configuration,
            create_protocol=Connection,
            retry=mode == "retry",
            # Each ticket can be used once.
            session_ticket_fetcher=lambda label: tickets.pop(label, None),
            session_ticket_handler=lambda given: tickets.update({given.ticket: given}),
        ),
        local_addr=(address or "127.0.0.1", int(port)),
    )
    await asyncio.Event().wait()


asyncio.run(serve())
