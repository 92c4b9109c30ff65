# Builds the programs into build/, tests and checks them.
#
#   make            the programs                 make asan    the tests with sanitizers
#   make test       the tests (JOBS processors)  make lint    clang-tidy, cppcheck, shellcheck
#   make check      the tests that are quick: a minute in all
#   make install    DESTDIR= PREFIX=             make format  lay the source out
#   make soak       random games, SOAK_GAMES of each, without and with sanitizers; then
#                   SOAK_SECONDS of load on a server, whose memory must stay what it is
#   make faults     FAULTS_SECONDS of tables while processes are killed, stopped and cut off, the last
#                   twelfth beside rude clients; then a duel killed before and after every system
#                   call of a move
#   make fuzz       each fuzzer for FUZZ_SECONDS; needs what ./compile_linux fuzz installs
#   make study      the programs into build/study, for gdb, strace and /proc to look into
#   make bench      the server against what it could cost at the least, how fast the rules are, what
#                   a duel's cage costs it
#   make bench-quick   the main ratios
#
# Needed: libuuid (ids as others make them), libbsd (process titles, fair draws), libmd (SHA-256, for the
# proofs of whose a game is),
# libseccomp (the cages: filters of system calls that can be read by people),
# SQLite (the games that are kept, which any program can read),
# ncurses with wide characters (the terminal, whatever it is), libmicrohttpd (an HTTP server small
# enough to run inside our own loop, without threads). ./compile_linux installs them.

BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
JOBS    ?= $(shell nproc)

SOAK_GAMES   ?= 100000
SOAK_SECONDS ?= 1200
FUZZ_SECONDS ?= 60
FAULTS_SECONDS ?= 60

# -std=gnu17 is C17 with what Linux adds. CFLAGS is the user's; the rest is ours.
CFLAGS   ?= -O2 -g
WARNINGS  = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror
ASAN      = -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all
FLAGS     = -std=gnu17 -D_GNU_SOURCE -I. -MMD -MP -ffunction-sections -fdata-sections $(WARNINGS) $(PROTECT) $(SANITIZE)
# What is done, in a word and a file; V=1 shows the commands.
SILENT    = $(findstring s,$(firstword -$(MAKEFLAGS)))
say       = $(if $(V)$(SILENT),,@printf '%-4s %s\n' $(1) $(2))
Q         = $(if $(V),,@)
LINK      = $(CC) $(FLAGS) -Wl,-z,relro,-z,now,--gc-sections $(CFLAGS) $(LDFLAGS)

# What keeps a mistake with memory from being made use of: each that this compiler has, and CFLAGS leave room for.
# Some C libraries warn of _FORTIFY_SOURCE without -O. A sanitizer sees more, and must be alone.
PROTECTIONS = -fstack-protector-strong -fstack-clash-protection -fcf-protection -D_FORTIFY_SOURCE=3
ifeq ($(findstring -fsanitize,$(SANITIZE) $(CFLAGS)),)
PROTECT    := $(foreach flag,$(PROTECTIONS),$(shell \
	$(CC) -Werror $(flag) $(CFLAGS) -x c -include stdlib.h -fsyntax-only - </dev/null 2>/dev/null && echo '$(flag)'))
endif

# The program of the duels in one piece, without shared libraries: a duel that is forked touches and copies a third
# fewer pages, and finds every function where it is. Sanitizers cannot be linked so.
STATIC     ?= $(if $(SANITIZE),,-static-pie)
# Two functions of the C library are ours there: see server/duel/heap.c.
OWN_HEAP    = $(if $(STATIC),$(patsubst %,-Xlinker %,--wrap=__sbrk --defsym=__wrap___sbrk=heap_grow \
	--wrap=_dl_early_allocate --defsym=__wrap__dl_early_allocate=heap_first))

.DEFAULT_GOAL = all

