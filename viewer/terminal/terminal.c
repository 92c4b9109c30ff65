/*
 * terminal.c - the screen and its input, with ncurses. See terminal.h.
 *
 * It owns the terminal while it is open and talks to nobody else. ncurses gives the terminal back
 * at an ordinary end. A signal handler must not call ncurses, so for signals the bytes that do the
 * same are made beforehand: the handler writes them, sets the old modes and lets the signal end
 * the program as it would have.
 */
#include "viewer/terminal/screen.h"

#include <langinfo.h>
#include <limits.h>
#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

enum {
	PAIR_PAINT = 1, /* + paint - PAINT_SEAT_0 */
	PAINTS = PAINT_GREEN - PAINT_SEAT_0 + 1,
	PAIR_LINES = PAIR_PAINT + PAINTS,
	PAIR_GOOD,
	PAIR_BAD,
	ESCAPE = 27,
	ESCAPE_MS = 25, /* after ESC, before it is taken for the key alone */
};

static const int fatal_signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV,
				    SIGBUS,  SIGFPE, SIGILL, SIGABRT};

enum { FATAL_SIGNALS = sizeof(fatal_signals) / sizeof(fatal_signals[0]) };

static struct {
	bool open, mouse, utf8, colours;
	SCREEN *screen;
	struct termios modes;	    /* as they were */
	char restore[256];	    /* bytes that give the screen back */
	size_t restore_length;	    /* read by the signal handler */
	bool caught[FATAL_SIGNALS]; /* these have our handler */
} terminal;

bool screen_has_utf8(void)
{
	return terminal.utf8;
}

bool terminal_is_there(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

/* The signal was set back to what it does by default when this began (SA_RESETHAND). */
static void handle_fatal(int signal)
{
	(void)!write(STDOUT_FILENO, terminal.restore, terminal.restore_length);
	tcsetattr(STDIN_FILENO, TCSANOW, &terminal.modes);
	raise(signal);
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = handle_fatal,
				   .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};

	/* a background program that sets modes would be stopped by this one */
	sigaddset(&action.sa_mask, SIGTTOU);
	for (int i = 0; i < FATAL_SIGNALS; i++) {
		struct sigaction before;

		sigaction(fatal_signals[i], NULL, &before);
		terminal.caught[i] = before.sa_handler == SIG_DFL;
		if (terminal.caught[i])
			sigaction(fatal_signals[i], &action, NULL);
	}
}

static void release_signals(void)
{
	for (int i = 0; i < FATAL_SIGNALS; i++)
		if (terminal.caught[i])
			signal(fatal_signals[i], SIG_DFL);
}

static int add_restore(int byte)
{
	if (terminal.restore_length < sizeof(terminal.restore))
		terminal.restore[terminal.restore_length++] = (char)byte;
	return byte;
}

static void make_restore(bool mouse)
{
	static const char *const names[] = {"sgr0", "op", "rmacs", "cnorm", "rmkx", "rmcup"};
	static const char mouse_off[] = "\033[?1006l\033[?1000l";

	terminal.restore_length = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *bytes = tigetstr((char *)names[i]);

		/* absent: NULL or -1 */
		if (bytes != NULL && bytes != (char *)-1)
			tputs(bytes, 1, add_restore);
	}
	for (const char *byte = mouse_off; mouse && *byte != '\0'; byte++)
		add_restore(*byte);
}

/* Learn what the terminal can do. False: it cannot put its cursor anywhere, so there is no picture.
 */
static bool learn_terminal(bool mouse)
{
	int error;
	const char *move;

	if (setupterm(NULL, STDOUT_FILENO, &error) == ERR)
		return false;
	move = tigetstr("cup");
	make_restore(mouse);
	del_curterm(cur_term);
	return move != NULL && move != (char *)-1;
}

