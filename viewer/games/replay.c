/*
 * replay.c - one kept game, move by move: on the terminal, or all of it as text.
 *
 * On the terminal it runs in the rhythm in which it was played, only that nobody waits long for a
 * move.
 */
#include "viewer/games/command.h"
#include "viewer/scene/scene.h"
#include "viewer/terminal/terminal.h"

#include <ncursesw/curses.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	PAUSE_MAX_MS = 2000, /* between two steps, at normal speed */
	PAUSE_MIN_MS = 150,  /* so that each can be seen */
	SPEED_MIN = -3,	     /* as a power of two */
	SPEED_MAX = 5,
	KEY_ESCAPE = 27,
	KEY_CTRL_C = 3,
	STATUS_ROWS_MIN = 8,
};

struct replay {
	const struct game_play *play;
	int at; /* the step that is shown */
	int speed;
	bool running;
	int64_t next_ms; /* running: when the next one is shown */
};

static int64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --- what is seen ----------------------------------------------------------------------------- */

static void print_clock(struct text *text, int64_t ms)
{
	text_add(text, "%" PRId64 ":%02d.%03d", ms / 60000, (int)(ms / 1000 % 60),
		 (int)(ms % 1000));
}

/* "12 of 34  0:01.530" */
static void print_place(const struct game_play *play, int at, struct text *text)
{
	text_add(text, "%d of %d  ", at, play->steps - 1);
	print_clock(text, play->step[at].at);
}

/* "anna: 3 0 3 2", or nothing. */
static void print_event(const struct game_step *step, struct text *text)
{
	if (step->seat >= 0)
		text_add(text, "%s: %s", step->frame.name[step->seat], step->event);
}

static void make_scene(struct scene *scene, const struct game_play *play, int at)
{
	scene_of_frame(scene, &play->step[at].frame, at > 0 ? &play->step[at - 1].frame : NULL);
}

/* First how it is left, then where it is; what the keys do as far as there is room. */
static void draw_status(const struct replay *replay, struct area area)
{
	char line[256] = "", part[128] = "";
	struct text text = TEXT_IN(line), place = TEXT_IN(part);

	terminal_add_status(&text, area.width, "q quits");
	print_place(replay->play, replay->at, &place);
	terminal_add_status(&text, area.width, part);
	part[0] = '\0';
	place = TEXT_IN(part);
	print_event(&replay->play->step[replay->at], &place);
	terminal_add_status(&text, area.width, part);
	snprintf(part, sizeof(part), "%s %s%dx", replay->running ? "playing" : "paused",
		 replay->speed < 0 ? "1/" : "",
		 1 << (replay->speed < 0 ? -replay->speed : replay->speed));
	terminal_add_status(&text, area.width, part);
	terminal_add_status(&text, area.width, "space, arrows, + -");
	terminal_add_status(&text, area.width, "Home, End");
	terminal_draw_text(area, 0, STYLE_DIM, line);
}

static void draw(const struct replay *replay)
{
	struct area area = terminal_area(), status = area;
	struct scene scene;

	make_scene(&scene, replay->play, replay->at);
	terminal_begin();
	if (area.height >= STATUS_ROWS_MIN) {
		area.height--;
		status.top += area.height;
		status.height = 1;
		draw_status(replay, status);
	}
	terminal_draw_scene(&scene, area);
	terminal_end();
}

/* --- time and keys ---------------------------------------------------------------------------- */

static int64_t pause_before_next(const struct replay *replay)
{
	const struct game_step *step = &replay->play->step[replay->at];
	int64_t pause = replay->at + 1 < replay->play->steps ? step[1].at - step->at : 0;

	pause = pause > PAUSE_MAX_MS ? PAUSE_MAX_MS : pause < PAUSE_MIN_MS ? PAUSE_MIN_MS : pause;
	return replay->speed < 0 ? pause << -replay->speed : pause >> replay->speed;
}

static void set_pace(struct replay *replay)
{
	replay->running = replay->running && replay->at + 1 < replay->play->steps;
	replay->next_ms = clock_ms() + pause_before_next(replay);
}

