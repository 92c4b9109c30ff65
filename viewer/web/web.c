/*
 * web.c - the page in the browser. See web.h.
 *
 * It owns the HTTP server (libmicrohttpd, driven by our loop: no threads), the connections
 * (guests.c says which of them have to go) and the list of those that follow a stream. A stream
 * has no end: when its reader has all, the connection is suspended, and resumed when there is more.
 * What a reader cannot take stays where it is, shared by all (reader.c).
 *
 * What is served is public: the boards that everybody on the network can hear. Nothing that a
 * browser sends changes anything, so there is nothing to protect but the page from other sites.
 */
#include "viewer/web/web.h"
#include "viewer/watch/from.h"
#include "viewer/web/board.h"
#include "viewer/web/guests.h"
#include "viewer/web/json.h"
#include "viewer/web/kept.h"
#include "viewer/web/listen.h"
#include "viewer/web/page.h"
#include "viewer/web/reader.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	BLOCK = 16 * 1024,	/* given to a connection at once */
	SEND_BYTES = 64 * 1024, /* the kernel holds for one, so that the slow skip soon */
	MEMORY = 48 * 1024,	/* of the HTTP server for one: its head, and a block */
	BEAT_MS = 3000,		/* without news, a reader is told that we are there */
	LOOK_MS = 1000,		/* between two looks at how far each has come */
	SILENCE_S = 10,		/* until a connection that asks for nothing is closed */
	BACKLOG_S = 30, /* until the kernel gives up what nobody takes, behind a closed one too */
	LEAVING = 16,	/* connections that may be on their way out */
	FRAME_LINE = FRAME_MAX + 8,
};

/* A connection that follows a stream. */
struct follower {
	struct web *web;
	struct MHD_Connection *connection;
	const struct guest *guest;
	struct reader reader;
	bool suspended;
	LIST_ENTRY(follower) link;
};

struct web {
	struct MHD_Daemon *daemon;
	struct sockaddr_storage bound;
	bool local; /* bound to the loopback */
	int fd;
	struct boards *boards;
	struct kept *kept;
	struct ring *ring;
	const struct wall *wall;
	LIST_HEAD(follower_list, follower) followers;
	struct guests guests;
	int64_t now_ms, looked_ms, beat_ms;
	bool news; /* for those that follow frames */
};

static int64_t time_of_day_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static struct streams streams_of(const struct web *web)
{
	return (struct streams){web->wall, boards_posts(web->boards), web->ring};
}

/* No script, style or connection but ours; no page of others shows ours in a frame. */
static void add_headers(struct MHD_Response *response, const char *type)
{
	static const char *const headers[][2] = {
	    {"Content-Security-Policy",
	     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
	     "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
	    {"X-Content-Type-Options", "nosniff"},
	    {"Referrer-Policy", "no-referrer"},
	    {"Cross-Origin-Resource-Policy", "same-origin"},
	    {"Cache-Control", "no-store"},
	};

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	MHD_add_response_header(response, "Content-Type", type);
}

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status,
			      struct MHD_Response *response, const char *type)
{
	enum MHD_Result result;

	if (response == NULL)
		return MHD_NO;
	add_headers(response, type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, "Allow", "GET, HEAD");
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result answer_file(struct MHD_Connection *connection, const struct web_file *file)
{
	return answer(connection, MHD_HTTP_OK,
		      MHD_create_response_from_buffer(file->length, (void *)file->bytes,
						      MHD_RESPMEM_PERSISTENT),
		      file->type);
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *text)
{
	return answer(
	    connection, status,
	    MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT),
	    "text/plain; charset=utf-8");
}

/* The HTTP server asks for the next bytes of a stream. */
static ssize_t give(void *closure, uint64_t position, char *bytes, size_t size)
{
	struct follower *follower = closure;
	struct streams streams = streams_of(follower->web);
	size_t given;

	(void)position;
	if (follower->guest->leaving)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	given = reader_read(&follower->reader, &streams, time_of_day_ms(), bytes, size);
	if (given == 0) {
		follower->suspended = true;
		MHD_suspend_connection(follower->connection);
	}
	return (ssize_t)given;
}

static void forget(void *closure)
{
	struct follower *follower = closure;

	LIST_REMOVE(follower, link);
	reader_end(&follower->reader);
	free(follower);
}

static struct guest *guest_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
	    connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info == NULL ? NULL : info->socket_context;
}

/* The HTTP server closes no stream: it cannot see whether anybody reads. guest_look() can. */
static enum MHD_Result answer_stream(struct web *web, struct MHD_Connection *connection,
				     enum reader_kind kind)
{
	const struct guest *guest = guest_of(connection);
	struct follower *follower = guest == NULL ? NULL : calloc(1, sizeof(*follower));
	struct streams streams = streams_of(web);
	struct MHD_Response *response;

	if (follower == NULL)
		return MHD_NO;
	MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
	response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, give, follower,
						     forget);
	if (response == NULL) {
		free(follower);
		return MHD_NO;
	}
	follower->web = web;
	follower->connection = connection;
	follower->guest = guest;
	reader_begin(&follower->reader, kind, &streams);
	LIST_INSERT_HEAD(&web->followers, follower, link);
	return answer(connection, MHD_HTTP_OK, response,
		      kind == READER_EVENTS ? "text/event-stream" : FROM_TYPE);
}

