/* Any move, in any game that sends LEGAL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void)
{
	char *line = NULL;
	size_t size = 0;

	srandom((unsigned)time(NULL));
	setlinebuf(stdout);
	while (getline(&line, &size, stdin) > 0) {
		int moves = 0;
		char chosen[1024] = "";

		if (strncmp(line, "LEGAL ", 6) != 0)
			continue;
		for (char *move = strtok(line + 6, ";\n"); move; move = strtok(NULL, ";\n"))
			if (random() % ++moves == 0)
				snprintf(chosen, sizeof(chosen), "%s", move);
		printf("MOVE %s\n", chosen);
	}
	free(line);
	return 0;
}
