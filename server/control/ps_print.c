/*
 * ps_print.c - prints processes: for people, for programs, for dot(1). See ask.h.
 *
 * Owns: nothing. Talks to: the file that it is given.
 * Never: asks anybody; ask.c has. The server comes first and is the parent of all others: a duel is cloned by the
 * spawner in such a way that it becomes the server's child.
 */
#include "server/control/ask.h"

#include "proto/wire/args.h"

#include <limits.h>
#include <string.h>

static bool is_kind(const struct process *process, const char *kind)
{
	return strcmp(ask_value(process, "kind"), kind) == 0;
}

static bool is_known(const char *value)
{
	return strcmp(value, "-") != 0;
}

/* --- a tree ----------------------------------------------------------------------------------- */

enum { LINE_ROOM = 1024 };

static void add_age(struct text *line, long age)
{
	char word[32];
	struct text text = TEXT_IN(word);

	if (age < 0)
		text_add(&text, "-");
	else if (age < 60)
		text_add(&text, "%lds", age);
	else if (age < 3600)
		text_add(&text, "%ldm%02lds", age / 60, age % 60);
	else
		text_add(&text, "%ldh%02ldm", age / 3600, age / 60 % 60);
	text_add(line, " %7s", word);
}

static void add_size(struct text *line, long kib)
{
	char word[32];
	struct text text = TEXT_IN(word);

	if (kib < 0)
		text_add(&text, "-");
	else if (kib < 10000)
		text_add(&text, "%ldK", kib);
	else
		text_add(&text, "%ldM", kib / 1024);
	text_add(line, " %6s", word);
}

static void add_count(struct text *line, long count)
{
	if (count < 0)
		text_add(line, " %5s", "-");
	else
		text_add(line, " %5ld", count);
}

/* "0 moves", "- moves" where they are not known */
static void add_moves(struct text *line, long moves)
{
	if (moves < 0)
		text_add(line, ", - moves");
	else
		text_add(line, ", %ld %s", moves, moves == 1 ? "move" : "moves");
}

/* "1 round", "2 rounds" */
static void add_some(struct text *line, const struct process *process, const char *key,
		     const char *one, const char *many)
{
	const char *value = ask_value(process, key);

	if (is_known(value))
		text_add(line, ", %s %s", value, strcmp(value, "1") == 0 ? one : many);
}

static void add_story(struct text *line, const struct process *process)
{
	if (is_kind(process, "server")) {
		text_add(line, "  port %s", ask_value(process, "port"));
		add_some(line, process, "connections", "connection", "connections");
		add_some(line, process, "waiting", "waiting", "waiting");
		add_some(line, process, "tables", "table", "tables");
	} else if (is_kind(process, "house")) {
		text_add(line, "  %s bot%s", ask_value(process, "bots"),
			 strcmp(ask_value(process, "bots"), "1") == 0 ? "" : "s");
	} else if (is_kind(process, "duel")) {
		text_add(line, "  %s: %s", ask_value(process, "game"),
			 ask_value(process, "players"));
		add_moves(line, process->moves);
		add_some(line, process, "rounds", "round ended", "rounds ended");
		if (strcmp(ask_value(process, "crashes"), "0") != 0)
			add_some(line, process, "crashes", "crash", "crashes");
	}
}

static void print_line(const char *line, FILE *out, int columns)
{
	fprintf(out, "%.*s\n", columns == 0 ? INT_MAX : columns, line);
}

static void print_process(const struct process *process, FILE *out, int columns)
{
	char data[LINE_ROOM], name[64];
	struct text line = TEXT_IN(data), title = TEXT_IN(name);

	text_add(&title, "%s%s", is_kind(process, "server") ? "" : " \\_ ",
		 ask_value(process, "kind"));
	if (is_kind(process, "duel"))
		text_add(&title, " %s", ask_value(process, "table"));
	text_add(&line, "%-15s %8s %-8s", name, ask_value(process, "pid"),
		 ask_value(process, "state"));
	add_age(&line, process->age);
	add_size(&line, process->rss);
	add_size(&line, process->pss);
	add_count(&line, process->descriptors);
	text_add(&line, " %5s %5s", ask_value(process, "up"), ask_value(process, "down"));
	add_story(&line, process);
	print_line(data, out, columns);
}

