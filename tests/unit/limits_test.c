/*
 * limits_test.c - drives server/lobby/limits.c and server/shared/address.c: what counts as one address, how many
 * connections and tables it may have, and that nothing is kept that nobody needs.
 */
#include "server/lobby/limits.h"
#include "server/shared/seldom.h"

#include "tests/unit/check.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>

static union address address(const char *text)
{
	union address address[2];

	if (address_read(address, text, 4711) != 1)
		check_fail(text);
	return address[0];
}

static bool is_same(const char *one, const char *other)
{
	union address a = address(one), b = address(other);
	struct address_key left = address_key(&a), right = address_key(&b);

	return memcmp(&left, &right, sizeof(left)) == 0;
}

static bool is_loopback(const char *text)
{
	union address a = address(text);

	return address_is_loopback(&a);
}

static void test_addresses(void)
{
	char text[ADDRESS_TEXT];
	union address a;

	CHECK(is_same("10.0.0.1", "10.0.0.1"));
	CHECK(!is_same("10.0.0.1", "10.0.0.2"));
	CHECK(is_same("10.0.0.1", "::ffff:10.0.0.1"));
	CHECK(!is_same("10.0.0.1", "::ffff:10.0.0.2"));
	CHECK(is_same("2001:db8:0:1::1", "2001:db8:0:1:ffff::2"));
	CHECK(!is_same("2001:db8:0:1::1", "2001:db8:0:2::1"));
	/* not mapped: an address of its own, in the /64 of zeros */
	CHECK(!is_same("10.0.0.1", "::10.0.0.1"));
	CHECK(is_loopback("127.0.0.1") && is_loopback("127.255.0.9") && is_loopback("::1"));
	CHECK(is_loopback("::ffff:127.0.0.1"));
	CHECK(!is_loopback("128.0.0.1") && !is_loopback("::2") && !is_loopback("fe80::1"));
	CHECK(!is_loopback("::ffff:10.0.0.1"));
	a = address("192.168.1.9");
	address_print(&a, text);
	check_text(text, "192.168.1.9:4711");
	a = address("2001:db8::9");
	address_print(&a, text);
	check_text(text, "[2001:db8::9]:4711");
}

static struct limits limits;

static bool is_refused(const char *text)
{
	union address from = address(text);

	return limits_enter(&limits, &from) == NULL && errno == 0;
}

static struct origin *enter(const char *text)
{
	union address from = address(text);
	struct origin *origin = limits_enter(&limits, &from);

	if (origin == NULL) {
		check_fail(text);
		exit(1);
	}
	return origin;
}

static void open_limits(unsigned connections, unsigned tables)
{
	struct origin *origin, *after;

	/* those of the test before */
	for (int i = 0; i < LIMITS_BUCKETS; i++)
		LIST_FOREACH_SAFE (origin, &limits.bucket[i], next, after)
			free(origin);
	limits = (struct limits){
	    .connections_max = connections, .tables_max = tables, .seed = 12345};
}

static void test_connections(void)
{
	struct origin *one, *other;

	open_limits(2, 0);
	one = enter("10.0.0.1");
	CHECK(enter("::ffff:10.0.0.1") == one);
	CHECK(is_refused("10.0.0.1"));
	other = enter("2001:db8::1");
	CHECK(other != one && enter("2001:db8::2") == other);
	CHECK(is_refused("2001:db8::3"));
	CHECK(limits.origins == 2);
	limits_leave(&limits, one, 0);
	CHECK(enter("10.0.0.1") == one);
	limits_leave(&limits, one, 0);
	limits_leave(&limits, one, 0);
	CHECK(limits.origins == 1);
	limits_leave(&limits, other, 0);
	limits_leave(&limits, other, 0);
	CHECK(limits.origins == 0);
}

static void test_loopback(void)
{
	struct origin *origin;

	open_limits(2, 3);
	origin = enter("127.0.0.1");
	for (int i = 1; i < 5000; i++) {
		origin = enter(i % 2 ? "127.0.0.1" : "::ffff:127.0.0.1");
		limits_count_table(&limits, origin, 7);
		CHECK(!origin->slow);
	}
	for (int i = 0; i < 5000; i++)
		limits_leave(&limits, origin, 7);
	CHECK(limits.origins == 0);
}

