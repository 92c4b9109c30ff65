/*
 * parent.h - the parent of a floor that gives each match a process: accepts, has them born, hears
 * their results over a pipe each, reaps.
 */
#ifndef BENCH_PARENT_H
#define BENCH_PARENT_H

#include "tests/bench/floor.h"

/* Have a match born that writes its result to `result`. Does not come back in the child. The
 * descriptors are the caller's; he closes them. */
typedef void parent_bear(struct floor *floor, const int pair[2], int result);

/* Goes on until SIGTERM. With `keep` it keeps each match's sockets open until its result has come,
 * as a server must that takes players back. */
void parent_run(struct floor *floor, parent_bear *bear, bool keep);

/* The child's life. */
void parent_be_match(const struct floor *floor, const int pair[2], int result)
    __attribute__((noreturn));

#endif
