/*
 * repair.h - a timeline without its end, or with a record that was cut short, made whole.
 */
#ifndef SERVER_TRACE_REPAIR_H
#define SERVER_TRACE_REPAIR_H

/* Print what is whole of the timeline in `file`. How the program is to end: 0, or 1 when it cannot be
 * read. */
int repair_timeline(const char *file);

#endif
