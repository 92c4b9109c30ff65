/*
 * web_test.c - what those who have a page open are told: messages, streams, boards, their words.
 */
#include "tests/unit/check.h"

#include "viewer/svg/svg.h"
#include "viewer/watch/wall.h"
#include "viewer/web/board.h"
#include "viewer/web/guests.h"
#include "viewer/web/json.h"
#include "viewer/web/listen.h"
#include "viewer/web/reader.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

static const struct ports ports = {.count = 2, .port = {9001, 9002}};
static struct ring ring;

static struct frame make_frame(char duel, unsigned n, const char *model, const char *verdict)
{
	struct frame frame = {.game = game_find("tictactoe"), .n = n, .seats = 2, .turn = -1};

	memset(frame.duel, duel, UUID_TEXT - 1);
	memset(frame.id[0], '1', UUID_TEXT - 1);
	memset(frame.id[1], '2', UUID_TEXT - 1);
	strcpy(frame.model, model);
	strcpy(frame.verdict, verdict);
	strcpy(frame.name[0], "anna");
	strcpy(frame.name[1], "ben");
	return frame;
}

static struct message *message_of(const char *text)
{
	return message_new(text, strlen(text));
}

static int count_of(const char *text, const char *word)
{
	int count = 0;

	for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
		count++;
	return count;
}

/* All that a reader is given now, in pieces of `size`. */
static const char *read_all(struct reader *reader, const struct streams *streams, size_t size)
{
	static char text[2 * RING_BYTES];
	size_t length = 0, part;

	while ((part = reader_read(reader, streams, 77, text + length, size)) > 0)
		length += part;
	text[length] = '\0';
	return text;
}

/* --- messages -------------------------------------------------------------------------------- */

static void test_posts(void)
{
	struct posts posts = {0};
	uint64_t seen = 0;
	struct message *message;

	check(posts_next(&posts, &seen) == NULL, "at first there is nothing");
	posts_put(&posts, 1, message_of("one"));
	posts_put(&posts, 4, message_of("four"));
	posts_put(&posts, 1, message_of("other one"));
	message = posts_next(&posts, &seen);
	check(message->length == 4 && message->holders == 2,
	      "the oldest that has not been replaced");
	posts_put(&posts, 4, message_of("new four"));
	check(memcmp(message->bytes, "four", 4) == 0 && message->holders == 1,
	      "who holds a message keeps it");
	message_drop(message);
	message = posts_next(&posts, &seen);
	check(message->length == 9, "then the next");
	message_drop(message);
	message = posts_next(&posts, &seen);
	check(message->length == 8, "then what has come meanwhile");
	message_drop(message);
	check(posts_next(&posts, &seen) == NULL, "and then no more");
	posts_free(&posts);
}

/* --- readers --------------------------------------------------------------------------------- */

static void test_page_reader(void)
{
	struct wall *wall = wall_new(&ports);
	struct posts posts = {0};
	struct streams streams = {wall, &posts, &ring};
	struct reader reader;
	const char *text;

	posts_put(&posts, 0, message_of("event: board\ndata: 1\n\n"));
	reader_begin(&reader, READER_EVENTS, &streams);
	text = read_all(&reader, &streams, 7);
	check(strncmp(text, "event: hello\n", 13) == 0 && strstr(text, "\"now\":77") != NULL,
	      "first it is told the time");
	check(strstr(text, "data: 1\n\nevent: all\n") != NULL,
	      "then all there is, and that it is all");
	check_text(read_all(&reader, &streams, 7), "");
	for (int i = 0; i < 1000; i++)
		posts_put(&posts, 0, message_of("event: board\ndata: 2\n\n"));
	check_text(read_all(&reader, &streams, 7), "event: board\ndata: 2\n\n");
	reader.beat = true;
	check_text(read_all(&reader, &streams, 100), "event: beat\ndata: true\n\n");
	check_text(read_all(&reader, &streams, 100), "");
	reader_end(&reader);
	posts_free(&posts);
	wall_free(wall);
}

