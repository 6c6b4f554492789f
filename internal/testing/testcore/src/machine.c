#include <string.h>
#include <time.h>

#include "fault.h"
#include "machine.h"
#include "options.h"
#include "sram.h"
#include "state.h"

#define RETIME_EVERY 60u // frames
#define SLICE 4096u      // bytes of RAM that a frame's hash takes in

// The CPU reads one byte of the program for what to do, the next for with what.
// Nothing it reads can make it stop or leave its data.
static void cpu_step(struct machine *m) {
	const uint8_t *prog = ram + AT_PROGRAM;
	uint8_t op = prog[m->pc % PROGRAM_SIZE], arg = prog[(m->pc + 1) % PROGRAM_SIZE];
	uint32_t *a = &m->r[op & 7], *b = &m->r[arg & 7], n = arg >> 3;
	uint8_t *at = ram + AT_DATA + (*b & (DATA_SIZE - 4));
	m->pc += 2;
	switch (op >> 4) {
	case 0:
		*a += *b + n;
		break;
	case 1:
		*a ^= *b << (n & 15);
		break;
	case 2:
		*a = *a << (n & 31) | *a >> (31 - (n & 31)) >> 1;
		break;
	case 3:
		*a *= *b | 1;
		break;
	case 4:
	case 5: {
		uint32_t v;
		memcpy(&v, at, 4);
		*a ^= v;
		break;
	}
	case 6:
	case 7:
		memcpy(at, a, 4);
		break;
	case 8:
		if (*a & 1) m->pc += n * 2;
		break;
	case 9:
		if (*a < *b) m->pc -= n * 2;
		break;
	case 10:
		*a ^= (uint32_t)m->hash;
		break;
	case 11:
		*a += m->keys | (uint32_t)m->x << 16 | (uint32_t)m->y << 24;
		break;
	case 12:
		*a += (uint32_t)m->ticks * m->wait[n & 3];
		break;
	case 13:
		*a ^= rng_next();
		break;
	case 14:
		*a -= *b;
		break;
	default:
		m->pc = *a * 2;
		break;
	}
	m->pc %= PROGRAM_SIZE;
}

// Everything in the hash goes into the CPU at every tick, so that a difference
// spreads over its memory and it never runs in circles.
static void tick(struct machine *m, unsigned load) {
	m->r[m->ticks & 7] += (uint32_t)m->hash;
	for (unsigned i = 0; i < load; i++) cpu_step(m);
	mix(m->r[m->ticks & 7] ^ (uint64_t)m->pc << 32 ^ (uint64_t)m->wait[m->ticks & 3] << 48);
	game_tick(m->now_us);
	wifi_tick();
	m->ticks++;
	m->now_us += TICK_US;
}

// read_rtc reads the clock the two ways that cores do.
static void read_rtc(struct machine *m) {
	time_t now = time(NULL);
	struct tm tm = {0}, *got = localtime(&now);
	if (got) tm = *got;
	m->rtc = (uint64_t)now;
	mix(m->rtc);
	mix((uint64_t)tm.tm_year << 40 | (uint64_t)tm.tm_mon << 32 | (uint64_t)tm.tm_mday << 24 |
	    (uint64_t)tm.tm_hour << 16 | (uint64_t)tm.tm_min << 8 | (uint64_t)tm.tm_sec);
}

static void take_input(struct machine *m, const struct input *in) {
	m->before = m->keys;
	m->keys = in->keys;
	m->x = in->x;
	m->y = in->y;
	m->stray += in->stray != 0;
	if (option_is(OPT_lid, "toggle")) {
		m->lid ^= (m->keys & ~m->before & KEY_LID) != 0;
	} else {
		m->lid = (m->keys & KEY_LID) != 0;
	}
	if (option_is(OPT_mic, "toggle")) {
		m->mic ^= (m->keys & ~m->before & KEY_MIC) != 0;
	} else {
		m->mic = (m->keys & KEY_MIC) != 0;
	}
	mix(m->keys | (uint64_t)m->x << 16 | (uint64_t)m->y << 24 | (uint64_t)m->lid << 32 |
	    (uint64_t)m->mic << 33);
	mix(in->stray);
	// A player's timing stirs the generator, as in games.
	if (m->keys != m->before) m->rng += m->ticks << 16 | m->keys;
}