void ps_print_tree(const struct processes *processes, FILE *out, int rows, int columns)
{
	char line[LINE_ROOM];
	size_t shown = processes->count;

	/* one row for what the columns are, one for how many are not shown */
	if (rows > 0 && shown + 1 > (size_t)rows)
		shown = rows > 2 ? (size_t)rows - 2 : 0;
	snprintf(line, sizeof(line), "%-15s %8s %-8s %7s %6s %6s %5s %5s %5s", "PROCESS", "PID",
		 "STATE", "AGE", "RSS", "PSS", "FDS", "UP", "DOWN");
	print_line(line, out, columns);
	for (size_t i = 0; i < shown; i++)
		print_process(&processes->process[i], out, columns);
	snprintf(line, sizeof(line), " \\_ and %zu more", processes->count - shown);
	if (shown < processes->count)
		print_line(line, out, columns);
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* All words are of letters, digits and ". _ - : ,": nothing in them needs an escape. */
static void print_value(FILE *out, const char *key, const char *value)
{
	static const char *const texts[] = {"kind", "state", "duel", "game"};
	bool is_text = false;

	fprintf(out, "\"%s\":", key);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		is_text = is_text || strcmp(key, texts[i]) == 0;
	fprintf(out, is_text ? "\"%s\"" : "%s", value);
}

static void print_names(FILE *out, const char *names)
{
	const char *before = "";

	fprintf(out, "\"players\":[");
	while (*names != '\0') {
		size_t length = strcspn(names, ",");

		fprintf(out, "%s\"%.*s\"", before, (int)length, names);
		before = ",";
		names += length + (names[length] == ',');
	}
	fprintf(out, "]");
}

static void print_number(FILE *out, const char *key, long number)
{
	if (number < 0)
		fprintf(out, ",\"%s\":null", key);
	else
		fprintf(out, ",\"%s\":%ld", key, number);
}

void ps_print_json(const struct processes *processes, FILE *out)
{
	fprintf(out, "[");
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->process[i];
		const bool is_duel = is_kind(process, "duel"); /* its words are cut up below */

		fprintf(out, "%s\n{", i == 0 ? "" : ",");
		for (int w = 0; w < process->words.count; w++) {
			char *value = process->words.word[w];
			const char *key = strsep(&value, "=");

			fprintf(out, "%s", w == 0 ? "" : ",");
			if (strcmp(key, "players") == 0)
				print_names(out, value);
			else
				print_value(out, key, value);
		}
		if (is_duel)
			print_number(out, "moves", process->moves);
		print_number(out, "age", process->age);
		print_number(out, "rss_kib", process->rss);
		print_number(out, "pss_kib", process->pss);
		print_number(out, "cpu_ms", process->cpu);
		print_number(out, "descriptors", process->descriptors);
		fprintf(out, "}");
	}
	fprintf(out, "\n]\n");
}

/* --- a graph ---------------------------------------------------------------------------------- */

static void print_node(const struct process *process, size_t number, FILE *out)
{
	fprintf(out, "\tp%zu [label=\"%s", number, ask_value(process, "kind"));
	if (is_kind(process, "duel"))
		fprintf(out, " %s\\n%s: %s", ask_value(process, "table"),
			ask_value(process, "game"), ask_value(process, "players"));
	if (process->moves >= 0)
		fprintf(out, "\\n%ld %s", process->moves, process->moves == 1 ? "move" : "moves");
	fprintf(out, "\\npid %s, %s", ask_value(process, "pid"), ask_value(process, "state"));
	if (process->rss >= 0)
		fprintf(out, "\\n%ld KiB", process->rss);
	fprintf(out, "\"];\n");
}

/* An arrow goes from parent to child; what waits in the pipes between them stands beside it. */
static void print_arrow(const struct process *process, size_t number, FILE *out)
{
	static const char *const ways[] = {"down", "up"};
	const char *before = "";

	fprintf(out, "\tp0 -> p%zu [label=\"", number);
	for (int i = 0; i < 2; i++) {
		const char *bytes = ask_value(process, ways[i]);

		if (is_known(bytes)) {
			fprintf(out, "%s%s %s", before, ways[i], bytes);
			before = "\\n";
		}
	}
	fprintf(out, "\"];\n");
}

void ps_print_dot(const struct processes *processes, FILE *out)
{
	fprintf(out, "digraph holmgang {\n\trankdir=LR;\n\tnode [shape=box];\n");
	for (size_t i = 0; i < processes->count; i++)
		print_node(&processes->process[i], i, out);
	for (size_t i = 1; i < processes->count; i++)
		print_arrow(&processes->process[i], i, out);
	fprintf(out, "}\n");
}
