/*
 * The interface between the worker process and its parent: file descriptors, the layout of
 * the shared memory, requests and replies. Both ends are the same executable,
 * so structs are sent over the socket as they are in memory.
 *
 *   parent                     worker
 *     |  ---- np_request ---->   |     one request at a time, each answered
 *     |  <---- np_reply  -----   |     by exactly one reply with its seq
 *
 * Bulk data never goes through the socket: it is in the shared memory before
 * the message about it arrives. The parent trusts nothing it reads there.
 */
#ifndef NETTPLAY_PROTOCOL_H
#define NETTPLAY_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#include "../internal/air/events_windows.h"
#endif

/* argv[0] of a worker; argc is 1. Anything else starts the program normally. (On Windows the number of
 * the memory's handle follows, in hexadecimal digits.) */
#define NP_WORKER_NAME "nettplay-console"

/* File descriptors a worker is started with; any other is closed. */
enum {
	NP_FD_SOCKET = 3, /* SOCK_SEQPACKET to the parent; its end is our end */
	NP_FD_SHARED = 4, /* memfd, NP_SHARED_SIZE bytes, sealed against resizing */
	NP_FD_DIR = 5,    /* the private directory, also the working directory */
	NP_FD_ROM = 6,    /* the ROM, read only; absent in a probe */
	NP_FD_SAVE = 7,   /* memfd, the core's save file; absent if it keeps none */
	NP_FD_AIR = 8,    /* memfd, the radio's shared memory (internal/air); absent if it has no radio */
	NP_FD_RULES = 9,  /* Landlock ruleset: the files it may read; absent where the kernel has none */
	NP_FD_LAST = NP_FD_RULES,

	/* the worker's own, at numbers that the core does not use */
	NP_FD_FAULTS = 53,  /* userfaultfd, where it makes snapshots that way */
	NP_FD_PAGEMAP = 54, /* /proc/self/pagemap, likewise */
	NP_FD_MAPS = 55,    /* /proc/self/maps */
	NP_FD_SHM = 56,     /* NP_SHM_FILES memfds, for shm_open */
	NP_FD_END = 64,     /* RLIMIT_NOFILE */
};

/* Bounds. A DS frame is 256x384; a state of melonDS DS has 19 MB. */
#define NP_VIDEO_MAX_SIDE 2048
#define NP_VIDEO_MAX (8u << 20)
#define NP_AUDIO_MAX 32768u /* stereo samples a request; more are dropped */
#define NP_BLOB_MAX (64u << 20)
#define NP_FILE_MAX (32u << 20) /* a file the core writes, or memory it shares with itself */
#define NP_SHM_FILES 4
#define NP_PATH_MAX 4096
#define NP_NAME_MAX 256
#define NP_OPTIONS_MAX (32u << 10)
#define NP_OPTIONS_ROOM (256u << 10) /* for what a core declares */
#define NP_CHEATS_MAX (20u << 10)

/* A joypad button that stands for a level of the input (emucore.Button). */
#define NP_BUTTONS_MAX 2u /* of a level, to choose from by what the core calls them */
#define NP_LABEL_MAX 64u
struct np_button {
	int32_t id;    /* RETRO_DEVICE_ID_JOYPAD_*, -1 none */
	uint32_t held; /* a bit per id: these go down with it */
	uint32_t toggle;
	uint32_t rest;
	char label[NP_LABEL_MAX]; /* what the core must call it; "": whatever it says */
};

/* Bytes to set to zero in packets of one type and size (emucore.Scrub). */
#define NP_SCRUBS_MAX 8u
struct np_scrub {
	uint32_t type; /* byte 9 of a packet */
	uint32_t size, from, to;
};