/* In the middle of a message all is replaced: it is told to its end, then comes the newest. */
static void test_slow_page(void)
{
	struct wall *wall = wall_new(&ports);
	struct posts posts = {0};
	struct streams streams = {wall, &posts, &ring};
	struct reader reader;
	char some[4];

	reader_begin(&reader, READER_EVENTS, &streams);
	read_all(&reader, &streams, 100);
	posts_put(&posts, 0, message_of("first\n"));
	check(reader_read(&reader, &streams, 77, some, 3) == 3, "some of it");
	for (int i = 0; i < 100; i++)
		posts_put(&posts, 0, message_of("missed\n"));
	posts_put(&posts, 0, message_of("last\n"));
	check_text(read_all(&reader, &streams, 100), "st\nlast\n");
	posts_put(&posts, 0, message_of("held\n"));
	check(reader_read(&reader, &streams, 77, some, 3) == 3, "some of it");
	reader_end(&reader);
	posts_free(&posts);
	wall_free(wall);
}

static void add_line(const char *line)
{
	ring_add(&ring, line, strlen(line));
}

static void test_frame_reader(void)
{
	struct wall *wall = wall_new(&ports);
	struct posts posts = {0};
	struct streams streams = {wall, &posts, &ring};
	struct frame frame = make_frame('a', 3, ".........", "false");
	struct reader reader;
	const char *text;

	wall_hear(wall, 1, &frame, 0);
	reader_begin(&reader, READER_FRAMES, &streams);
	text = read_all(&reader, &streams, 4000);
	check(strncmp(text, "9002 1111", 9) == 0 && count_of(text, "\n") == 1,
	      "first the present frame of each port");
	for (int i = 0; i < 100; i++)
		add_line("9002 more\n");
	text = read_all(&reader, &streams, 35);
	check(count_of(text, "9002 more\n") == 100 && strlen(text) == 1000,
	      "then each frame, in whole lines");
	for (int i = 0; i < RING_BYTES / 10 + 1; i++)
		add_line("9002 much\n");
	text = read_all(&reader, &streams, 4000);
	check(strncmp(text, "9002 1111", 9) == 0 && count_of(text, "\n") == 1,
	      "who was too slow for some begins anew");
	reader.beat = true;
	check_text(read_all(&reader, &streams, 100), "\n");
	wall_free(wall);
}

/* --- boards ---------------------------------------------------------------------------------- */

struct telling {
	struct wall *wall;
	struct boards *boards;
	uint64_t seen;
	char text[JSON_MAX];
};

static void tell(struct telling *telling, const struct frame *frame, int64_t now_ms)
{
	bool news = wall_hear(telling->wall, 0, frame, now_ms);

	boards_hear(telling->boards, wall_place(telling->wall, 0), news, now_ms, now_ms);
}

/* What there is to be told at this time. */
static const char *told(struct telling *telling, int64_t now_ms)
{
	struct text text = TEXT_IN(telling->text);
	struct message *message;

	text.data[0] = '\0';
	boards_update(telling->boards, telling->wall, now_ms);
	while ((message = posts_next(boards_posts(telling->boards), &telling->seen)) != NULL) {
		text_add(&text, "%.*s", (int)message->length, message->bytes);
		message_drop(message);
	}
	return telling->text;
}

