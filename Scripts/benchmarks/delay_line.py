"""Forwards each frame between two interfaces after a delay: INTERFACE INTERFACE MILLISECONDS.

Every frame is delayed by the same time in each direction: handshakes and acknowledgements too. The time
counts from the kernel's receive stamp, so that the work of this process is not added to the delay.
"""

import collections
import ctypes
import os
import selectors
import socket
import struct
import sys
import time

SO_TIMESTAMPNS = 35  # asm-generic/socket.h
PACKET_OUTGOING = 4  # linux/if_packet.h
ETH_P_ALL = 3
PR_SET_TIMERSLACK = 29
# Sleep ends this time before a frame is due, because a wake-up takes some time. The rest is a busy wait.
BUSY_NS = 300_000


def opened(name):
    end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    end.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    end.bind((name, ETH_P_ALL))
    end.setblocking(False)
    return end


def read(end, waiting, delay):
    """Adds the arrived frames to `waiting`, each with the time at which it is due."""
    while True:
        try:
            frame, control, _, sender = end.recvmsg(65_536, 128)
        except BlockingIOError:
            return
        if sender[2] == PACKET_OUTGOING:
            continue
        seconds, nanoseconds = struct.unpack("qq", control[0][2][:16])
        waiting.append((seconds * 10**9 + nanoseconds + delay, frame))


def forward(names, delay):
    ends = [opened(name) for name in names]
    ways = [(ends[0], ends[1], collections.deque()), (ends[1], ends[0], collections.deque())]
    with selectors.DefaultSelector() as selector:
        for end in ends:
            selector.register(end, selectors.EVENT_READ)
        print("ready", flush=True)
        while True:
            due = min((waiting[0][0] for _, _, waiting in ways if waiting), default=None)
            left = None if due is None else due - BUSY_NS - time.time_ns()
            selector.select(None if left is None else max(0, left / 1e9))
            for source, target, waiting in ways:
                read(source, waiting, delay)
                while waiting and waiting[0][0] <= time.time_ns():
                    try:
                        target.send(waiting[0][1])
                    except OSError:
                        pass  # The other end is down, so the frame is lost.
                    waiting.popleft()


if __name__ == "__main__":
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except PermissionError:
        ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1)
    forward(sys.argv[1:3], round(float(sys.argv[3]) * 1e6))
