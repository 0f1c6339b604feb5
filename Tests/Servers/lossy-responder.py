"""A server on 127.0.0.1 that loses the first copy of each query over TCP: PORT LOG.

LOG gets the time, in nanoseconds since 1970, at which the server has seen the loss. Packets up to this time
are the first copy. Later packets are another copy.
"""

import ctypes
import socket
import struct
import sys
import threading
import time

# linux/asm-generic/socket.h
SO_ATTACH_FILTER, SO_DETACH_FILTER, SO_MEMINFO = 26, 27, 55
DROPS, MEMINFO = 8, "9I"
# Byte 13 of a segment contains its flags. A segment with PSH (8) carries data and is dropped.
DROP_DATA = [(0x30, 0, 0, 13), (0x45, 0, 1, 8), (6, 0, 0, 0), (6, 0, 0, 0xFFFF)]


def await_loss(stream):
    """Waits until the filter has dropped a segment; False if the client closes the connection first."""
    while True:
        octets = stream.getsockopt(socket.SOL_SOCKET, SO_MEMINFO, struct.calcsize(MEMINFO))
        if struct.unpack(MEMINFO, octets)[DROPS] > 0:
            return True
        try:
            if not stream.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT):
                return False
        except BlockingIOError:
            time.sleep(0.001)


def answer(stream):
    size = stream.recv(2, socket.MSG_WAITALL)
    query = stream.recv(struct.unpack("!H", size)[0], socket.MSG_WAITALL)
    stream.sendall(size + query[:2] + bytes([query[2] | 0x80]) + query[3:])


def serve(stream):
    """Loses the first segment with data of a connection, and answers the next copy."""
    with stream:
        print("accepted", stream.getpeername(), flush=True)
        if not await_loss(stream):
            print("closed by the client", flush=True)
            return
        with open(sys.argv[2], "a") as log:
            log.write(f"{time.time_ns()}\n")
        stream.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)
        answer(stream)
        print("answered", flush=True)


listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in DROP_DATA))
# Attached before the first connection, because each connection inherits the filter from the listener.
dropping = struct.pack("HL", len(DROP_DATA), ctypes.addressof(program))
listener.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, dropping)
while True:
    threading.Thread(target=serve, args=listener.accept()[:1], daemon=True).start()
