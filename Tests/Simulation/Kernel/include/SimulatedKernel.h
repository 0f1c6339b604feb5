#ifndef SIMULATED_KERNEL_H
#define SIMULATED_KERNEL_H

#include "SimulatedPostgreSQL.h"

#include <stddef.h>
#include <stdint.h>

/* The clocks, sockets and threads of a simulated system, for Linux. Its functions replace those of the C library, of
   libdispatch and of Swift's global executor in the whole process, as soon as simulated_kernel_begin was called.

   One thread runs at a time, and the kernel chooses it by its seed. Time passes only when nothing is left to run.
   All times are in nanoseconds. */

/* A socket. The number stays unique when the descriptor is used again. */
typedef uint64_t simulated_socket;

/* The network that the sockets belong to. Addresses are those of IPv4, in the byte order of this machine. The
   functions are called with the machine whose code made the call. */
typedef struct {
    /* The machine whose code runs now: 0 or more. */
    int (*machine)(void);
    /* The process whose code runs now; NULL for none. Each result is passed to act_as once. */
    const void *(*process)(void);
    /* Calls `body` as code of a process, and releases the process. */
    void (*act_as)(const void *process, void (*body)(void *), void *context);
    /* Whether packets of a machine can leave it. */
    int (*is_online)(int machine);
    /* A machine's own address. */
    uint32_t (*address)(int machine);
    /* A datagram left. */
    void (*datagram)(simulated_socket, int machine, uint32_t to, uint16_t port, const void *bytes, size_t count);
    /* A stream begins to connect. */
    void (*connecting)(simulated_socket, int machine, uint32_t to, uint16_t port);
    /* A stream sent bytes. */
    void (*sent)(simulated_socket, int machine, const void *bytes, size_t count);
    /* A stream was closed by its machine. */
    void (*closed)(simulated_socket);
} simulated_network;

/* Starts this program again if addresses and hash values would differ from run to run. */
void simulated_fix_memory(char **arguments);
/* Forks. The child has no other thread. It ends after some seconds of processor time, or after ten times as many of
   real time. Returns 0 in the child. */
int simulated_fork(unsigned seconds);
/* Waits for a child. Returns its number, and its exit code or its negative signal. */
int simulated_wait_for_child(int *status);
/* The largest amount of memory that this process has used, in bytes. */
int64_t simulated_memory(void);

/* Becomes the kernel of this process. Call it once, before anything that uses threads. */
void simulated_kernel_begin(const simulated_network *network);

/* Sets CLOCK_REALTIME of all machines. */
void simulated_start(int64_t wall);
/* From here on, the choices depend on this seed. */
void simulated_seed(uint64_t seed);

/* Runs what is ready until `is_done` returns other than 0, or nothing is left that can happen. */
void simulated_kernel_run(int (*is_done)(void));

/* Lets other threads and jobs run until `is_ready` returns other than 0, at most for `limit`. Call it within a job or
   a thread of a process. */
void simulated_wait(int (*is_ready)(void *), void *context, int64_t limit);

/* Calls `action` at a moment of simulated_now. */
void simulated_call(int64_t moment, void (*action)(void *), void *context);

/* CLOCK_MONOTONIC. */
int64_t simulated_now(void);
/* CLOCK_REALTIME of a machine. */
int64_t simulated_wall(int machine);
/* Sets CLOCK_REALTIME of a machine. */
void simulated_step(int machine, int64_t by);
/* Lets time pass in which no code runs. A suspension stops CLOCK_MONOTONIC as well. */
void simulated_pass(int64_t time);
void simulated_suspend(int64_t time);

/* CLOCK_MONOTONIC of the real system. */
int64_t simulated_real_time(void);

/* The number of jobs that have run. */
uint64_t simulated_jobs(void);
/* A random number of the kernel's seed. */
uint64_t simulated_random(void);

/* Events of sockets. Those of a socket that was closed, or that has another port now, have no effect. */

/* The local port of a socket; 0 without one. */
uint16_t simulated_port(simulated_socket);
/* A datagram arrives at the machine, for the socket with this port that is connected to this sender. `machine_address`
   is the address that it was sent to. Without `stamps`, the kernel does not know when it arrived. */
void simulated_arrive(
    int machine, uint32_t machine_address, uint16_t port, uint32_t from, uint16_t from_port, const void *bytes,
    size_t count, int stamps);
/* An ICMP error from a router or host about a datagram to `to`, whose content it quotes. */
void simulated_icmp(
    int machine, uint16_t port, uint32_t to, uint16_t to_port, uint32_t from, int type, int code, int error,
    const void *quoted, size_t count);
/* A stream is connected, or fails with `error`. */
void simulated_connect(simulated_socket, int error);
/* A client on the same machine connects to the server that listens on a port. Returns 0 without a server. The bytes of
   the server are those that the stream sends. */
simulated_socket simulated_dial(uint16_t port);
/* Bytes arrive on a stream. Returns 0 if it is closed. */
int simulated_feed(simulated_socket, const void *bytes, size_t count);
/* The peer closes a stream, or resets it. */
void simulated_end(simulated_socket, int is_reset);

#endif
