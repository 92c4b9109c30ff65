/*
 * probes.h - static probes (USDT): places that bpftrace, perf or gdb can find by name in a program
 * that runs. Each is one `nop` until somebody looks. TRACING.md lists them.
 *
 * They are compiled in when the header of systemtap-sdt-dev is there; the programs need nothing of it
 * later.
 */
#ifndef SERVER_TRACE_PROBES_H
#define SERVER_TRACE_PROBES_H

#if defined(__has_include)
#if __has_include(<sys/sdt.h>)
#define HAVE_PROBES
#endif
#endif

#ifdef HAVE_PROBES
/* Arguments in registers: bpftrace does not understand every address that a compiler would take. */
#define STAP_SDT_ARG_CONSTRAINT nr
#include <sys/sdt.h>
/* With -Wpedantic clang warns of that header's macros wherever they are used. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-zero-variadic-macro-arguments"
#endif
#define PROBE2(name, a, b)	 DTRACE_PROBE2(holmgang, name, a, b)
#define PROBE3(name, a, b, c)	 DTRACE_PROBE3(holmgang, name, a, b, c)
#define PROBE4(name, a, b, c, d) DTRACE_PROBE4(holmgang, name, a, b, c, d)
#else
#define PROBE2(name, a, b)	 ((void)(a), (void)(b))
#define PROBE3(name, a, b, c)	 ((void)(a), (void)(b), (void)(c))
#define PROBE4(name, a, b, c, d) ((void)(a), (void)(b), (void)(c), (void)(d))
#endif

#endif