/* A name that somebody else made point to this machine gives that somebody's page no access to ours.
 * Where we are bound to the network, any name that this machine has there is believed. */
static bool is_host_believed(const struct web *web, struct MHD_Connection *connection)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");

	return !web->local || host == NULL || listen_host_is_local(host);
}

/* What is asked for behind the path of kept games. */
static struct kept_question question_of(struct MHD_Connection *connection)
{
	static const enum MHD_ValueKind kind = MHD_GET_ARGUMENT_KIND;

	return (struct kept_question){
	    .game = MHD_lookup_connection_value(connection, kind, "game"),
	    .player = MHD_lookup_connection_value(connection, kind, "player"),
	    .result = MHD_lookup_connection_value(connection, kind, "result"),
	    .before = MHD_lookup_connection_value(connection, kind, "before"),
	    .id = MHD_lookup_connection_value(connection, kind, "id"),
	    .step = MHD_lookup_connection_value(connection, kind, "step"),
	    .now_ms = time_of_day_ms(),
	};
}

static enum MHD_Result answer_kept(struct web *web, struct MHD_Connection *connection,
				   const struct kept_page *page)
{
	struct kept_question question = question_of(connection);
	struct text text = {.data = malloc(JSON_MAX), .size = JSON_MAX};

	if (text.data == NULL)
		return MHD_NO;
	page->tell(web->kept, &question, &text);
	return answer(
	    connection, MHD_HTTP_OK,
	    MHD_create_response_from_buffer(text.length, text.data, MHD_RESPMEM_MUST_FREE),
	    "application/json");
}

/* To be saved, not shown: a drawing has its style in it, which the page's headers would not let it have. */
static enum MHD_Result answer_download(struct MHD_Connection *connection, struct kept_file *file)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(file->length, file->bytes,
									MHD_RESPMEM_MUST_FREE);
	char disposition[KEPT_NAME + 32];

	if (response == NULL) {
		free(file->bytes);
		return MHD_NO;
	}
	snprintf(disposition, sizeof(disposition), "attachment; filename=\"%s\"", file->name);
	MHD_add_response_header(response, "Content-Disposition", disposition);
	return answer(connection, MHD_HTTP_OK, response, file->type);
}

/* The signature is that of libmicrohttpd. */
static enum MHD_Result handle(void *closure, struct MHD_Connection *connection, const char *path,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_length, void **request)
{
	static char begun;
	struct web *web = closure;
	const struct web_file *file = web_file_find(path);
	const struct kept_page *page = kept_page_find(path);
	struct kept_question question;
	struct kept_file download;

	(void)version;
	(void)upload;
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
		*upload_length = 0;
		return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			      "This page can only be read: use GET.\n");
	}
	/* the first call tells of the head, before a body that a GET may have too */
	if (*request == NULL) {
		*request = &begun;
		return MHD_YES;
	}
	if (*upload_length > 0) {
		*upload_length = 0;
		return MHD_YES;
	}
	if (!is_host_believed(web, connection))
		return refuse(connection, MHD_HTTP_FORBIDDEN,
			      "This page is only for its own machine: use its address, as in "
			      "http://127.0.0.1:PORT/.\n");
	if (file != NULL)
		return answer_file(connection, file);
	if (strcmp(path, "/events") == 0)
		return answer_stream(web, connection, READER_EVENTS);
	if (strcmp(path, FROM_PATH) == 0)
		return answer_stream(web, connection, READER_FRAMES);
	if (page != NULL)
		return answer_kept(web, connection, page);
	question = question_of(connection);
	if (kept_file(web->kept, path, &question, &download))
		return answer_download(connection, &download);
	return refuse(connection, MHD_HTTP_NOT_FOUND, "There is nothing here. The page is at /.\n");
}

static void wake(struct follower *follower)
{
	if (!follower->suspended)
		return;
	follower->suspended = false;
	MHD_resume_connection(follower->connection);
}