# Each folder's objects in a library; the linker takes from it what a program needs, and no more.
PROTO   = $(wildcard proto/*/*.c)
SERVER  = $(wildcard server/*.c server/*/*.c)
PLAYER  = $(wildcard player/*.c player/*/*.c)
VIEWER  = $(wildcard viewer/*.c viewer/*/*.c)
LINKED  = $(wildcard viewer/web/page/*) viewer/svg/board.css
DRIVERS = $(filter-out $(POSITION),$(wildcard tests/unit/*.c tests/tools/*.c))
POSITION = tests/unit/position.c
RULES   = $(wildcard tests/rules/*.c)
FAULTS  = $(wildcard tests/faults/*.c)
FUZZERS = $(wildcard tests/fuzz/*.c)
BENCHES = $(wildcard tests/bench/*.c) $(wildcard tests/tools/escape/*.c)
PRELOAD = $(wildcard tests/tools/preload/*.c)
TOUR    = $(wildcard tests/tour/*.c)
SOURCES = $(PROTO) $(SERVER) $(PLAYER) $(VIEWER) $(DRIVERS) $(POSITION) $(RULES) $(FAULTS) $(FUZZERS) \
	$(BENCHES) $(PRELOAD) $(TOUR)
HEADERS = $(wildcard */*.h */*/*.h */*/*/*.h)
TESTS   = $(wildcard tests/cases/*.bats)
NETWORK = $(wildcard tests/cases/network/*.bats)
SCRIPTS = compile_linux run_linux kill_all tests/fuzz/run tests/bench/run tests/bench/fill tests/tour/run .ci/run tests/run tests/powers \
	$(wildcard tests/*/*.bash player/*.bash player/engines/*.sh) $(TESTS) $(NETWORK)

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

LIB_PROTO  = $(BUILD)/lib/proto.a
LIB_SERVER = $(BUILD)/lib/server.a $(LIB_VIEWER)
LIB_VIEWER = $(BUILD)/lib/viewer.a $(LIB_PROTO)
LIB_PLAYER = $(BUILD)/lib/player.a $(LIB_VIEWER)
LIB_ALL    = $(BUILD)/lib/player.a $(LIB_SERVER)
LIBRARIES  = -Wl,--as-needed -luuid -lbsd -lmd -lseccomp -lsqlite3 -lncursesw -lmicrohttpd -lm

$(LIB_PROTO): $(call objects,$(PROTO))
$(BUILD)/lib/server.a: $(call objects,$(SERVER))
$(BUILD)/lib/player.a: $(call objects,$(PLAYER))
$(BUILD)/lib/viewer.a: $(call objects,$(VIEWER)) $(LINKED:%=$(BUILD)/obj/%.o)
$(BUILD)/lib/%.a:
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $(filter-out %/main.o,$^)

# What users start; a server starts its helpers by itself.
PROGRAMS = server player viewer web arena
HELPERS  = duels recorder house
all: $(PROGRAMS) rules
$(filter-out server,$(PROGRAMS)) $(HELPERS) rules: %: $(BUILD)/holmgang-%
# The house of a server starts players.
server: $(BUILD)/holmgang-server $(HELPERS) player

DUELS = $(call objects,server/duel/main.c server/duel/heap.c) $(LIB_SERVER)
$(BUILD)/holmgang-duels: $(DUELS)
	$(call say,LD,$@)
	$(Q)$(LINK) $(STATIC) $(OWN_HEAP) -o $@ $^ $(LIBRARIES)

# For tests, servers with other helpers beside them: a server looks for them where it lies itself.

# Duels that try to get out of their cage. Sanitizers leave the cage open, so it is always built without.
$(BUILD)/escape/holmgang-duels: $(call objects,tests/tools/escape/escape.c) $(DUELS)
	@mkdir -p $(@D)
ifeq ($(SANITIZE),)
	$(call say,LD,$@)
	$(Q)$(LINK) $(STATIC) $(OWN_HEAP) -Wl,--wrap=recv -o $@ $^ $(LIBRARIES)
else
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/closed SANITIZE= $(BUILD)/closed/escape/holmgang-duels
	@cp $(BUILD)/closed/escape/holmgang-duels $@
endif

# With shared libraries, so that a test can load another before them.
$(BUILD)/shared/holmgang-duels: $(DUELS)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBRARIES)

$(BUILD)/escape/holmgang-%: $(BUILD)/holmgang-%
	@mkdir -p $(@D) && cp $< $@
$(BUILD)/shared/holmgang-%: $(BUILD)/holmgang-%
	@mkdir -p $(@D) && cp $< $@
BESIDE = $(foreach kind,escape shared,$(patsubst %,$(BUILD)/$(kind)/holmgang-%,server duels recorder house player))

# A program is what has its main(), and what that needs.
$(BUILD)/holmgang-server: $(call objects,server/main.c) $(LIB_SERVER)
$(BUILD)/holmgang-recorder: $(call objects,server/recorder/main.c) $(LIB_SERVER)
$(BUILD)/holmgang-house: $(call objects,server/house/main.c) $(LIB_SERVER)
$(BUILD)/holmgang-player: $(call objects,player/main.c) $(LIB_PLAYER)
$(BUILD)/holmgang-viewer: $(call objects,viewer/main.c) $(LIB_VIEWER)
$(BUILD)/holmgang-web: $(call objects,viewer/web/main.c) $(LIB_VIEWER)
$(BUILD)/holmgang-arena: $(call objects,player/arena/main.c) $(LIB_PLAYER)
# The rules by hand, for study and tests; it is not installed.
$(BUILD)/holmgang-rules: $(call objects,$(RULES)) $(LIB_PROTO)
# Breaks a server while it is played on. Not installed.
$(BUILD)/holmgang-faults: $(call objects,$(filter-out tests/faults/step%,$(FAULTS))) $(LIB_SERVER)
$(BUILD)/holmgang-step-kill: $(call objects,$(wildcard tests/faults/step*.c) tests/faults/server.c) $(LIB_SERVER)
$(BUILD)/holmgang-%:
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBRARIES)

$(BUILD)/tests/random_games: $(call objects,$(POSITION))
$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(LIB_ALL)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBRARIES)
$(BUILD)/tests/%: $(BUILD)/obj/tests/tools/%.o $(LIB_PROTO)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBRARIES)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) $(CFLAGS) -c -o $@ $<

# A file as it is, between two symbols that are named after its path.
$(LINKED:%=$(BUILD)/obj/%.o): $(BUILD)/obj/%.o: %
	@mkdir -p $(@D)
	$(call say,LD,$<)
	$(Q)$(LD) -r -b binary -z noexecstack -o $@ $<

# Loaded before a server's shared libraries, so no sanitizer is in it.
$(BUILD)/tests/%.so: tests/tools/preload/%.c server/shared/helper.h
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(filter-out -M%,$(filter-out $(SANITIZE),$(FLAGS))) $(CFLAGS) -fPIC -shared -Wl,-soname,$(@F) -o $@ $<

BREAKERS = $(BUILD)/holmgang-faults $(BUILD)/holmgang-step-kill
drivers: $(BESIDE) $(BREAKERS) $(patsubst %,$(BUILD)/tests/%,$(basename $(notdir $(DRIVERS)))) \
	$(patsubst tests/tools/preload/%.c,$(BUILD)/tests/%.so,$(PRELOAD))

# The last line says "N passed, N failed".
test: all drivers benchers
	@HOLMGANG_BUILD=$(BUILD) tests/run -j $(JOBS) $(TESTS)
check: all drivers benchers
	@HOLMGANG_BUILD=$(BUILD) tests/run -q -j $(JOBS) $(TESTS)

asan:
	@$(MAKE) --no-print-directory test BUILD=$(BUILD)/asan CFLAGS="-Og -g" SANITIZE="$(ASAN)"

# Otherwise a duel hides from whoever is not root; see server/duel/cage.c.
study:
	@$(MAKE) --no-print-directory all BUILD=$(BUILD)/study CFLAGS="-Og -g -DHOLMGANG_STUDY"

# The drivers that play as many games as they are told.
SOAKED = $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(shell grep -l 'argc > 1 [?] [a-z]*.argv' $(DRIVERS)))
soak: soak-plain soak-asan soak-load
soak-plain: $(SOAKED)
	@for driver in $(SOAKED); do echo "$$driver $(SOAK_GAMES)"; $$driver $(SOAK_GAMES) || exit; done
soak-asan:
	@$(MAKE) --no-print-directory soak-plain BUILD=$(BUILD)/asan CFLAGS="-O1 -g" SANITIZE="$(ASAN)"

soak-load: $(BUILD)/holmgang-server $(BUILD)/holmgang-faults
	@$(BUILD)/holmgang-faults --soak --seconds $(SOAK_SECONDS)

faults: $(BUILD)/holmgang-server $(BREAKERS)
	@$(BUILD)/holmgang-faults --seconds $(FAULTS_SECONDS)
	@$(BUILD)/holmgang-step-kill

# Fuzzers, two for each game and one for each kind of text that comes from outside.
FUZZ       = -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
FUZZ_GAMES = $(shell sed -n 's/^GAME(\([a-z]*\))$$/\1/p' proto/rules/list.h)
FUZZ_ALL   = line message frame play birth journal kept $(FUZZ_GAMES:%=move-%) $(FUZZ_GAMES:%=model-%)
fuzz: $(BUILD)/holmgang-rules
	@$(MAKE) --no-print-directory fuzzers BUILD=$(BUILD)/fuzz CC=clang CFLAGS="-O1 -g" SANITIZE="$(FUZZ)"
	@printf '%s\n' $(FUZZ_ALL) | \
		xargs -P $(JOBS) -I '{}' tests/fuzz/run $(BUILD)/holmgang-rules $(BUILD)/fuzz $(FUZZ_SECONDS) '{}'
fuzzers: $(FUZZ_ALL:%=$(BUILD)/%)
$(BUILD)/move-%: $(LIB_PROTO) tests/fuzz/move.c tests/fuzz/fuzz.h
	$(call say,LD,$@)
	$(Q)$(CC) $(FLAGS) -DFUZZED=$* $(CFLAGS) -fsanitize=fuzzer -o $@ tests/fuzz/move.c $(LIB_PROTO) -lbsd
$(BUILD)/model-%: $(LIB_VIEWER) tests/fuzz/model.c tests/fuzz/fuzz.h
	$(call say,LD,$@)
	$(Q)$(CC) $(FLAGS) -DFUZZED=$* $(CFLAGS) -fsanitize=fuzzer -o $@ tests/fuzz/model.c $(LIB_VIEWER) -lbsd
FUZZ_PLAIN = $(patsubst %,$(BUILD)/%,line message frame play birth journal kept)
$(FUZZ_PLAIN): $(BUILD)/%: $(BUILD)/obj/tests/fuzz/%.o $(LIB_ALL)
	$(call say,LD,$@)
	$(Q)$(CC) $(FLAGS) $(CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBRARIES)

$(BUILD)/cage_bench: $(call objects,tests/bench/cage.c) $(LIB_SERVER)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ -lbsd -lseccomp

# The floors, the references and the load client that measure the server; tests/bench/run runs them.
BENCH = $(patsubst %,$(BUILD)/bench/%,load fork spawner threads epoll curve hear)
benchers: $(BENCH)
BENCH_PARTS = $(patsubst %,tests/bench/%.c,player subject script figures duels moves crowd wall)
$(BUILD)/bench/load: $(call objects,tests/bench/load.c $(BENCH_PARTS)) $(LIB_PROTO)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^ -lbsd
$(BUILD)/bench/fork $(BUILD)/bench/spawner: $(call objects,tests/bench/parent.c)
$(BUILD)/bench/curve: $(call objects,server/shared/descriptors.c)
$(BUILD)/bench/spawner $(BUILD)/bench/curve: LDFLAGS += $(STATIC)
$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(call objects,tests/bench/match.c tests/bench/floor.c)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(LINK) -o $@ $^

# Lengths at which a count takes about a second, or all there is; 3 where nothing is said.
PERFT = tictactoe:9 quantik:4
# For valgrind, which a cage would not let do its work.
$(BUILD)/open/holmgang-server: server
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/open CFLAGS="-O2 -g -DHOLMGANG_OPEN" server

bench: $(BUILD)/holmgang-rules server viewer benchers $(BUILD)/cage_bench $(BUILD)/open/holmgang-server
	@tests/bench/run $(BUILD)
	@for game in $$($< --list); do \
		length=3; for set in $(PERFT); do [ $${set%:*} != $$game ] || length=$${set#*:}; done; \
		printf '%-10s ' $$game; $< $$game --perft $$length | tail -n 1; done
	@$(BUILD)/cage_bench
bench-quick: server viewer benchers
	@tests/bench/run --quick $(BUILD)

# Five that are independent: make -k lint hears them all.
lint: lint-layout lint-folders lint-scripts lint-cppcheck lint-tidy
lint-layout:
	@clang-format --dry-run -Werror $(SOURCES) $(HEADERS)
lint-folders:
	@awk -f tests/tools/folders.awk $(SOURCES) $(HEADERS)
lint-scripts:
	@shellcheck $(SCRIPTS)
# uninitvar: it takes what a callee fills for unset; the analyzer of clang-tidy knows better. It reads no
# system header, so the macros of lists are shown to it, in libbsd's copy, whose path is known.
lint-cppcheck:
	@cppcheck --quiet -j $(JOBS) --std=c11 -D_GNU_SOURCE -I. --enable=warning,performance,portability \
		--include=/usr/include/bsd/sys/queue.h --inline-suppr --suppress=missingIncludeSystem \
		--suppress=uninitvar --error-exitcode=1 $(SOURCES)
# What each says is shown in one piece and only if it found something: several write at once here, and
# their counts of warnings in system headers are no findings.
lint-tidy:
	@printf '%s\n' $(SOURCES) | xargs -P $(JOBS) -I '{}' sh -c \
		'said=$$(clang-tidy --quiet "$$@" 2>&1) || { printf "%s\n" "$$said"; exit 1; }' \
		clang-tidy '{}' -- $(filter-out -M% $(PROTECT),$(FLAGS))

format:
	clang-format -i $(SOURCES) $(HEADERS)

install: $(PROGRAMS)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/systemd/system $(addprefix $(DESTDIR)$(PREFIX)/share/man/,man1 man8)
	install $(PROGRAMS:%=$(BUILD)/holmgang-%) $(DESTDIR)$(PREFIX)/bin
	install -d $(DESTDIR)$(PREFIX)/libexec/holmgang
	install $(HELPERS:%=$(BUILD)/holmgang-%) $(DESTDIR)$(PREFIX)/libexec/holmgang
	install -m 644 player/holmgang-player.1 player/holmgang-arena.1 viewer/holmgang-viewer.1 viewer/holmgang-web.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 server/holmgang-server.8 $(DESTDIR)$(PREFIX)/share/man/man8
	install -m 644 server/holmgang.socket server/holmgang.service $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed -i 's|@bin@|$(PREFIX)/bin|' $(DESTDIR)$(PREFIX)/lib/systemd/system/holmgang.service

clean:
	rm -rf $(BUILD)

.PHONY: all $(PROGRAMS) rules drivers benchers test check asan study soak soak-plain soak-asan soak-load faults
.PHONY: bench bench-quick fuzz fuzzers format install clean
.PHONY: lint lint-layout lint-folders lint-scripts lint-cppcheck lint-tidy
.SECONDARY:
-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
