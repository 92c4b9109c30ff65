/*
 * columns_test - lists that fit a terminal: what is shortened, what is left out, and in which order.
 */
#include "viewer/games/columns.h"

#include "tests/unit/check.h"

enum { COLUMNS = 4 };

static const struct column list[COLUMNS] = {
    {"id", 4, 4, false, 0, 0},
    {"moves", 5, 5, true, 2, 0},
    {"players", 6, 12, false, 0, 0},
    {"end", 5, 20, false, 1, 0},
};

/* A line as it is in a terminal of this width. */
static const char *line(int width, const char *players, const char *end, bool utf8)
{
	const char *const value[COLUMNS] = {"abcd", "17", players, end};
	struct column column[COLUMNS];
	static char printed[256];
	FILE *out = fmemopen(printed, sizeof(printed), "w");

	memcpy(column, list, sizeof(column));
	columns_fit(column, COLUMNS, width);
	columns_print(out, column, COLUMNS, value, utf8);
	fclose(out);
	printed[strcspn(printed, "\n")] = '\0';
	return printed;
}

static void test_widths(void)
{
	/* all there is to say, and no space behind it */
	check_text(line(80, "anna,ben", "normal", false), "abcd     17  anna,ben      normal");
	/* those that may be wider share the room */
	check_text(line(30, "anna,ben", "normal", false), "abcd     17  anna,ben  normal");
	check_text(line(26, "anna,ben", "normal", false), "abcd     17  anna,~  norm~");
	/* then moves are left out, and then the end */
	check_text(line(25, "anna,ben", "normal", false), "abcd  anna,ben   normal");
	check_text(line(19, "anna,ben", "normal", false), "abcd  anna,~  norm~");
	check_text(line(18, "anna,ben", "normal", false), "abcd  anna,ben");
	check_text(line(12, "anna,ben", "normal", false), "abcd  anna,~");
	/* no less than this */
	check_text(line(1, "anna,ben", "normal", false), "abcd  anna,~");
}

static void test_bytes(void)
{
	check_text(line(26, "anna,ben", "normal", true), "abcd     17  anna,…  norm…");
	check_text(line(80, "a\033[2Jb", "\xc3\xa4", true), "abcd     17  a?[2Jb        ??");
}

static void test_every_width(void)
{
	for (int width = 12; width < 60; width++)
		CHECK((int)strlen(line(width, "anna-with-a-long-name", "time forfeit and more",
				       false)) <= width);
}

int main(void)
{
	test_widths();
	test_bytes();
	test_every_width();
	return check_end();
}
