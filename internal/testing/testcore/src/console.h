// The pocket console: what there is of it, and what of it is shown in RAM.
//
// Every bit of state lives in `con`, `ram` and `sram`, and all of it is saved.
// All that happens (input, packets and when they came, clocks) goes into
// con.m.hash in the same frame, and what the memories hold within seconds: a
// wrong input, a packet that came one poll late, a clock that ran on its own,
// shows there for ever.
#ifndef TESTCORE_CONSOLE_H
#define TESTCORE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RAM_SIZE (4u << 20)
#define SRAM_MAX (512u << 10)
#define SCREEN_W 256
#define SCREEN_H 384

// The timing is a DS': a bus clock of 33,513,982 Hz, 263 lines of 2,130 cycles a
// frame. The console goes in ticks of 8 microseconds, as melonDS' radio does.
#define CLOCK_HZ 33513982u
#define LINE_CYCLES 2130u
#define FRAME_CYCLES (263u * LINE_CYCLES)
#define TICK_US 8u

// Where things are in RAM. README.md has the same table.
#define AT_REPORT 0x000000u
#define AT_PROGRAM 0x010000u
#define PROGRAM_SIZE 0x10000u
#define AT_DATA 0x100000u
#define DATA_SIZE 0x100000u
#define AT_HISTORY 0x200000u
#define HISTORY_FRAMES 0x8000u
#define AT_CONTENT 0x300000u
#define CONTENT_MAX 0x100000u

// Bits of a frame's input, in the order of the rest of the project.
enum {
	KEY_A = 1 << 0,
	KEY_B = 1 << 1,
	KEY_SELECT = 1 << 2,
	KEY_START = 1 << 3,
	KEY_RIGHT = 1 << 4,
	KEY_LEFT = 1 << 5,
	KEY_UP = 1 << 6,
	KEY_DOWN = 1 << 7,
	KEY_R = 1 << 8,
	KEY_L = 1 << 9,
	KEY_X = 1 << 10,
	KEY_Y = 1 << 11,
	KEY_TOUCH = 1 << 12,
	KEY_LID = 1 << 13,
	KEY_MIC = 1 << 14,
};

struct input {
	uint16_t keys;  // KEY_*
	uint8_t x, y;   // stylus, pixels of the bottom screen
	uint32_t stray; // everything pressed that has no business to be
};

struct firmware {
	uint8_t mac[6], language, colour, birth_month, birth_day;
	char nickname[22]; // UTF-8 as it came, cut
};

struct machine {
	uint64_t hash;  // of all that ever happened
	uint64_t frame; // frames done since power on
	uint64_t ticks; // since power on
	uint64_t acc;   // cycles * 1e6 not yet spent on a tick
	uint64_t rng;
	uint64_t rtc;      // what time() last said
	uint32_t r[8], pc; // the CPU
	uint32_t timing;   // waitstates; the table below is worked out from it
	uint32_t wait[4];
	uint32_t stretch; // lines this frame is longer than it should be
	uint32_t now_us;  // microseconds into the frame
	uint32_t audio_acc;
	uint32_t saves; // times SRAM was written
	uint16_t keys, before;
	uint8_t x, y, lid, mic;
	uint32_t stray; // frames with stray input
	uint32_t pad;
	struct firmware fw;
};

// The start of RAM, written at the end of each frame. For people and tests.
struct report {
	char magic[8];                                 // 0x00 "NPTEST01"
	uint64_t hash, frame, ticks, rng, shared, rtc; // 0x08
	uint16_t keys;
	uint8_t x, y;
	uint32_t stray;                             // 0x38
	uint32_t rounds, lost, disagreed, heard;    // 0x40
	uint32_t polls, waits, timeouts, sent;      // 0x50
	uint32_t received, bad, role, members;      // 0x60
	uint32_t aid, settled, stretched, phase_us; // 0x70
	uint32_t saves, granted, escaped, spilled;  // 0x80
	uint8_t escape[32];                         // 0x90 see fault.h
	struct firmware fw;                         // 0xB0
	char name[16];                              // 0xD0 the content's base name
};
_Static_assert(offsetof(struct report, escape) == 0x90, "layout");
_Static_assert(offsetof(struct report, name) == 0xD0, "layout");
_Static_assert(sizeof(struct report) == 0xE0, "layout");

extern uint8_t ram[RAM_SIZE], sram[SRAM_MAX];
extern size_t sram_size;

static inline struct report *report(void) { return (struct report *)(ram + AT_REPORT); }

void mix(uint64_t v);
void mix_bytes(const void *p, size_t n);
uint32_t rng_next(void);

#endif
