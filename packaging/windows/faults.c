/*
 * The test core's faults are Linux' own (fault.c, clocks.c, escape.c): without them it is a core
 * that behaves.
 */
#include "../../internal/testing/testcore/src/fault.h"

bool fault_here(void)
{
	return false;
}

void fault_at(enum point p, uint64_t count)
{
	(void)p, (void)count;
}

void fault_load(const char *path)
{
	(void)path;
}

void fault_frame(void) {}

void fault_radio(void) {}

uint8_t fault_packet(void)
{
	return 0;
}

void fault_garbage(uint8_t *p, size_t n)
{
	(void)p, (void)n;
}

uint64_t fault_uninit(const char *kind)
{
	(void)kind;
	return 0;
}

uint64_t raw_cycles(void)
{
	return 0;
}

uint32_t escape_ask(retro_environment_t env)
{
	(void)env; /* of a host that grants nothing it is the same */
	return 0;
}