static void go_to(struct replay *replay, int at)
{
	int last = replay->play->steps - 1;

	replay->at = at < 0 ? 0 : at > last ? last : at;
	replay->running = false;
}

static void change_speed(struct replay *replay, int by)
{
	int speed = replay->speed + by;

	if (speed >= SPEED_MIN && speed <= SPEED_MAX)
		replay->speed = speed;
}

/* From the end it begins again. */
static void start_or_pause(struct replay *replay)
{
	replay->running = !replay->running;
	if (replay->running && replay->at + 1 == replay->play->steps)
		replay->at = 0;
}

/* False: enough. */
static bool obey_key(struct replay *replay, int key)
{
	switch (key) {
	case 'q':
	case 'Q':
	case KEY_ESCAPE:
	case KEY_CTRL_C:
		return false;
	case ' ':
		start_or_pause(replay);
		break;
	case KEY_RIGHT:
	case KEY_DOWN:
		go_to(replay, replay->at + 1);
		break;
	case KEY_LEFT:
	case KEY_UP:
		go_to(replay, replay->at - 1);
		break;
	case KEY_HOME:
		go_to(replay, 0);
		break;
	case KEY_END:
		go_to(replay, replay->play->steps - 1);
		break;
	case '+':
	case '=':
		change_speed(replay, 1);
		break;
	case '-':
		change_speed(replay, -1);
		break;
	default:
		return true; /* the pace stays what it is */
	}
	set_pace(replay);
	return true;
}

static bool obey_keys(struct replay *replay)
{
	struct terminal_input input;

	while (terminal_read(&input))
		if (!obey_key(replay, input.key))
			return false;
	return true;
}

/* Until a key is pressed, the window changes, or the next step is due. False: it has to end. */
static bool wait_for_something(const struct replay *replay, int stop_fd, const sigset_t *mask)
{
	struct pollfd slot[] = {{.fd = STDIN_FILENO, .events = POLLIN},
				{.fd = stop_fd, .events = POLLIN}};
	int64_t left = replay->next_ms - clock_ms();
	struct timespec timeout;

	left = left < 0 ? 0 : left;
	timeout = (struct timespec){.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
	if (ppoll(slot, 2, replay->running ? &timeout : NULL, mask) < 0)
		return true; /* the window's signal */
	return slot[1].revents == 0 && (slot[0].revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

static void replay_on_terminal(const struct game_play *play, int stop_fd)
{
	struct replay replay = {.play = play, .running = true};
	sigset_t resize, before;

	/* the window's signal is let through only while waiting, so it cannot come just before */
	sigemptyset(&resize);
	sigaddset(&resize, SIGWINCH);
	sigprocmask(SIG_BLOCK, &resize, &before);
	set_pace(&replay);
	do {
		if (replay.running && clock_ms() >= replay.next_ms) {
			replay.at++;
			set_pace(&replay);
		}
		draw(&replay);
	} while (wait_for_something(&replay, stop_fd, &before) && obey_keys(&replay));
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static bool replay_as_text(const struct game_play *play, bool utf8, FILE *out)
{
	static char lines[SCENE_TEXT_MAX];
	char caption[256];
	struct scene scene;

	for (int at = 0; at < play->steps && !ferror(out); at++) {
		struct text text = TEXT_IN(lines), head = TEXT_IN(caption);

		print_place(play, at, &head);
		if (play->step[at].seat >= 0)
			text_add(&head, "  ");
		print_event(&play->step[at], &head);
		make_scene(&scene, play, at);
		scene_print(&scene, utf8, &text);
		fprintf(out, "%s\n%s", caption, lines);
	}
	return !ferror(out);
}

bool games_replay(const struct game_play *play, const struct games_options *options, FILE *out)
{
	if (!terminal_is_there() || !terminal_open(false))
		return replay_as_text(play, options->utf8, out);
	replay_on_terminal(play, options->stop_fd);
	terminal_close();
	return true;
}
