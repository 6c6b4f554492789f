/* A core that never comes to the end of being loaded. */
#include <unistd.h>

void retro_run(void);

void retro_run(void) {}

__attribute__((constructor)) static void load(void)
{
	for (;;)
		pause();
}