static void test_boards(void)
{
	static struct telling telling;
	struct frame start = make_frame('a', 0, ".........", "false");
	struct frame later = make_frame('a', 1, "X........", "false");
	struct frame end = make_frame('a', 2, "XXX.OO...", "012");
	struct frame next = make_frame('b', 0, ".........", "false");

	telling.wall = wall_new(&ports);
	telling.boards = boards_new();
	check_text(told(&telling, 1000), "");
	tell(&telling, &start, 2000);
	check(count_of(told(&telling, 2000), "event: board\n") == 1, "the first state at once");
	tell(&telling, &later, 2010);
	check_text(told(&telling, 2010 + BOARD_EVERY_MS / 2), "");
	check(boards_due_ms(telling.boards) == 2000 + BOARD_EVERY_MS, "the next when it is time");
	check(count_of(told(&telling, 2000 + BOARD_EVERY_MS), "\"n\":1,") == 1, "then it is told");
	tell(&telling, &end, 3000);
	tell(&telling, &next, 3001);
	check(count_of(told(&telling, 3200), "anna wins: three in a row") >= 2,
	      "an end is told, and who has won, though the next duel has begun");
	check(count_of(telling.text, "\"names\":[\"anna\",\"ben\"]}") == 1, "and who played");
	check(strstr(telling.text, "\"over\":true") != NULL && strstr(telling.text, "win") != NULL,
	      "with its line");
	check_text(told(&telling, 3000 + BOARD_HOLD_MS - 1), "");
	tell(&telling, &next, 6000);
	check(count_of(told(&telling, 2999 + BOARD_HOLD_MS + BOARD_EVERY_MS),
		       "\"over\":false,\"silent\":false") == 1,
	      "it stays for some seconds");
	tell(&telling, &end, 7200);
	check(count_of(told(&telling, 8000), "event: results") == 0, "no end is a result twice");
	check(count_of(told(&telling, 20000), "\"silent\":true") == 1, "silence is told");
	check(count_of(told(&telling, 6000 + BOARD_SILENT_MS), "event: gone\ndata: 9001\n") == 1,
	      "and what is silent for long goes");
	boards_free(telling.boards);
	wall_free(telling.wall);
}

/* --- words ----------------------------------------------------------------------------------- */

static void test_words(void)
{
	char bytes[200], words[SVG_WORDS_MAX];
	struct text text = TEXT_IN(bytes);
	struct frame frame = make_frame('a', 2, "XXX.OO...", "012");
	struct scene scene;

	json_add_string(&text, "a\"b\\c\nd");
	check_text(bytes, "\"a\\\"b\\\\c d\"");
	text = TEXT_IN(bytes);
	svg_add_text(&text, "<b a='1'>\"&");
	check_text(bytes, "&lt;b a=&#39;1&#39;&gt;&quot;&amp;");
	scene_of_frame(&scene, &frame, NULL);
	svg_describe(&scene, words);
	check_text(words, "Board of 3 by 3. anna: cross at 0 0, 1 0, 2 0. ben: nought at 1 1, 2 1. "
			  "Winning: 0 0, 1 0, 2 0. anna wins: three in a row.");
}

/* --- guests ---------------------------------------------------------------------------------- */

static struct guest *enter(struct guests *guests, const char *address, int64_t now_ms)
{
	struct sockaddr_in from = {.sin_family = AF_INET};

	inet_pton(AF_INET, address, &from.sin_addr);
	return guests_enter(guests, -1, (struct sockaddr *)&from, now_ms);
}

static void test_deafness(void)
{
	struct guests guests = {0};
	struct guest *guest = enter(&guests, "127.0.0.1", 1000);

	guest_note(guest, 0, false, 50000);
	check(!guest_is_deaf(guest, 50000 + GUESTS_PATIENCE_MS - 1), "there was nothing for it");
	guest_note(guest, 0, true, 51000);
	guest_note(guest, 1, true, 58000);
	guest_note(guest, 1, true, 66999);
	check(!guest_is_deaf(guest, 66999), "slow: a byte in that time");
	check(guest_is_deaf(guest, 67000), "deaf: none");
	guests_end(&guests, guest);
	check(guests.count == 0 && LIST_EMPTY(&guests.origins), "nobody is left");
}

