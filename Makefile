# Builds the programs into build/, tests and checks them.
#
#   make            the programs                 make asan    the tests with sanitizers
#   make test       the tests (JOBS=n at once)   make lint    clang-tidy, cppcheck, shellcheck
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
# libseccomp (the cage of the duels: filters of system calls that can be read by people),
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
# Each variable in a section of its own, so that server/layout.ld can say where it lies.
FLAGS     = -std=gnu17 -D_GNU_SOURCE -MMD -MP -fdata-sections $(WARNINGS) $(PROTECT) $(SANITIZE)
LINK      = $(CC) $(FLAGS) -Wl,-z,relro,-z,now $(CFLAGS) $(LDFLAGS)

# What keeps a mistake with memory from being made use of: each that this compiler has, and CFLAGS leave room for.
# Some C libraries warn of _FORTIFY_SOURCE without -O. A sanitizer sees more, and must be alone.
PROTECTIONS = -fstack-protector-strong -fstack-clash-protection -fcf-protection -D_FORTIFY_SOURCE=3
ifeq ($(findstring -fsanitize,$(SANITIZE) $(CFLAGS)),)
PROTECT    := $(foreach flag,$(PROTECTIONS),$(shell \
	$(CC) -Werror $(flag) $(CFLAGS) -x c -include stdlib.h -fsyntax-only - </dev/null 2>/dev/null && echo '$(flag)'))
endif

# The server in one piece, without shared libraries: a duel that is forked touches and copies a third
# fewer pages, and finds every function where it is. Sanitizers cannot be linked so.
STATIC     ?= $(if $(SANITIZE),,-static-pie)
# SQLite could load extensions. We never do, and the linker would warn of what that takes.
ONE_PIECE   = $(if $(STATIC),$(STATIC) -Xlinker -T -Xlinker server/layout.ld -Xlinker --wrap=dlopen -Xlinker --defsym=__wrap_dlopen=abort \
	-Xlinker --wrap=__sbrk -Xlinker --defsym=__wrap___sbrk=heap_grow \
	-Xlinker --wrap=_dl_early_allocate -Xlinker --defsym=__wrap__dl_early_allocate=heap_first)
SERVER_LIBS = -luuid -lbsd -lmd -lseccomp -lsqlite3 -lm
PLAYER_LIBS = -lncursesw -lbsd
VIEWER_LIBS = -lncursesw -lbsd -lmicrohttpd -lsqlite3 -lm
ARENA_LIBS  = -lbsd -lm
DRIVER_LIBS = -lbsd -lmd -lm

