# Builds the three programs into build/, tests and checks them.
#
#   make            the programs                 make asan    the tests with sanitizers
#   make test       the tests (JOBS=n at once)   make lint    clang-tidy, cppcheck, shellcheck
#   make install    DESTDIR= PREFIX=             make format  lay the source out
#
# Needed: libuuid (ids as others make them), libbsd (process titles, strtonum, fair draws),
# ncurses with wide characters (the terminal, whatever it is). ./compile_linux installs them.

BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
JOBS    ?= $(shell nproc)

# -std=gnu17 is C17 with what Linux adds. CFLAGS is the user's; the rest is ours.
CFLAGS   ?= -O2 -g
WARNINGS  = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror
ASAN      = -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all
FLAGS     = -std=gnu17 -D_GNU_SOURCE -MMD -MP $(WARNINGS) $(SANITIZE)

SERVER_LIBS = -luuid -lbsd
PLAYER_LIBS = -lncursesw -lbsd
VIEWER_LIBS = -lncursesw -lbsd

PROTO   = $(wildcard proto/*.c)
SCENE   = viewer/scene.c viewer/text.c viewer/draw.c $(wildcard viewer/draw_*.c)
SHOW    = $(filter-out viewer/main.c,$(wildcard viewer/*.c))
DRIVERS = $(wildcard tests/*.c)
SOURCES = $(PROTO) $(wildcard server/*.c player/*.c viewer/*.c) $(DRIVERS)
HEADERS = $(wildcard */*.h)
TESTS   = $(wildcard tests/*.bats)
SCRIPTS = compile_linux run_linux kill_all .ci/run tests/run $(wildcard tests/*.bash) $(TESTS)

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

PROGRAMS = server player viewer
all: $(PROGRAMS)
$(PROGRAMS): %: $(BUILD)/holmgang-%

$(BUILD)/holmgang-server: $(call objects,$(PROTO) $(wildcard server/*.c) $(SCENE))
	$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(SERVER_LIBS)

$(BUILD)/holmgang-player: $(call objects,$(PROTO) $(wildcard player/*.c) $(SHOW))
	$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PLAYER_LIBS)

$(BUILD)/holmgang-viewer: $(call objects,$(PROTO) $(wildcard viewer/*.c))
	$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(VIEWER_LIBS)

$(BUILD)/tests/match_test: $(call objects,server/match.c)
$(BUILD)/tests/bot_test: $(call objects,player/bot.c)
$(BUILD)/tests/view_test: $(call objects,player/view.c player/picker.c)
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(call objects,$(PROTO))
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbsd

$(BUILD)/tests/wall_test: $(call objects,$(SCENE) viewer/wall.c viewer/layout.c)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) -c -o $@ $<

drivers: $(patsubst tests/%.c,$(BUILD)/tests/%,$(DRIVERS))

# The last line says "N passed, N failed".
test: all drivers
	@HOLMGANG_BUILD=$(BUILD) tests/run -j $(JOBS) $(TESTS)

asan:
	@$(MAKE) --no-print-directory test BUILD=$(BUILD)/asan CFLAGS="-Og -g" SANITIZE="$(ASAN)"

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
lint-tidy:
	@printf '%s\n' $(SOURCES) | \
		xargs -P $(JOBS) -I '{}' clang-tidy --quiet '{}' -- $(filter-out -M%,$(FLAGS)) 2>&1 | \
		{ ! grep -vE '^[0-9]+ warnings? (generated|treated as error)'; }

format:
	clang-format -i $(SOURCES) $(HEADERS)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(addprefix $(DESTDIR)$(PREFIX)/share/man/,man1 man8)
	install $(PROGRAMS:%=$(BUILD)/holmgang-%) $(DESTDIR)$(PREFIX)/bin
	install -m 644 player/holmgang-player.1 viewer/holmgang-viewer.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 server/holmgang-server.8 $(DESTDIR)$(PREFIX)/share/man/man8

clean:
	rm -rf $(BUILD)

.PHONY: all $(PROGRAMS) drivers test asan format install clean
.PHONY: lint lint-layout lint-scripts lint-cppcheck lint-tidy
.SECONDARY:
-include $(wildcard $(BUILD)/obj/*/*.d)
