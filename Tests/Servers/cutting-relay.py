"""A relay from 127.0.0.1:PORT to 127.0.0.1:TARGET: PORT TARGET STEP.

The relay cuts the first connection after STEP returned bytes, the second after 2 × STEP, and so on.
The request has then reached the server, but its answer is lost.
"""

import socket
import sys
import threading

port, target, step = map(int, sys.argv[1:4])


def pass_on(source, sink, most=None):
    passed = 0
    try:
        while octets := source.recv(4096):
            if most is not None:
                octets = octets[: most - passed]
                passed += len(octets)
            sink.sendall(octets)
            if passed == most:
                break
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    listener = socket.create_server(("127.0.0.1", port))
    number = 0
    while True:
        client, _ = listener.accept()
        server = socket.create_connection(("127.0.0.1", target))
        # A client that only tests whether the port is open sends nothing. It does not count.
        client.settimeout(None)
        first = client.recv(4096)
        if not first:
            client.close()
            server.close()
            continue
        number += 1
        server.sendall(first)
        threading.Thread(target=pass_on, args=(client, server), daemon=True).start()
        back = (server, client, step * number)
        threading.Thread(target=pass_on, args=back, daemon=True).start()


main()