/* How a console is to be built; filled by the parent before the start. */
struct np_setup {
	int64_t parent_pid;
	int64_t rtc;   /* seconds since 1970 at frame 0 */
	int64_t frame; /* the first one to run */
	uint64_t rom_size;
	uint64_t data_limit; /* RLIMIT_DATA, bytes */
	uint32_t language;   /* RETRO_LANGUAGE_* */
	uint32_t has_username;
	uint32_t sram_size; /* bytes of the blob to put into SAVE_RAM */
	uint32_t option_bytes;
	uint32_t has_radio;
	uint32_t seat; /* of the radio */
	uint32_t scrubs;
	uint32_t has_rules;   /* NP_FD_RULES is there */
	uint32_t rollback;    /* how it is to make snapshots: enum np_way of worker_pages.h */
	uint32_t may_compile; /* it may ask for executable memory once it is loaded, too */
	struct np_scrub scrub[NP_SCRUBS_MAX];
	struct np_button lid[NP_BUTTONS_MAX], mic[NP_BUTTONS_MAX];
	char core_path[NP_PATH_MAX];
	char rom_name[NP_NAME_MAX];  /* file name in the private directory */
	char save_name[NP_NAME_MAX]; /* file name in its save directory; "": none */
	char username[NP_NAME_MAX];
	uint32_t cheat_bytes;
	uint32_t reserved;
	char options[NP_OPTIONS_MAX]; /* key NUL value NUL ... */
	char cheats[NP_CHEATS_MAX];   /* code NUL code NUL ... */
};

/* Text from the worker, NUL-terminated by it; the reader enforces the size. */
struct np_words {
	char failure[1024]; /* why a reply's status is not NP_OK */
	char library_name[NP_NAME_MAX];
	char library_version[NP_NAME_MAX];
	char extensions[NP_NAME_MAX];
};

/* Offsets in the shared memory. */
#define NP_OFF_SETUP 0u
#define NP_OFF_WORDS (64u << 10)
#define NP_OFF_AUDIO (128u << 10)
#define NP_OFF_VIDEO (512u << 10)
#define NP_OFF_BLOB (NP_OFF_VIDEO + NP_VIDEO_MAX)
#ifdef _WIN32 /* where struct np_line stands for the socket, and has the numbers of handles */
#define NP_OFF_LINE (NP_OFF_BLOB + NP_BLOB_MAX)
#define NP_SHARED_SIZE (NP_OFF_LINE + (64u << 10))
#else
#define NP_SHARED_SIZE (NP_OFF_BLOB + NP_BLOB_MAX)
#endif

_Static_assert(sizeof(struct np_setup) <= NP_OFF_WORDS, "setup overlaps words");
_Static_assert(NP_OFF_WORDS + sizeof(struct np_words) <= NP_OFF_AUDIO, "words overlap audio");
_Static_assert(NP_OFF_AUDIO + NP_AUDIO_MAX * 4 <= NP_OFF_VIDEO, "audio overlaps video");

enum np_op {
	NP_OP_PROBE = 1, /* load the library, read its name; nothing else after it */
	NP_OP_LOAD,      /* build the console */
	NP_OP_STEP,      /* run count frames with one input */
	NP_OP_SAVE,      /* serialize into the blob */
	NP_OP_RESTORE,   /* unserialize size bytes of the blob */
	NP_OP_MEMORY,    /* copy memory regions into the blob, see np_reply */
	NP_OP_FLUSH,     /* bring buffered writes to the core's files */
	NP_OP_OPTIONS,   /* write the options that the core has declared into the blob */
	NP_OP_SNAPSHOT,  /* nothing but what snapshot says */
	NP_OP_BACK,      /* to the snapshot at the place count */
};

enum np_status {
	NP_OK = 0,
	NP_FAILED,  /* the core refused; np_words.failure says what */
	NP_INVALID, /* the request was invalid: a bug in the parent */
};

/* State that past inputs leave behind outside of the core: saved with
 * the console. */
struct np_edges {
	uint8_t lid_level, lid_wait;
	uint8_t mic_level, mic_wait;
};