// The number a player sees: levels, not the buttons that toggle them.
static uint16_t levels(const struct machine *m) {
	uint32_t buttons = m->keys & ~(uint32_t)(KEY_LID | KEY_MIC);
	return (uint16_t)(buttons | (m->lid ? KEY_LID : 0) | (m->mic ? KEY_MIC : 0));
}

static void write_report(const struct machine *m) {
	struct report *p = report();
	p->hash = m->hash;
	p->frame = m->frame;
	p->ticks = m->ticks;
	p->rng = m->rng;
	p->rtc = m->rtc;
	p->keys = levels(m);
	p->x = m->x;
	p->y = m->y;
	p->stray = m->stray;
	p->saves = m->saves;
	p->fw = m->fw;
	game_report(p);
	memcpy(ram + AT_HISTORY + m->frame % HISTORY_FRAMES * 8, &m->hash, 8);
}

void machine_frame(const struct input *in) {
	struct machine *m = &con.m;
	m->now_us = 0;
	m->stretch = 0;
	take_input(m, in);
	if (option_is(OPT_rtc, "frame")) read_rtc(m);
	if ((m->keys & ~m->before & KEY_A) ||
	    (option_on(OPT_sram_every) && m->frame % (uint64_t)option_number(OPT_sram_every) == 0))
		sram_record(m);
	if (m->frame == 0) sram_see();
	if (m->frame % RETIME_EVERY == RETIME_EVERY / 2) {
		m->timing = rng_next();
		machine_retime();
	}
	fault_frame();
	game_frame();
	unsigned load = (unsigned)option_number(OPT_cpu_load);
	// The game may stretch the frame while it runs, so the end is looked at anew.
	const uint64_t per_tick = (uint64_t)CLOCK_HZ * TICK_US;
	m->acc += FRAME_CYCLES * 1000000ull;
	for (uint32_t stretched = 0;; m->acc -= per_tick) {
		m->acc += (m->stretch - stretched) * (uint64_t)LINE_CYCLES * 1000000u;
		stretched = m->stretch;
		if (m->acc < per_tick) break;
		tick(m, load);
	}
	mix_bytes(ram + AT_DATA + m->frame * SLICE % DATA_SIZE, SLICE);
	if (sram_size) mix_bytes(sram + m->frame * 1024 % sram_size, 1024);
	mix_bytes(&con.w, sizeof con.w);
	mix_bytes(&con.g, sizeof con.g);
	mix_bytes(&con.q, sizeof con.q);
	m->frame++;
	write_report(m);
}

void machine_retime(void) {
	uint32_t t = con.m.timing;
	for (int i = 0; i < 4; i++) con.m.wait[i] = 1 + (t >> i * 8 & 0xFF);
}

static void load_program(const uint8_t *content, size_t size) {
	mix(size);
	mix_bytes(content, size);
	con.m.rng = con.m.hash;
	memcpy(ram + AT_CONTENT, content, size < CONTENT_MAX ? size : CONTENT_MAX);
	for (size_t i = 0; i < PROGRAM_SIZE; i++)
		ram[AT_PROGRAM + i] = (size ? content[i % size] : 0) ^ (uint8_t)(rng_next() >> 8);
}

void machine_power_on(const uint8_t *content, size_t size, const char *name, const struct firmware *fw) {
	memset(&con, 0, sizeof con);
	memset(ram, 0, sizeof ram);
	load_program(content, size);
	memcpy(report()->magic, "NPTEST01", 8);
	strncpy(report()->name, name, sizeof report()->name - 1);
	con.m.fw = *fw;
	mix_bytes(report()->name, sizeof report()->name);
	mix_bytes(fw, sizeof *fw);
	con.m.timing = rng_next();
	machine_retime();
	game_power_on();
	if (!option_is(OPT_rtc, "off")) read_rtc(&con.m);
	write_report(&con.m);
}