/* At once, with what the kernel still has for it. Only its HTTP server may close a descriptor. */
static void send_away(struct web *web, struct guest *guest)
{
	static const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
	struct follower *each;

	guests_let_go(&web->guests, guest);
	(void)setsockopt(guest->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	(void)shutdown(guest->fd, SHUT_RDWR);
	LIST_FOREACH (each, &web->followers, link)
		if (each->guest == guest)
			wake(each);
}

/* So that what the kernel keeps for those that do not read stays small, and is given up in time, even
 * behind a connection that has been closed. */
static void limit_buffer(int fd)
{
	int bytes = SEND_BYTES;
	unsigned patience_ms = BACKLOG_S * 1000;

	(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience_ms, sizeof(patience_ms));
}

static struct guest *welcome(struct web *web, struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
	    connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct guest *guest, *goes;
	int fd;

	if (info == NULL)
		return NULL;
	fd = info->connect_fd;
	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	if (info == NULL)
		return NULL;
	limit_buffer(fd);
	guest = guests_enter(&web->guests, fd, info->client_addr, web->now_ms);
	goes = guest == NULL ? NULL : guests_too_many(&web->guests, guest);
	if (goes != NULL)
		send_away(web, goes);
	return guest;
}

/* A connection begins or has ended. The signature is that of libmicrohttpd. */
static void note_connection(void *closure, struct MHD_Connection *connection, void **socket_context,
			    enum MHD_ConnectionNotificationCode code)
{
	struct web *web = closure;

	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		*socket_context = welcome(web, connection);
	else if (*socket_context != NULL)
		guests_end(&web->guests, *socket_context);
}

static bool start_daemon(struct web *web)
{
	const union MHD_DaemonInfo *info;
	unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
			 (web->bound.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0u);

	web->daemon = MHD_start_daemon(
	    flags, 0, NULL, NULL, handle, web, MHD_OPTION_LISTEN_SOCKET, web->fd,
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned)(GUESTS_MAX + LEAVING),
	    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
	    (size_t)MEMORY, MHD_OPTION_NOTIFY_CONNECTION, note_connection, web, MHD_OPTION_END);
	if (web->daemon == NULL)
		return false;
	info = MHD_get_daemon_info(web->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	return info != NULL;
}

struct web *web_open(const char *address, uint16_t port, const char *state, char why[WATCH_WHY_MAX])
{
	struct web *web = calloc(1, sizeof(*web));

	snprintf(why, WATCH_WHY_MAX, "no memory is left");
	if (web == NULL)
		return NULL;
	web->fd = -1;
	web->boards = boards_new();
	web->kept = kept_new(state);
	web->ring = calloc(1, sizeof(*web->ring));
	if (web->boards != NULL && web->ring != NULL && web->kept != NULL)
		web->fd = listen_open(address, port, &web->bound, why);
	if (web->fd >= 0) {
		web->local = listen_is_loopback(&web->bound);
		snprintf(why, WATCH_WHY_MAX, "cannot start the HTTP server on %.48s port %d",
			 address, port);
		if (start_daemon(web))
			return web;
		close(web->fd);
	}
	boards_free(web->boards);
	kept_free(web->kept);
	free(web->ring);
	free(web);
	return NULL;
}

void web_close(struct web *web)
{
	struct follower *each;

	if (web == NULL)
		return;
	LIST_FOREACH (each, &web->followers, link)
		wake(each);
	MHD_stop_daemon(web->daemon);
	boards_free(web->boards);
	kept_free(web->kept);
	free(web->ring);
	free(web);
}

void web_url(const struct web *web, char url[WEB_URL_MAX])
{
	struct sockaddr_storage reached = web->bound;
	char address[WEB_URL_MAX - 16];

	listen_choose_own(&reached);
	listen_print(&reached, address, sizeof(address));
	snprintf(url, WEB_URL_MAX, "http://%s/", address);
}

int web_fd(const struct web *web)
{
	return MHD_get_daemon_info(web->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int64_t web_due_ms(const struct web *web, int64_t now_ms)
{
	int64_t due_ms = boards_due_ms(web->boards);
	MHD_UNSIGNED_LONG_LONG left_ms;

	if (MHD_get_timeout(web->daemon, &left_ms) == MHD_YES && now_ms + (int64_t)left_ms < due_ms)
		due_ms = now_ms + (int64_t)left_ms;
	return web->news ? now_ms : due_ms;
}

void web_hear(struct web *web, const struct wall_place *place, bool news, int64_t now_ms)
{
	char frame[FRAME_MAX + 1], line[FRAME_LINE];

	frame_print(&place->frame, frame);
	ring_add(web->ring, line,
		 (size_t)snprintf(line, sizeof(line), "%d %s", place->port, frame));
	web->news = true;
	boards_hear(web->boards, place, news, now_ms, time_of_day_ms());
}

/* Wake those for whom there is something. */
static void wake_followers(struct web *web, bool events, bool beat)
{
	struct follower *each;

	LIST_FOREACH (each, &web->followers, link) {
		each->reader.beat |= beat;
		if (beat || (each->reader.kind == READER_EVENTS ? events : web->news))
			wake(each);
	}
	web->news = false;
}

static void look_at_guests(struct web *web)
{
	struct guest *each;

	web->looked_ms = web->now_ms;
	LIST_FOREACH (each, &web->guests.all, link) {
		if (each->leaving)
			continue;
		guest_look(each, web->now_ms);
		if (guest_is_deaf(each, web->now_ms))
			send_away(web, each);
	}
}

void web_serve(struct web *web, const struct wall *wall, int64_t now_ms)
{
	bool events = boards_update(web->boards, wall, now_ms);
	bool beat = now_ms - web->beat_ms >= BEAT_MS;

	web->wall = wall;
	web->now_ms = now_ms;
	if (now_ms - web->looked_ms >= LOOK_MS)
		look_at_guests(web);
	if (beat)
		web->beat_ms = now_ms;
	if (events || beat || web->news)
		wake_followers(web, events, beat);
	MHD_run(web->daemon);
}
