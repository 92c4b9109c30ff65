/*
 * ring.c - the last lines of a stream. See ring.h.
 */
#include "viewer/web/ring.h"

#include <string.h>

void ring_add(struct ring *ring, const char *line, size_t length)
{
	size_t at = ring->end % RING_BYTES;
	size_t first = length < RING_BYTES - at ? length : RING_BYTES - at;

	memcpy(ring->bytes + at, line, first);
	memcpy(ring->bytes, line + first, length - first);
	ring->end += length;
}

bool ring_reaches(const struct ring *ring, uint64_t place)
{
	return ring->end - place <= RING_BYTES;
}

size_t ring_read(const struct ring *ring, uint64_t *place, char *bytes, size_t size)
{
	size_t held = (size_t)(ring->end - *place), at = *place % RING_BYTES;
	size_t length = held < size ? held : size;
	size_t first = length < RING_BYTES - at ? length : RING_BYTES - at;

	memcpy(bytes, ring->bytes + at, first);
	memcpy(bytes + first, ring->bytes, length - first);
	while (length > 0 && bytes[length - 1] != '\n')
		length--;
	*place += length;
	return length;
}