static void test_tables(void)
{
	struct origin *one, *other;

	open_limits(10, 3);
	one = enter("10.0.0.1");
	other = enter("10.0.0.2");
	limits_count_table(&limits, one, 5000);
	limits_count_table(&limits, one, 5400);
	CHECK(!one->slow && limits_refresh(&limits, 5400) == INT64_MAX);
	limits_count_table(&limits, one, 5900);
	CHECK(one->slow && !other->slow && limits.slow == 1);
	CHECK(limits_refresh(&limits, 5999) == 6000 && one->slow);
	/* a third one whose second ends later is not the next */
	for (int i = 0; i < 3; i++)
		limits_count_table(&limits, other, 5950);
	CHECK(other->slow && limits_refresh(&limits, 5999) == 6000);
	CHECK(limits_refresh(&limits, 6000) == 6950 && !one->slow && other->slow);
	/* a new second: the whole number again */
	for (int i = 0; i < 3; i++) {
		CHECK(!one->slow);
		limits_count_table(&limits, one, 6100);
	}
	CHECK(one->slow && limits_refresh(&limits, 6100) == 6950);
	/* going and coming again does not help */
	limits_leave(&limits, one, 6200);
	CHECK(enter("10.0.0.1") == one && one->slow);
	limits_leave(&limits, one, 6200);
	limits_leave(&limits, other, 6200);
	CHECK(limits.origins == 2);
	CHECK(limits_refresh(&limits, 7100) == INT64_MAX && limits.origins == 0 &&
	      limits.slow == 0);
}

static void test_no_limit_of_tables(void)
{
	struct origin *one;

	open_limits(10, 0);
	one = enter("10.0.0.1");
	for (int i = 0; i < 1000; i++)
		limits_count_table(&limits, one, 1);
	CHECK(!one->slow);
	limits_leave(&limits, one, 1);
	CHECK(limits.origins == 0);
}

/* A seat outlives the connection, and keeps what is known of the address. */
static void test_held_tables(void)
{
	struct origin *one, *loopback;

	open_limits(10, 0);
	limits.held_max = 2;
	one = enter("10.0.0.1");
	limits_hold(one);
	CHECK(!limits_holds_enough(&limits, one));
	limits_hold(one);
	CHECK(limits_holds_enough(&limits, one));
	limits_leave(&limits, one, 0);
	CHECK(limits_refresh(&limits, 5000) == INT64_MAX && limits.origins == 1);
	CHECK(enter("10.0.0.1") == one && limits_holds_enough(&limits, one));
	limits_let_go(&limits, one, 5000);
	CHECK(!limits_holds_enough(&limits, one));
	limits_leave(&limits, one, 5000);
	CHECK(limits.origins == 1);
	limits_let_go(&limits, one, 5000);
	CHECK(limits.origins == 0);
	loopback = enter("127.0.0.1");
	for (int i = 0; i < 100; i++)
		limits_hold(loopback);
	CHECK(!limits_holds_enough(&limits, loopback));
	limits.held_max = 0;
	one = enter("10.0.0.1");
	for (int i = 0; i < 100; i++)
		limits_hold(one);
	CHECK(!limits_holds_enough(&limits, one));
}

/* More addresses than buckets, so that they share some. */
static void test_many_addresses(void)
{
	enum { MANY = 3 * LIMITS_BUCKETS };
	static struct origin *origin[MANY];
	char text[32];
	size_t longest = 0;

	open_limits(1, 1);
	for (int i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "10.%d.%d.1", i / 256, i % 256);
		origin[i] = enter(text);
		CHECK(is_refused(text));
	}
	CHECK(limits.origins == MANY);
	for (int i = 0; i < LIMITS_BUCKETS; i++) {
		size_t length = 0;
		struct origin *one;

		LIST_FOREACH (one, &limits.bucket[i], next)
			length++;
		longest = length > longest ? length : longest;
	}
	CHECK(longest < 24);
	/* from the middle of a bucket too; half of them when a table still counts */
	for (int i = 0; i < MANY; i++) {
		if (i % 2)
			limits_count_table(&limits, origin[i], 100);
		limits_leave(&limits, origin[i], 200);
	}
	CHECK(limits.origins == MANY / 2);
	CHECK(limits_refresh(&limits, 1100) == INT64_MAX && limits.origins == 0);
}

static void test_seldom(void)
{
	struct seldom seldom = {0};
	unsigned long left_out = 99;
	int spoken = 0;

	CHECK(seldom_may_speak(&seldom, 5, &left_out) && left_out == 0);
	for (int i = 0; i < 100000; i++)
		spoken += seldom_may_speak(&seldom, 6, &left_out);
	CHECK(spoken == 0);
	CHECK(!seldom_may_speak(&seldom, 5 + SELDOM_MS - 1, &left_out));
	CHECK(seldom_may_speak(&seldom, 5 + SELDOM_MS, &left_out) && left_out == 100001);
	CHECK(!seldom_may_speak(&seldom, 6 + SELDOM_MS, &left_out));
}

int main(void)
{
	test_addresses();
	test_connections();
	test_loopback();
	test_tables();
	test_no_limit_of_tables();
	test_held_tables();
	test_many_addresses();
	test_seldom();
	return check_end();
}