PROTO   = $(wildcard proto/*.c)
SCENE   = viewer/scene.c viewer/text.c viewer/draw.c $(wildcard viewer/draw_*.c)
PAGE    = $(wildcard viewer/page/*)
# what of the viewer the player has too: all that is for terminals
SHOW    = $(filter-out viewer/main.c viewer/games% viewer/svg% viewer/web% viewer/watch_svg.c viewer/watch_web.c,\
	$(wildcard viewer/*.c))
TABLE   = $(wildcard server/table*.c) server/dialect.c
KEPT    = $(TABLE) server/record.c server/record_events.c server/archive.c
# a duel without its loop
REPLAY  = $(TABLE) $(patsubst %,server/%.c,inputs replay seats orders journal stream peer birth trace trace_record trace_text \
	offer timers show descriptors limits address warrant)
GAMES_READ = games games_load games_glicko games_ratings
ARENA   = $(wildcard player/arena*.c)
BOT     = $(wildcard player/bot*.c) player/view.c player/view_hear.c
DRIVERS = $(wildcard tests/*.c)
RULES   = $(wildcard tests/rules/*.c)
GAMES   = $(wildcard tests/games/*.c)
FAULTS  = $(wildcard tests/faults/*.c)
FUZZERS = $(wildcard tests/fuzz/*.c)
BENCHES = $(wildcard tests/bench/*.c) $(wildcard tests/escape/*.c)
PRELOAD = $(wildcard tests/preload/*.c)
TOUR    = $(wildcard tests/tour/*.c)
SOURCES = $(PROTO) $(wildcard server/*.c player/*.c viewer/*.c) $(DRIVERS) $(RULES) $(GAMES) $(FAULTS) $(FUZZERS) \
	$(BENCHES) $(PRELOAD) $(TOUR)
HEADERS = $(wildcard */*.h tests/*/*.h)
TESTS   = $(wildcard tests/*.bats)
NETWORK = $(wildcard tests/network/*.bats)
SCRIPTS = compile_linux run_linux kill_all tests/fuzz/run tests/bench/run tests/bench/fill tests/tour/run .ci/run tests/run tests/powers \
	$(wildcard tests/*.bash player/engines/*.sh) $(TESTS) $(NETWORK)

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

PROGRAMS = server player viewer arena
all: $(PROGRAMS) rules
$(PROGRAMS) rules: %: $(BUILD)/holmgang-%

SERVER = $(call objects,$(PROTO) $(wildcard server/*.c) $(SCENE))
$(BUILD)/holmgang-server: $(SERVER) server/layout.ld
	$(LINK) $(ONE_PIECE) -o $@ $(filter %.o,$^) $(SERVER_LIBS)

# With shared libraries, so that a test can load another before them; also that which has the key.
$(BUILD)/shared/holmgang-server: $(filter-out %/key.o,$(SERVER)) $(BUILD)/shared/libkey.so
	@mkdir -p $(@D)
	$(LINK) -Wl,-rpath,'$$ORIGIN' -o $@ $^ $(SERVER_LIBS)

$(BUILD)/shared/libkey.so: server/key.c server/key.h
	@mkdir -p $(@D)
	$(LINK) -fPIC -shared -Wl,-soname,$(@F) -o $@ $<

# A server whose duels try to get out of their cage, for the tests. Sanitizers leave the cage open, so
# it is always built without.
$(BUILD)/holmgang-server-escape: $(SERVER) $(call objects,tests/escape/escape.c) server/layout.ld
ifeq ($(SANITIZE),)
	$(LINK) $(ONE_PIECE) -Wl,--wrap=recv -o $@ $(filter %.o,$^) $(SERVER_LIBS)
else
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/closed SANITIZE= $(BUILD)/closed/holmgang-server-escape
	cp $(BUILD)/closed/holmgang-server-escape $@
endif

$(BUILD)/holmgang-player: $(call objects,$(PROTO) $(filter-out $(ARENA),$(wildcard player/*.c)) $(SHOW))
	$(LINK) -o $@ $^ $(PLAYER_LIBS)

$(BUILD)/holmgang-viewer: $(call objects,$(PROTO) $(wildcard viewer/*.c) $(KEPT)) $(PAGE:%=$(BUILD)/obj/%.o)
	$(LINK) -o $@ $^ $(VIEWER_LIBS)

# What of the player the arena needs: its clock, keys, signals, levels.
$(BUILD)/holmgang-arena: $(call objects,$(PROTO) $(ARENA) player/bot_level.c player/client.c player/keys.c player/signals.c)
	$(LINK) -o $@ $^ $(ARENA_LIBS)

# The rules by hand, for study and tests; it is not installed.
$(BUILD)/holmgang-rules: $(call objects,$(PROTO) $(RULES))
	$(LINK) -o $@ $^ -lbsd

# Breaks a server while it is played on. Not installed.
$(BUILD)/holmgang-faults: $(call objects,$(PROTO) server/journal.c $(filter-out tests/faults/step%,$(FAULTS)))
	$(LINK) -o $@ $^ -lbsd

$(BUILD)/holmgang-step-kill: $(call objects,$(PROTO) $(wildcard tests/faults/step*.c) tests/faults/server.c server/journal.c)
	$(LINK) -o $@ $^ -lbsd

$(BUILD)/tests/random_games: $(call objects,$(GAMES))
$(BUILD)/tests/arena_test: $(call objects,player/arena_stats.c player/arena_schedule.c)
$(BUILD)/tests/match_test: $(call objects,server/match.c)
$(BUILD)/tests/table_test: $(call objects,$(TABLE))
$(BUILD)/tests/journal_test: $(call objects,server/journal.c)
$(BUILD)/tests/ledger_test: $(call objects,server/ledger.c server/journal.c)
$(BUILD)/tests/deaths_test: $(call objects,server/deaths.c)
$(BUILD)/tests/replay_test: $(call objects,$(REPLAY))
$(BUILD)/tests/refuse: DRIVER_LIBS += -lseccomp
$(BUILD)/tests/trace_test: $(call objects,server/trace.c server/trace_record.c server/trace_text.c)
$(BUILD)/tests/limits_test: $(call objects,server/limits.c server/address.c)
DRAW_TEST = svg svg_outline svg_words web_page
$(BUILD)/tests/draw_none_test: $(call objects,player/picker.c $(DRAW_TEST:%=viewer/%.c)) $(PAGE:%=$(BUILD)/obj/%.o)
$(BUILD)/tests/report_test: $(filter-out %/main.o,$(SERVER))
$(BUILD)/tests/report_test: DRIVER_LIBS = $(SERVER_LIBS)
$(BUILD)/tests/qwirkle_scene_test: $(call objects,player/picker.c)
$(BUILD)/tests/bot_test $(BUILD)/tests/bot_two_test: $(call objects,$(BOT))
$(BUILD)/tests/bot_memory_test $(BUILD)/tests/bot_qwirkle_test: $(call objects,$(BOT))
$(BUILD)/tests/bot_grid_test: $(call objects,player/bot_grid.c)
$(BUILD)/tests/view_test: $(call objects,player/view.c player/view_hear.c player/picker.c player/words.c)
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(call objects,$(PROTO) $(SCENE))
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(DRIVER_LIBS)

$(BUILD)/tests/games_test: $(call objects,$(KEPT) $(GAMES_READ:%=viewer/%.c))
$(BUILD)/tests/games_test: DRIVER_LIBS += -lsqlite3
$(BUILD)/tests/wall_test: $(call objects,viewer/wall.c viewer/layout.c)
WEB_TEST = svg svg_outline svg_words wall web_board web_guests web_json web_page web_post web_reader web_ring
$(BUILD)/tests/web_test: $(call objects,$(WEB_TEST:%=viewer/%.c)) $(PAGE:%=$(BUILD)/obj/%.o)
KEPT_TEST = $(GAMES_READ) web_kept web_json web_page svg svg_outline svg_words
$(BUILD)/tests/kept_test: $(call objects,$(KEPT) $(KEPT_TEST:%=viewer/%.c)) $(PAGE:%=$(BUILD)/obj/%.o)
$(BUILD)/tests/kept_test: DRIVER_LIBS += -lsqlite3

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) -c -o $@ $<

# A file as it is, between two symbols that are named after its path.
$(BUILD)/obj/viewer/page/%.o: viewer/page/%
	@mkdir -p $(@D)
	$(LD) -r -b binary -z noexecstack -o $@ $<

# Loaded before a server's shared libraries, so no sanitizer is in it.
$(BUILD)/tests/%.so: tests/preload/%.c
	@mkdir -p $(@D)
	$(CC) $(filter-out -M%,$(filter-out $(SANITIZE),$(FLAGS))) $(CFLAGS) -fPIC -shared -Wl,-soname,$(@F) -o $@ $<

BREAKERS = $(BUILD)/holmgang-faults $(BUILD)/holmgang-step-kill
drivers: $(BUILD)/shared/holmgang-server $(BUILD)/holmgang-server-escape $(BREAKERS) $(patsubst tests/%.c,$(BUILD)/tests/%,$(DRIVERS)) \
	$(patsubst tests/preload/%.c,$(BUILD)/tests/%.so,$(PRELOAD))

# The last line says "N passed, N failed".
test: all drivers benchers
	@HOLMGANG_BUILD=$(BUILD) tests/run -j $(JOBS) $(TESTS)

asan:
	@$(MAKE) --no-print-directory test BUILD=$(BUILD)/asan CFLAGS="-Og -g" SANITIZE="$(ASAN)"

# Otherwise a duel hides from whoever is not root; see server/sandbox.c.
study:
	@$(MAKE) --no-print-directory all BUILD=$(BUILD)/study CFLAGS="-Og -g -DHOLMGANG_STUDY"

# The drivers that play as many games as they are told.
SOAKED = $(patsubst tests/%.c,$(BUILD)/tests/%,$(shell grep -l 'argc > 1 [?] [a-z]*.argv' $(DRIVERS)))
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
FUZZ_GAMES = $(patsubst &%_game,%,$(shell grep -o '&[a-z]*_game' proto/games.c))
FUZZ_ALL   = line message frame play birth journal kept $(FUZZ_GAMES:%=move-%) $(FUZZ_GAMES:%=model-%)
fuzz: $(BUILD)/holmgang-rules
	@$(MAKE) --no-print-directory fuzzers BUILD=$(BUILD)/fuzz CC=clang CFLAGS="-O1 -g" SANITIZE="$(FUZZ)"
	@printf '%s\n' $(FUZZ_ALL) | \
		xargs -P $(JOBS) -I '{}' tests/fuzz/run $(BUILD)/holmgang-rules $(BUILD)/fuzz $(FUZZ_SECONDS) '{}'
fuzzers: $(FUZZ_ALL:%=$(BUILD)/%)
$(BUILD)/move-%: $(call objects,$(PROTO)) tests/fuzz/move.c tests/fuzz/fuzz.h
	$(CC) $(FLAGS) -DGAME=$* $(CFLAGS) -fsanitize=fuzzer -o $@ $(filter-out %.h,$^) -lbsd
$(BUILD)/model-%: $(call objects,$(PROTO) $(SCENE)) tests/fuzz/model.c tests/fuzz/fuzz.h
	$(CC) $(FLAGS) -DGAME=$* $(CFLAGS) -fsanitize=fuzzer -o $@ $(filter-out %.h,$^) -lbsd
FUZZ_PLAIN = $(patsubst %,$(BUILD)/%,line message frame play birth)
$(FUZZ_PLAIN): $(BUILD)/%: \
		$(call objects,$(PROTO) $(SCENE) server/birth.c) $(BUILD)/obj/tests/fuzz/%.o
	$(CC) $(FLAGS) $(CFLAGS) -fsanitize=fuzzer -o $@ $^ -lbsd

$(BUILD)/journal: $(call objects,$(PROTO) $(SCENE) $(REPLAY)) $(BUILD)/obj/tests/fuzz/journal.o
	$(CC) $(FLAGS) $(CFLAGS) -fsanitize=fuzzer -o $@ $^ -lbsd -lmd

$(BUILD)/kept: $(call objects,$(PROTO) $(SCENE) $(TABLE) server/record.c viewer/games_text.c viewer/games_text_read.c) \
		$(BUILD)/obj/tests/fuzz/kept.o
	$(CC) $(FLAGS) $(CFLAGS) -fsanitize=fuzzer -o $@ $^ -lbsd

$(BUILD)/cage_bench: $(call objects,tests/bench/cage.c server/sandbox.c server/key.c server/user.c proto/log.c proto/text.c)
	$(LINK) -o $@ $^ -lbsd -lseccomp

# The floors, the references and the load client that measure the server; tests/bench/run runs them.
BENCH = $(patsubst %,$(BUILD)/bench/%,load fork spawner threads epoll curve hear)
benchers: $(BENCH)
BENCH_PARTS = $(patsubst %,tests/bench/%.c,player subject script figures duels moves crowd wall)
$(BUILD)/bench/load: $(call objects,tests/bench/load.c $(BENCH_PARTS) $(PROTO))
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ -lbsd
$(BUILD)/bench/fork $(BUILD)/bench/spawner: $(call objects,tests/bench/parent.c)
$(BUILD)/bench/curve: $(call objects,server/descriptors.c)
$(BUILD)/bench/spawner $(BUILD)/bench/curve: LDFLAGS += $(STATIC)
$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(call objects,tests/bench/match.c tests/bench/floor.c)
	@mkdir -p $(@D)
	$(LINK) -o $@ $^

# Lengths at which a count takes about a second, or all there is; 3 where nothing is said.
PERFT = tictactoe:9 quantik:4
# For valgrind, which a cage would not let do its work.
$(BUILD)/open/holmgang-server: $(SERVER)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/open CFLAGS="-O2 -g -DHOLMGANG_OPEN" $@

bench: $(BUILD)/holmgang-rules server viewer benchers $(BUILD)/cage_bench $(BUILD)/open/holmgang-server
	@tests/bench/run $(BUILD)
	@for game in $$($< --list); do \
		length=3; for set in $(PERFT); do [ $${set%:*} != $$game ] || length=$${set#*:}; done; \
		printf '%-10s ' $$game; $< $$game --perft $$length | tail -n 1; done
	@$(BUILD)/cage_bench
bench-quick: server viewer benchers
	@tests/bench/run --quick $(BUILD)

# Four that are independent: make -k lint hears them all.
lint: lint-layout lint-scripts lint-cppcheck lint-tidy
lint-layout:
	@clang-format --dry-run -Werror $(SOURCES) $(HEADERS)
lint-scripts:
	@shellcheck $(SCRIPTS)
# uninitvar: it takes what a callee fills for unset; the analyzer of clang-tidy knows better.
lint-cppcheck:
	@cppcheck --quiet -j $(JOBS) --std=c11 -D_GNU_SOURCE --enable=warning,performance,portability \
		--inline-suppr --suppress=missingIncludeSystem --suppress=uninitvar --error-exitcode=1 $(SOURCES)
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
	install -m 644 player/holmgang-player.1 player/holmgang-arena.1 viewer/holmgang-viewer.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 server/holmgang-server.8 $(DESTDIR)$(PREFIX)/share/man/man8
	install -m 644 server/holmgang.socket server/holmgang.service $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed -i 's|@bin@|$(PREFIX)/bin|' $(DESTDIR)$(PREFIX)/lib/systemd/system/holmgang.service

clean:
	rm -rf $(BUILD)

.PHONY: all $(PROGRAMS) rules drivers benchers test asan study soak soak-plain soak-asan soak-load faults
.PHONY: bench bench-quick fuzz fuzzers format install clean
.PHONY: lint lint-layout lint-scripts lint-cppcheck lint-tidy
.SECONDARY:
-include $(wildcard $(BUILD)/obj/*/*.d $(BUILD)/obj/*/*/*.d)
