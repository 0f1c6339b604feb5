"""Looks up names with the system's resolver: python3 stub.py SECONDS PACE.

PACE is the number of look-ups per second. The output is the time of each look-up in ms, or inf after an
error. A look-up begins when it is due, even if earlier look-ups continue. At most 64 run at the same time.
"""

import concurrent.futures
import socket
import sys
import time


def look_up(number, due):
    time.sleep(max(0, due - time.monotonic()))
    start = time.monotonic()
    try:
        socket.getaddrinfo(f"stub{number}.example.com.", None, socket.AF_INET, socket.SOCK_DGRAM)
    except OSError:
        return "inf"
    return f"{(time.monotonic() - start) * 1000:.3f}"


def main(seconds, pace):
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        count = int(seconds * pace)
        for took in pool.map(look_up, range(count), (start + n / pace for n in range(count))):
            print(took)


if __name__ == "__main__":
    main(float(sys.argv[1]), float(sys.argv[2]))
