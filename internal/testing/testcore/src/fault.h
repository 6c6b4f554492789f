// Everything the test core does wrong on purpose. Each is off unless an option
// asks for it; README.md lists them.
#ifndef TESTCORE_FAULT_H
#define TESTCORE_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../../emucore/libretro.h"

// Points at which option fault can strike. The later ones are counted: the nth
// poll since the console was switched on, and so on, from 0.
enum point {
	AT_INIT,
	AT_LOAD,
	AT_RESET,
	AT_SERIALIZE,
	AT_UNSERIALIZE,
	AT_UNLOAD,
	AT_DEINIT,
	AT_FRAME,
	AT_POLL,
	AT_WAIT,
	AT_SEND,
	AT_COMMAND,
	AT_REPLY,
};

// fault_here says that only_mac and only_marker let faults act in this console.
bool fault_here(void);
void fault_at(enum point p, uint64_t count);
void fault_load(const char *path); // once the options are known, before the content there is looked at
void fault_frame(void);     // at the start of each frame, after its input was taken
uint8_t fault_packet(void); // the bits of a packet that are turned over now
// fault_radio delays some radio operations at random, without any effect on state.
void fault_radio(void);
// fault_garbage fills n bytes with what differs from run to run, if the radio is
// to leave them uninitialised; else it leaves them alone.
void fault_garbage(uint8_t *p, size_t n);
// fault_uninit is what some memory that was never written holds. kind is heap,
// stack, address or all.
uint64_t fault_uninit(const char *kind);

// clocks.c: the host's real time, by ways that cannot be interposed.
uint64_t raw_time_syscall(void); // nanoseconds, 0 if refused
uint64_t raw_time_vdso(void);    // nanoseconds, 0 if there is none
uint64_t raw_cycles(void);
void raw_sleep(uint64_t us);
void raw_work(uint64_t us);

// escape.c: forbidden things. Results go to report()->escape, one byte each in
// the order of its table: 0 not tried, 1 it worked, else 128 + errno.
void escape_try(const char *list);
uint32_t escape_spill(void); // returns to how many descriptors garbage could be written
// escape_ask asks the frontend for what would let the host show through, and
// returns a bit for each that was granted, in the order of its table.
uint32_t escape_ask(retro_environment_t env);

// show.c: pictures, sound and sizes that a frontend must not believe.
struct picture {
	const void *data;
	unsigned width, height;
	size_t pitch;
};
bool bad_now(void);
void bad_picture(struct picture *p);
void bad_av(struct retro_system_av_info *av);

#endif