/* Colours that can be read on a dark and on a light ground where there are many to choose from. */
static void start_colours(void)
{
	/* -1 is what the terminal writes with, and so stands for white */
	static const short many[PAINTS] = {33,	208, 170, 71, 167, 37,	142, 99,  132, 66,
					   160, 142, 244, 33, -1,  208, 99,  160, 34};
	static const short few[PAINTS] = {COLOR_CYAN,	COLOR_YELLOW,  COLOR_MAGENTA,
					  COLOR_GREEN,	COLOR_RED,     COLOR_BLUE,
					  COLOR_CYAN,	COLOR_YELLOW,  COLOR_MAGENTA,
					  COLOR_GREEN,	COLOR_RED,     COLOR_YELLOW,
					  -1,		COLOR_BLUE,    -1,
					  COLOR_YELLOW, COLOR_MAGENTA, COLOR_RED,
					  COLOR_GREEN};
	const char *unwanted = getenv("NO_COLOR");
	const short *paints;

	terminal.colours = (unwanted == NULL || *unwanted == '\0') && has_colors() &&
			   start_color() == OK && COLOR_PAIRS > PAIR_BAD &&
			   use_default_colors() == OK;
	if (!terminal.colours)
		return;
	paints = COLORS >= 256 ? many : few;
	for (int i = 0; i < PAINTS; i++)
		init_pair((short)(PAIR_PAINT + i), paints[i], -1);
	init_pair(PAIR_LINES, COLORS >= 256 ? 243 : -1, -1);
	init_pair(PAIR_GOOD, COLORS >= 256 ? 71 : COLOR_GREEN, -1);
	init_pair(PAIR_BAD, COLORS >= 256 ? 167 : COLOR_RED, -1);
}

bool terminal_open(bool mouse)
{
	static bool at_exit;

	if (terminal.open)
		return true;
	if (!terminal_is_there() || tcgetattr(STDIN_FILENO, &terminal.modes) < 0 ||
	    !learn_terminal(mouse))
		return false;
	/* before newterm(), which then leaves these signals alone */
	catch_signals();
	terminal.screen = newterm(NULL, stdout, stdin);
	if (terminal.screen == NULL) {
		release_signals();
		return false;
	}
	/* ncurses 6.4 writes each move of the cursor by itself until it has been left once */
	endwin();
	terminal.open = true;
	terminal.mouse = mouse;
	terminal.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	if (!at_exit)
		atexit(terminal_close);
	at_exit = true;
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	start_colours();
	if (mouse) {
		mousemask(BUTTON1_PRESSED, NULL);
		mouseinterval(0);
	}
	return true;
}

void terminal_close(void)
{
	if (!terminal.open)
		return;
	terminal.open = false;
	if (terminal.mouse)
		mousemask(0, NULL);
	endwin();
	delscreen(terminal.screen);
	release_signals();
}

struct area terminal_area(void)
{
	return (struct area){.height = LINES, .width = COLS};
}

void terminal_begin(void)
{
	erase();
}

void terminal_end(void)
{
	refresh();
}

void screen_use_style(enum terminal_style style)
{
	static const attr_t looks[] = {
	    [STYLE_PLAIN] = A_NORMAL, [STYLE_TITLE] = A_BOLD, [STYLE_DIM] = A_DIM,
	    [STYLE_GOOD] = A_BOLD,    [STYLE_BAD] = A_BOLD,   [STYLE_CHOSEN] = A_REVERSE,
	};

	attrset((int)looks[style]);
	if (terminal.colours && style == STYLE_GOOD)
		attron(COLOR_PAIR(PAIR_GOOD));
	if (terminal.colours && style == STYLE_BAD)
		attron(COLOR_PAIR(PAIR_BAD));
}

void screen_use_paint(int paint, bool strong)
{
	attrset(strong ? A_BOLD : A_NORMAL);
	if (terminal.colours && paint != PAINT_NONE)
		attron(COLOR_PAIR(PAIR_PAINT + paint - PAINT_SEAT_0));
}

void screen_use_lines(void)
{
	attrset(terminal.colours && COLORS >= 256 ? (int)COLOR_PAIR(PAIR_LINES) : (int)A_DIM);
}

void screen_add_reverse(void)
{
	attron(A_REVERSE);
}

void screen_add_underline(void)
{
	attron(A_UNDERLINE);
}

