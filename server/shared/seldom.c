/*
 * seldom.c - whether one more line of a kind is logged. See seldom.h.
 */
#include "server/shared/seldom.h"

bool seldom_may_speak(struct seldom *seldom, int64_t now, unsigned long *left_out)
{
	if (seldom->spoke && now - seldom->at < SELDOM_MS) {
		seldom->left_out++;
		return false;
	}
	*left_out = seldom->left_out;
	*seldom = (struct seldom){.spoke = true, .at = now};
	return true;
}
