/*
 * A broadcast frame, as it comes from the network. What is read can be printed, is then read as the
 * same, and can be drawn.
 */
#include "tests/fuzz/fuzz.h"

#include "viewer/scene/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char picture[SCENE_TEXT_MAX];
	static struct frame frame, again;
	static struct scene scene;
	struct text text = TEXT_IN(picture);
	char bytes[FRAME_MAX + 1], twice[FRAME_MAX + 1];
	size_t length;

	if (!frame_read(&frame, (const char *)data, size))
		return 0;
	length = frame_print(&frame, bytes);
	MUST(length <= FRAME_MAX && frame_read(&again, bytes, length));
	MUST(frame_print(&again, twice) == length && memcmp(bytes, twice, length) == 0);
	scene_of_frame(&scene, &frame, &again);
	scene_print(&scene, false, &text);
	MUST(!text.cut);
	return 0;
}
