#include "state.h"

uint64_t game_turn(uint64_t shared, uint32_t round, uint16_t took, const uint32_t *inputs) {
	uint64_t h = shared ^ round;
	for (uint32_t aid = 0; aid <= AID_MAX; aid++) {
		if (aid && !(took & 1u << aid)) continue;
		h = (h ^ inputs[aid] ^ (uint64_t)aid << 32) * 0x9E3779B97F4A7C15u;
		h ^= h >> 31;
	}
	return h;
}

uint32_t game_input(void) { return con.m.keys | (uint32_t)con.m.x << 16 | (uint32_t)con.m.y << 24; }
