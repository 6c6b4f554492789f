#include "savestate.h"

#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "machine.h"
#include "options.h"
#include "state.h"

#define MAGIC 0x4B54534554504Eu
#ifndef TESTCORE_STATE_VERSION // a build that loads its own states only
#define TESTCORE_STATE_VERSION 1
#endif
#define VERSION TESTCORE_STATE_VERSION
#define GARBAGE 4096u // bytes of the padding that nobody writes

struct header {
	uint64_t magic;
	uint32_t version, size;
	uint64_t sum; // of all that follows, but the padding
	uint64_t sram;
};

static size_t content_size(void) { return sizeof(struct header) + sizeof con + RAM_SIZE + sram_size; }

size_t state_size(void) {
	size_t size = content_size(), want = (size_t)option_number(OPT_state_mb) << 20;
	if (option_on(OPT_state_garbage)) size += GARBAGE;
	return size > want ? size : want;
}

static uint64_t checksum(const void *p, size_t n) {
	const uint8_t *b = p;
	uint64_t h = n;
	for (; n >= 8; n -= 8, b += 8) {
		uint64_t v;
		memcpy(&v, b, 8);
		h = (h ^ v) * 0x9E3779B97F4A7C15u;
		h ^= h >> 32;
	}
	for (; n; n--) h = (h ^ *b++) * 0x9E3779B97F4A7C15u;
	return h;
}

// pad fills the rest: with zeros, or with noise that follows from the console's
// hash; the last bytes with what happens to be in memory, if so asked.
static void pad(uint8_t *at, size_t size) {
	uint64_t x = con.m.hash | 1;
	size_t garbage = option_on(OPT_state_garbage) ? GARBAGE : 0;
	memset(at, 0, size);
	if (option_on(OPT_state_noise))
		for (size_t i = 0; i + 8 <= size; i += 8) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			memcpy(at + i, &x, 8);
		}
	for (size_t i = 0; i + 8 <= garbage; i += 512) {
		uint64_t v = fault_uninit("all") ^ raw_cycles();
		memcpy(at + size - garbage + i, &v, 8);
	}
}

bool state_save(void *data, size_t size) {
	uint8_t *at = data;
	if (size < state_size()) return false;
	at += sizeof(struct header);
	memcpy(at, &con, sizeof con), at += sizeof con;
	memcpy(at, ram, RAM_SIZE), at += RAM_SIZE;
	memcpy(at, sram, sram_size), at += sram_size;
	struct header h = {MAGIC, VERSION, (uint32_t)content_size(), 0, sram_size};
	h.sum = checksum((uint8_t *)data + sizeof h, content_size() - sizeof h);
	memcpy(data, &h, sizeof h);
	pad(at, size - content_size());
	return true;
}

static bool valid(const uint8_t *data, size_t size) {
	struct header h;
	if (size < state_size()) return false;
	memcpy(&h, data, sizeof h);
	return h.magic == MAGIC && h.version == VERSION && h.size == content_size() &&
	       h.sram == sram_size && h.sum == checksum(data + sizeof h, content_size() - sizeof h);
}

bool state_load(const void *data, size_t size) {
	const uint8_t *at = data;
	if (!valid(at, size)) return false;
	uint32_t wait[4];
	// As in melonDS, the waitstates are worked out before what they follow from
	// is read: a fresh process is right only after a second load.
	if (option_number(OPT_state_loads) >= 2) machine_retime();
	memcpy(wait, con.m.wait, sizeof wait);
	at += sizeof(struct header);
	memcpy(&con, at, sizeof con), at += sizeof con;
	memcpy(ram, at, RAM_SIZE), at += RAM_SIZE;
	memcpy(sram, at, sram_size);
	if (option_number(OPT_state_loads) >= 2) memcpy(con.m.wait, wait, sizeof wait);
	// As in DeSmuME a few cycles get lost, and as in melonDS DS who the last host
	// was: the same for everyone who loads.
	if (option_on(OPT_state_loses)) con.m.acc = con.q.has_host = 0;
	return true;
}