/* One character; quicker than a text of one, which ncurses would take apart first. */
static void put_character(int row, int column, wchar_t wide)
{
	const wchar_t text[2] = {wide, L'\0'};
	cchar_t cell;

	if (move(row, column) != ERR && setcchar(&cell, text, A_NORMAL, 0, NULL) != ERR)
		add_wch(&cell); /* with the style that is set */
}

void screen_put(struct area area, int row, int column, const char *symbol)
{
	wchar_t wide;
	mbstate_t state = {0};
	size_t length;

	if (row < area.top || row >= area.top + area.height || column < area.left ||
	    column >= area.left + area.width || row >= LINES || column >= COLS)
		return;
	if (symbol[0] != '\0' && symbol[1] == '\0') {
		mvaddch(row, column, (unsigned char)symbol[0]);
		return;
	}
	length = mbrtowc(&wide, symbol, MB_LEN_MAX, &state);
	if (length > 0 && length < (size_t)-2 && symbol[length] == '\0')
		put_character(row, column, wide);
	else
		mvaddstr(row, column, symbol);
}

static bool is_plain(char c)
{
	return c >= ' ' && c <= '~';
}

/* The next printable character of `text` in `symbol`, '?' for what is none; how many columns it
 * takes. `text` is moved on. */
static int next_symbol(const char **text, char symbol[MB_LEN_MAX + 1])
{
	wchar_t wide;
	mbstate_t state = {0};
	size_t length;
	bool fine;
	int width;

	if (is_plain(**text)) {
		symbol[0] = *(*text)++;
		symbol[1] = '\0';
		return 1;
	}
	length = mbrtowc(&wide, *text, MB_LEN_MAX, &state);
	fine = length > 0 && length <= MB_LEN_MAX && iswprint((wint_t)wide);
	width = fine ? wcwidth(wide) : 0;
	if (length == 0 || length > MB_LEN_MAX)
		length = 1;
	memcpy(symbol, *text, length);
	symbol[length] = '\0';
	*text += length;
	if (width > 0)
		return width;
	strcpy(symbol, "?");
	return 1;
}

void screen_put_word(struct area area, const char *word)
{
	char symbol[MB_LEN_MAX + 1];
	int column = 0, width;

	for (; *word != '\0'; column += width) {
		width = next_symbol(&word, symbol);
		if (column + width > area.width)
			break;
		screen_put(area, area.top, area.left + column, symbol);
	}
}

void terminal_draw_text(struct area area, int row, enum terminal_style style, const char *text)
{
	if (row < 0 || row >= area.height)
		return;
	screen_use_style(style);
	area.top += row;
	area.height = 1;
	screen_put_word(area, text);
}

void terminal_add_status(struct text *line, int width, const char *part)
{
	if (part[0] != '\0' && (int)(line->length + 3 + strlen(part)) <= width)
		text_add(line, "%s%s", line->length == 0 ? " " : "   ", part);
}

/* ncurses learns of a new size by a signal that others may have taken, so ask. */
static bool follow_size(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_row == 0 || size.ws_col == 0 ||
	    !is_term_resized(size.ws_row, size.ws_col))
		return false;
	resize_term(size.ws_row, size.ws_col);
	clearok(stdscr, TRUE);
	return true;
}

/* After Esc: is it the beginning of a key that terminfo does not know, as Esc [ 1 ; 5 C? Then all of
 * it has been read, so that none of its letters is taken for a key of its own. */
static bool skip_key(void)
{
	int byte = getch();

	if (byte != '[' && byte != 'O') {
		if (byte != ERR)
			ungetch(byte);
		return false;
	}
	do
		byte = getch();
	while (byte >= ' ' && byte < '@');
	return true;
}

bool terminal_read(struct terminal_input *input)
{
	MEVENT event;
	int key;

	*input = (struct terminal_input){.resized = follow_size()};
	if (input->resized)
		return true;
	do
		key = getch();
	while (key == ESCAPE && skip_key());
	if (key == ERR)
		return false;
	if (key == KEY_RESIZE) {
		clearok(stdscr, TRUE);
		input->resized = true;
	} else if (key == KEY_MOUSE) {
		input->click = getmouse(&event) == OK && (event.bstate & BUTTON1_PRESSED);
		input->row = event.y;
		input->column = event.x;
	} else {
		input->key = key;
	}
	return true;
}
