/* A core that dies as soon as it is loaded. */
void retro_run(void);

void retro_run(void) {}

__attribute__((constructor)) static void load(void)
{
	__builtin_trap();
}
