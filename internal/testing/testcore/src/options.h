// Core options: all that a frontend can ask the test core to do.
//
// An entry is X(id, values, help). The key a frontend sees is "testcore_" and
// the id; the first of the values is the default. Where a value is a number,
// any number is taken, not only those listed. README.md explains them.
#ifndef TESTCORE_OPTIONS_H
#define TESTCORE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../../emucore/libretro.h"

// A build of its own for programs that cannot set options: another first value, with
// its bar.
#ifndef TESTCORE_RADIO
#define TESTCORE_RADIO ""
#endif
#ifndef TESTCORE_JITTER
#define TESTCORE_JITTER ""
#endif
#ifndef TESTCORE_JITTER_IN
#define TESTCORE_JITTER_IN ""
#endif

#ifndef TESTCORE_POWER
#define TESTCORE_POWER ""
#endif

#define OPTION_LIST(X)                                                                                 \
	/* the machine */                                                                              \
	X(cpu_load, "1|0|4|16|64|256", "instructions every 8 emulated microseconds")                   \
	X(pixel_format, "xrgb8888|rgb565|0rgb1555", "pixel format")                                    \
	X(fullpath, "disabled|enabled", "content is read from its path, not from memory")              \
	X(rtc, "frame|boot|off", "when the clock is read: time() and localtime()")                     \
	X(sram, "memory|file|none", "where backup memory is: SAVE_RAM or a file")                      \
	X(sram_kb, "8|1|64|256|512", "size of the backup memory")                                      \
	X(sram_every, "0|1|60|600", "also save every so many frames")                                  \
	X(lid, "hold|toggle", "L3 closes the lid while held, or turns it over")                        \
	X(mic, "hold|toggle", "L2 is noise while held, or turns it on and off")                        \
	X(power, TESTCORE_POWER "button|keys", "keys: L, R, Select and Start together switch it off")  \
	X(cheats, "keep|lose|ignore", "loaded states and resets leave cheats alone, or drop them")     \
	X(mac, "00:09:bf:00:00:00", "MAC address")                                                     \
	X(language, "1|0|2|3|4|5", "firmware language")                                                \
	X(colour, "0|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15", "firmware colour")                          \
	X(birth_month, "1|2|3|4|5|6|7|8|9|10|11|12", "firmware birthday, month")                       \
	X(birth_day, "1|2|15|28|31", "firmware birthday, day")                                         \
	/* savestates */                                                                               \
	X(state_mb, "0|20", "a state is padded to this many megabytes")                                \
	X(state_noise, "disabled|enabled", "the padding cannot be compressed")                         \
	X(state_garbage, "disabled|enabled", "the padding ends in uninitialised bytes")                \
	X(state_loads, "1|2", "how often a fresh process must load a state")                           \
	X(state_loses, "disabled|enabled", "a loaded state goes on a little differently")              \
	/* the radio */                                                                                \
	X(radio, TESTCORE_RADIO "off|idle|broadcast|host|client|mac|input", "what the radio does")     \
	X(radio_on_at, "0|60|600", "frame at which the radio is switched on")                          \
	X(radio_stagger, "0|1|7", "further frames of delay for each step of the MAC")                  \
	X(radio_rounds, "1|2|3|4", "host: command rounds a frame")                                     \
	X(radio_at_us, "2000|0|8000|16000", "host: first command, microseconds into a frame")          \
	X(radio_payload, "8|32|64|96", "bytes of payload in a reply")                                  \
	X(radio_runahead, "enabled|disabled", "acks let the clients run to the next command")          \
	X(radio_garbage, "disabled|enabled", "header bytes left uninitialised, as melonDS")            \
	X(radio_stretch, "0|1|4|16", "client: lines a frame may be stretched by")                      \
	X(radio_patience, "120|30|600", "frames or rounds without an answer before leaving")           \
	X(radio_close_at, "-1|600", "frame at which the radio goes off amid an exchange")              \
	X(radio_close_for, "0|1|60", "frames until it is on again; 0: never")                          \
	/* faults */                                                                                   \
	X(only_mac, "-1|0|1|2|3", "faults only where this is the MAC's last byte")                     \
	X(marker, "", "any word; see only_marker")                                                     \
	X(only_marker, "", "faults only where marker is this word")                                    \
	X(fault, "none|segv|abort|ill|fpe|exit|_exit|kill|stop|hang|sleep|stack", "how the core dies") \
	X(fault_at, "never|0|60|600|init|load|reset|serialize|unserialize|unload|deinit",              \
	  "a frame number, or another point; see README.md")                                           \
	X(desync_at, "-1|60|600", "frame at which one bit is turned over")                             \
	X(desync_what, "ram|video|sram|hash|air", "where")                                             \
	X(wall_clock, "off|syscall|vdso|cycles", "read the host's clock past all pinning")             \
	X(libc_clock, "off|enabled", "read every clock of libc, which a frontend may pin")             \
	X(uninit, "off|heap|stack|address|all", "use memory that was never written")                   \
	X(leak_kb, "0|1024", "kilobytes leaked a frame")                                               \
	X(busy_us, "0|1000|5000|30000", "microseconds of work a frame")                                \
	X(sleep_us, "0|1000|5000|30000", "microseconds slept a frame")                                 \
	X(jitter_us, TESTCORE_JITTER "0|1000|5000",                                                    \
	  "random sleep, at most this long, that changes nothing")                                     \
	X(jitter_in, TESTCORE_JITTER_IN "16|1|4|64|256", "one in so many radio operations is delayed") \
	X(spam_stdout_kb, "0|64|1024", "kilobytes of garbage to stdout a frame")                       \
	X(spam_stderr_kb, "0|64|1024", "kilobytes of garbage to stderr a frame")                       \
	X(spam_log, "0|10|1000", "log lines a frame")                                                  \
	X(bad_from, "0|60", "first frame of bad_video and bad_audio")                                  \
	X(bad_video, "off|none|null|zero|huge|pitch_small|pitch_huge|wild|odd|twice",                  \
	  "what is wrong with the picture")                                                            \
	X(bad_audio, "off|none|null|huge|max|wild|single|many", "what is wrong with the sound")        \
	X(bad_av, "off|zero|nan|negative|huge", "what is wrong with the timing and sizes")             \
	X(escape,                                                                                      \
	  "off|all|open|create|dir|inet|unix|fork|thread|killparent|ptrace|exec_map|"                  \
	  "pdeathsig|memfd|sigaction|setsid|exec|murder",                                              \
	  "forbidden things to try, comma separated")                                                  \
	X(escape_at, "0|60", "frame at which they are tried")                                          \
	X(spill_at, "-1|0|60", "frame at which garbage goes to every open descriptor")                 \
	X(signals, "off|enabled", "install handlers for SIGSEGV and others at load")                   \
	X(map_gb, "0|16", "gigabytes of address space taken at load")                                  \
	X(threads, "0|1|4", "idle threads started at load")                                            \
	X(stash, "off|enabled", "count frames by the position in a file, which no snapshot puts back")

enum option {
#define X(id, values, help) OPT_##id,
	OPTION_LIST(X)
#undef X
		OPT_COUNT
};

// options_announce tells the frontend what there is, by version 2 of the
// interface where it is known, else by the oldest.
void options_announce(retro_environment_t env);
// options_read fetches every value; what the frontend does not answer is the
// default.
void options_read(retro_environment_t env);

const char *option(enum option id);
int64_t option_number(enum option id);
bool option_is(enum option id, const char *value);
// option_on is true for all values but "off", "disabled", "none", "0" and "".
bool option_on(enum option id);

#endif
