/*
 * log_test.c - lines of a log that are hard to put into JSON; log.bats reads them.
 */
#include "proto/wire/log.h"

#include <string.h>

int main(void)
{
	char xes[400] = "", ones[400] = "";

	memset(xes, 'x', sizeof(xes) - 1);
	memset(ones, '\001', sizeof(ones) - 1); /* each takes six bytes */
	log_set_tag("test");
	log_set_json();
	log_info("plain");
	log_info("two a=\"b c\" d=e");
	log_info("odd a=\001\377\"x\\ b= c");
	log_info("long first=%s second=%s", xes, ones);
	log_info("open a=\"b c\"");
	log_info("last pid=x");
	return 0;
}
