#include "CLibraries.h"

#ifdef QUIC
#include <nghttp3/version.h>
#include <ngtcp2/version.h>
#endif

#ifdef __APPLE__

int clibraries_load(clibraries_name library) { return 1; }

const char *clibraries_advice(clibraries_name library) { return ""; }

const char *clibraries_package(clibraries_name library) { return ""; }

#else

#include "Functions.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

/* The libraries, in the versions of the headers of this build, and their Debian packages. */
#ifdef QUIC
#if NGTCP2_VERSION_NUM >= 0x010000
#define NGTCP2_LIBRARY "libngtcp2.so.16", "libngtcp2-16"
#define NGTCP2_CRYPTO_LIBRARY "libngtcp2_crypto_gnutls.so.8", "libngtcp2-crypto-gnutls8"
#else
#define NGTCP2_LIBRARY "libngtcp2.so.9", "libngtcp2-9"
#define NGTCP2_CRYPTO_LIBRARY "libngtcp2_crypto_gnutls.so.2", "libngtcp2-crypto-gnutls2"
#endif
#if NGHTTP3_VERSION_NUM >= 0x010000
#define NGHTTP3_LIBRARY "libnghttp3.so.9", "libnghttp3-9"
#else
#define NGHTTP3_LIBRARY "libnghttp3.so.3", "libnghttp3-3"
#endif
#define QUIC_LIBRARIES(F) \
    F(nghttp3, NGHTTP3, NGHTTP3_LIBRARY) \
    F(ngtcp2, NGTCP2, NGTCP2_LIBRARY) \
    F(ngtcp2_crypto, NGTCP2_CRYPTO, NGTCP2_CRYPTO_LIBRARY)
#else
#define QUIC_LIBRARIES(F)
#endif

/* A third name is another build of the same interface. */
#define PLACE(file, package, ...) \
    {file, "" __VA_ARGS__}, package, file " is missing: install it (Debian: apt-get install " package ")"

/* The address of a function. At first it is the code that loads the library. */
#define SLOT(name) \
    void clibraries_first_##name(void) __attribute__((visibility("hidden"))); \
    void *clibraries_slot_##name __attribute__((visibility("hidden"))) = (void *)clibraries_first_##name;
#define ENTRY(name) {#name, &clibraries_slot_##name, (void *)clibraries_first_##name},

/* Both registers are reserved for code between a caller and a callee, and hold no argument. */
#if defined(__x86_64__)
#define JUMP(name) "jmp *clibraries_slot_" name "(%rip)\n"
#define FIRST(name) "leaq clibraries_slot_" name "(%rip), %r11\njmp clibraries_first\n"
#elif defined(__aarch64__)
#define JUMP(name) \
    "adrp x16, clibraries_slot_" name "\nldr x16, [x16, :lo12:clibraries_slot_" name "]\nbr x16\n"
#define FIRST(name) \
    "adrp x17, clibraries_slot_" name "\nadd x17, x17, :lo12:clibraries_slot_" name "\nb clibraries_first\n"
#else
#error "Which register may a jump use here, and which are arguments?"
#endif

