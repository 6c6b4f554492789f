#include "state.h"

#include <string.h>

uint8_t ram[RAM_SIZE] __attribute__((aligned(64)));
uint8_t sram[SRAM_MAX] __attribute__((aligned(64)));
size_t sram_size;
struct console con;

void mix(uint64_t v) {
	uint64_t h = (con.m.hash ^ v) * 0x9E3779B97F4A7C15u;
	con.m.hash = h ^ h >> 29;
}

void mix_bytes(const void *p, size_t n) {
	const uint8_t *b = p;
	for (; n >= 8; n -= 8, b += 8) {
		uint64_t v;
		memcpy(&v, b, 8);
		mix(v);
	}
	uint64_t v = n;
	memcpy(&v, b, n);
	mix(v ^ (uint64_t)n << 56);
}

uint32_t rng_next(void) {
	con.m.rng = con.m.rng * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(con.m.rng >> 33);
}
