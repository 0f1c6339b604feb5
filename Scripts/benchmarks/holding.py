"""A name server over UDP and TCP that holds back the answers of one name: ADDRESS:PORT NAME MILLISECONDS.

It answers all other queries at once, in any order.
"""

import asyncio
import struct
import sys

place, name, milliseconds = sys.argv[1:4]
address, _, port = place.rpartition(":")
wire = b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"
hold = float(milliseconds) / 1000


def answer(query):
    end = query.index(0, 12) + 5
    head = query[:2] + struct.pack("!HHHHH", 0x8180, 1, 1, 0, 0)
    record = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 300, 4) + bytes([192, 0, 2, 1])
    return head + query[12:end] + record


def wait(query):
    return hold if query[12:].lower().startswith(wire) else 0


class Datagrams(asyncio.DatagramProtocol):
    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, query, peer):
        loop = asyncio.get_running_loop()
        loop.call_later(wait(query), self.transport.sendto, answer(query), peer)


async def serve(reader, writer):
    loop = asyncio.get_running_loop()
    try:
        while True:
            size = struct.unpack("!H", await reader.readexactly(2))[0]
            query = await reader.readexactly(size)
            message = answer(query)
            loop.call_later(wait(query), writer.write, struct.pack("!H", len(message)) + message)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    loop = asyncio.get_running_loop()
    await loop.create_datagram_endpoint(Datagrams, local_addr=(address, int(port)))
    await asyncio.start_server(serve, address, int(port))
    await asyncio.Event().wait()


asyncio.run(main())