#define LABEL(name) ".hidden " name "\n.globl " name "\n.type " name ", %function\n" name ":\n"
#define CODE(name) \
    __asm__(".text\n.p2align 4\n" LABEL(#name) JUMP(#name) LABEL("clibraries_first_" #name) FIRST(#name));

#define FUNCTIONS(library, list, ...) \
    list(SLOT) list(CODE) \
    static const struct function library##_functions[] = {list(ENTRY)};
#define LIBRARY(library, list, ...) \
    [clibraries_##library] = {PLACE(__VA_ARGS__), library##_functions, sizeof library##_functions / sizeof(struct function)},

#define LIBRARIES(F) \
    F(curl, CURL, "libcurl.so.4", "libcurl4", "libcurl-gnutls.so.4") \
    F(fstrm, FSTRM, "libfstrm.so.0", "libfstrm0") \
    F(gnutls, GNUTLS, "libgnutls.so.30", "libgnutls30") \
    F(ldns, LDNS, "libldns.so.3", "libldns3") \
    F(mosquitto, MOSQUITTO, "libmosquitto.so.1", "libmosquitto1") \
    F(nghttp2, NGHTTP2, "libnghttp2.so.14", "libnghttp2-14") \
    F(pq, PQ, "libpq.so.5", "libpq5") \
    F(psl, PSL, "libpsl.so.5", "libpsl5") \
    F(snappy, SNAPPY, "libsnappy.so.1", "libsnappy1v5") \
    F(sqlite, SQLITE, "libsqlite3.so.0", "libsqlite3-0") \
    QUIC_LIBRARIES(F)

struct function {
    const char *name;
    void **slot;
    void *first;
};

LIBRARIES(FUNCTIONS)

static const struct {
    const char *files[2];
    const char *package;
    const char *advice;
    const struct function *functions;
    size_t count;
} libraries[] = {LIBRARIES(LIBRARY)};

enum { library_count = sizeof libraries / sizeof *libraries };

int clibraries_load(clibraries_name library) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static atomic_int is_loaded[library_count];
    // No code requests a library that this build excludes.
    if (library >= library_count || libraries[library].package == NULL) return 1;
    if (atomic_load(&is_loaded[library])) return 1;
    pthread_mutex_lock(&mutex);
    void *handle = NULL;
    for (int index = 0; index < 2 && handle == NULL && !atomic_load(&is_loaded[library]); index++) {
        const char *file = libraries[library].files[index];
        if (*file) handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    }
    for (size_t index = 0; handle != NULL && index < libraries[library].count; index++) {
        const struct function *function = &libraries[library].functions[index];
        // The slot of a missing function is unchanged. A call of the function reports the error.
        void *found = dlsym(handle, function->name);
        if (found != NULL) __atomic_store_n(function->slot, found, __ATOMIC_RELEASE);
    }
    if (handle != NULL) atomic_store(&is_loaded[library], 1);
    pthread_mutex_unlock(&mutex);
    return atomic_load(&is_loaded[library]);
}

const char *clibraries_advice(clibraries_name library) {
    return library < library_count && libraries[library].advice ? libraries[library].advice : "";
}

const char *clibraries_package(clibraries_name library) {
    return library < library_count && libraries[library].package ? libraries[library].package : "";
}

/* Returns the address of the function of a slot on its first call. */
__attribute__((used, visibility("hidden"))) void *clibraries_found(void **slot) {
    for (size_t library = 0; library < library_count; library++) {
        for (size_t index = 0; index < libraries[library].count; index++) {
            const struct function *function = &libraries[library].functions[index];
            if (function->slot != slot) continue;
            clibraries_load(library);
            void *found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
            if (found != function->first) return found;
            dprintf(STDERR_FILENO, "dnstempo: %s\n", libraries[library].advice);
            _exit(69);
        }
    }
    _exit(70);
}

/* Calls clibraries_found with the slot, and jumps to the returned address with the caller's arguments unchanged. */
#if defined(__x86_64__)
__asm__(".text\n" LABEL("clibraries_first")
        "pushq %rbp\nmovq %rsp, %rbp\n"
        "pushq %rax\npushq %rdi\npushq %rsi\npushq %rdx\npushq %rcx\npushq %r8\npushq %r9\npushq %r10\n"
        "subq $128, %rsp\n"
        "movaps %xmm0, (%rsp)\nmovaps %xmm1, 16(%rsp)\nmovaps %xmm2, 32(%rsp)\nmovaps %xmm3, 48(%rsp)\n"
        "movaps %xmm4, 64(%rsp)\nmovaps %xmm5, 80(%rsp)\nmovaps %xmm6, 96(%rsp)\nmovaps %xmm7, 112(%rsp)\n"
        "movq %r11, %rdi\ncall clibraries_found\nmovq %rax, %r11\n"
        "movaps (%rsp), %xmm0\nmovaps 16(%rsp), %xmm1\nmovaps 32(%rsp), %xmm2\nmovaps 48(%rsp), %xmm3\n"
        "movaps 64(%rsp), %xmm4\nmovaps 80(%rsp), %xmm5\nmovaps 96(%rsp), %xmm6\nmovaps 112(%rsp), %xmm7\n"
        "addq $128, %rsp\n"
        "popq %r10\npopq %r9\npopq %r8\npopq %rcx\npopq %rdx\npopq %rsi\npopq %rdi\npopq %rax\n"
        "popq %rbp\njmp *%r11\n");
#elif defined(__aarch64__)
__asm__(".text\n" LABEL("clibraries_first")
        "stp x29, x30, [sp, #-16]!\nmov x29, sp\n"
        "stp x0, x1, [sp, #-16]!\nstp x2, x3, [sp, #-16]!\nstp x4, x5, [sp, #-16]!\n"
        "stp x6, x7, [sp, #-16]!\nstp x8, x9, [sp, #-16]!\n"
        "stp q0, q1, [sp, #-32]!\nstp q2, q3, [sp, #-32]!\nstp q4, q5, [sp, #-32]!\nstp q6, q7, [sp, #-32]!\n"
        "mov x0, x17\nbl clibraries_found\nmov x16, x0\n"
        "ldp q6, q7, [sp], #32\nldp q4, q5, [sp], #32\nldp q2, q3, [sp], #32\nldp q0, q1, [sp], #32\n"
        "ldp x8, x9, [sp], #16\nldp x6, x7, [sp], #16\nldp x4, x5, [sp], #16\n"
        "ldp x2, x3, [sp], #16\nldp x0, x1, [sp], #16\n"
        "ldp x29, x30, [sp], #16\nbr x16\n");
#endif

#endif