/* State that past packets leave behind outside of the core: saved, too. */
struct np_tuned {
	uint8_t sent;   /* type of the last packet sent, see worker_radio.c */
	uint8_t host;   /* seat whose commands it hears, NP_AIR_NO_HOST */
	uint8_t behind; /* how far it may be ahead of it, see np_radio_follow */
	uint8_t ahead;  /* what is known of its time, see there, too */
};

struct np_request {
	uint32_t op;
	uint32_t seq;
	uint16_t pad;  /* STEP: joypad buttons, a bit per id */
	int16_t x, y;  /* STEP: stylus, libretro pointer coordinates */
	uint8_t touch; /* STEP: the stylus is down */
	uint8_t lid;   /* STEP: levels, 0 or 1 */
	uint8_t mic;
	uint8_t repeat;        /* RESTORE: how many times to unserialize */
	uint8_t keep;          /* SAVE: the state will be kept: no arbitrary bytes in it */
	uint8_t off;           /* STEP, RESTORE: the console is switched off */
	uint32_t count;        /* STEP: frames, at least 1 */
	uint64_t size;         /* RESTORE: bytes of the blob */
	int64_t frame;         /* RESTORE: number of the frame to go on with */
	struct np_edges edges; /* RESTORE */
	struct np_tuned tuned; /* RESTORE */
	uint32_t regions;      /* MEMORY: bits of NP_REGION_* */
	uint32_t snapshot;     /* make one first, at this place + 1; 0: none */
};

#define NP_REGION_RAM 1u  /* SYSTEM_RAM */
#define NP_REGION_SRAM 2u /* SAVE_RAM */

/* Observed behavior of a core, which profiles rely on. */
enum np_seen {
	NP_SEEN_LID = 1,       /* it calls a button as it should be called for the lid */
	NP_SEEN_MIC = 2,       /* and one for the microphone */
	NP_SEEN_USERNAME = 4,  /* it has asked for the player's name */
	NP_SEEN_WALL = 8,      /* in a frame it has read the time of day, */
	NP_SEEN_UP = 16,       /* a clock that counts from some start, */
	NP_SEEN_USED = 32,     /* the processor time, */
	NP_SEEN_SLEEP = 64,    /* or has slept */
	NP_SEEN_PACKET = 128,  /* it has sent a packet, */
	NP_SEEN_STRANGE = 256, /* and one that is not of the form that worker_radio.c knows */
};

struct np_reply {
	uint32_t op;
	uint32_t seq;
	uint32_t status;
	uint32_t has_netpacket; /* the core has registered the interface */
	int64_t frame;          /* frames done since frame 0 */
	struct np_edges edges;
	struct np_tuned tuned;
	uint32_t width, height; /* of the last picture, 0 if there is none yet; */
	uint32_t format;        /* rows follow each other without a gap */
	uint32_t samples;       /* stereo samples of the frames just run */
	uint32_t off;           /* the console is switched off */
	uint32_t seen;          /* bits of NP_SEEN_*, since the start */
	uint64_t took_ns;       /* real time inside the core for this request */
	uint64_t size;          /* SAVE: bytes; LOAD: bytes of a state, 0 = no states;
				   MEMORY: bytes of SYSTEM_RAM at the blob's start;
				   OPTIONS: bytes */
	uint64_t sram_size;     /* LOAD: bytes of SAVE_RAM; MEMORY: those after RAM */
	uint64_t ram_size;      /* LOAD: bytes of SYSTEM_RAM */
	double fps, sample_rate;
};

#ifdef _WIN32
/* The line between parent and worker, in their memory. An event says that a message is there. Handles
 * are inherited, and keep their numbers; 0: there is none. */
struct np_line {
	struct np_request request;
	struct np_reply reply;
	uint64_t ask, answer; /* events */
	uint64_t rom, air;    /* mappings; none in a probe, or without a radio */
	uint64_t air_event[NP_AIR_EVENTS];
};
_Static_assert(NP_OFF_LINE + sizeof(struct np_line) <= NP_SHARED_SIZE, "the line is too long");
#endif

#endif