static void test_who_gives_way(void)
{
	struct guests guests = {0};
	struct guest *slow = NULL, *one, *last = NULL, *each;

	for (int i = 0; i < GUESTS_ADDRESS_MAX; i++) {
		last = enter(&guests, "127.0.0.1", 1000);
		check(guests_too_many(&guests, last) == NULL, "room for all");
		if (i == 7)
			slow = last;
	}
	LIST_FOREACH (each, &guests.all, link)
		guest_note(each, 0, each == slow, 2000);
	one = enter(&guests, "127.0.0.1", 2000);
	check(guests_too_many(&guests, one) == slow, "who has taken nothing for longest");
	guests_let_go(&guests, slow);
	check(guests_too_many(&guests, one) == NULL, "which goes");
	for (int i = 0; i < GUESTS_ADDRESS_MAX; i++)
		last = enter(&guests, i == 0 ? "127.0.0.3" : "127.0.0.2", 1000);
	check(guests_too_many(&guests, last) == NULL, "as many as there may be");
	one = enter(&guests, "127.0.0.4", 3000);
	last = guests_too_many(&guests, one);
	check(last != NULL && last->origin->count == GUESTS_ADDRESS_MAX, "one of the most");
	while (!LIST_EMPTY(&guests.all))
		guests_end(&guests, LIST_FIRST(&guests.all));
	check(guests.count == 0 && LIST_EMPTY(&guests.origins), "nobody is left");
}

/* --- the address that is printed --------------------------------------------------------------- */

/* What is printed of a page that is bound to `bound`, on a machine with these addresses: "lo" and "down" are flags. */
static const char *print_choice(const char *bound, const char *const addresses[][2], int count)
{
	static char text[80];
	struct sockaddr_storage address[8] = {0}, own = {0};
	struct ifaddrs all[8] = {0};

	for (int i = -1; i < count; i++) {
		const char *words = i < 0 ? bound : addresses[i][0];
		struct sockaddr_storage *to = i < 0 ? &own : &address[i];

		to->ss_family = strchr(words, ':') == NULL ? AF_INET : AF_INET6;
		inet_pton(to->ss_family, words,
			  to->ss_family == AF_INET
			      ? (void *)&((struct sockaddr_in *)to)->sin_addr
			      : (void *)&((struct sockaddr_in6 *)to)->sin6_addr);
		if (i < 0)
			continue;
		all[i].ifa_addr = (struct sockaddr *)to;
		all[i].ifa_next = i + 1 < count ? &all[i + 1] : NULL;
		all[i].ifa_flags = strcmp(addresses[i][1], "lo") == 0 ? IFF_LOOPBACK | IFF_RUNNING
				   : strcmp(addresses[i][1], "down") == 0 ? 0
									  : IFF_RUNNING;
	}
	((struct sockaddr_in *)&own)->sin_port = htons(8080);
	listen_choose(&own, count == 0 ? NULL : all);
	listen_print(&own, text, sizeof(text));
	return text;
}

static void test_address(void)
{
	static const char *const one[][2] = {
	    {"127.0.0.1", "lo"},   {"::1", "lo"},     {"10.0.0.1", "down"},  {"fe80::1", "up"},
	    {"169.254.1.1", "up"}, {"fd00::2", "up"}, {"192.168.1.9", "up"}, {"10.0.0.2", "up"},
	};

	check_text(print_choice("0.0.0.0", one, 8), "192.168.1.9:8080");
	check_text(print_choice("::", one, 8), "192.168.1.9:8080");
	check_text(print_choice("::", one, 6), "[fd00::2]:8080");
	check_text(print_choice("0.0.0.0", one, 6), "127.0.0.1:8080");
	check_text(print_choice("::", one, 5), "[::1]:8080");
	check_text(print_choice("0.0.0.0", one, 0), "127.0.0.1:8080");
	check_text(print_choice("127.0.0.2", one, 8), "127.0.0.2:8080");
	check_text(print_choice("fd00::5", one, 8), "[fd00::5]:8080");
}

int main(void)
{
	test_posts();
	test_page_reader();
	test_slow_page();
	test_frame_reader();
	test_boards();
	test_words();
	test_deafness();
	test_who_gives_way();
	test_address();
	return check_end();
}
