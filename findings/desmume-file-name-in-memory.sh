#!/bin/sh
# DeSmuME writes the name of the ROM's file into the console's main memory.
#
# Package:  libretro-desmume 0.9.11+git20160819+dfsg1-2 (Debian 12).
# Guess:    a console is made from what is in the ROM; where it lies, and what its file is called, is the
#           frontend's business. Two copies of one ROM with other names give equal consoles.
# Seen:     main memory differs from the start: at 0x023E0000 stands "fat:/" and the file's name, also for a ROM that
#           is no homebrew of the kind that asks for it. All else in main memory is equal. Machines that
#           compare memory must load a ROM under one agreed name.
# Output:   one.nds and a copy two.nds: main memory differs in 3 bytes, from 0x023e0005 to 0x023e0007
#           one.nds and a copy one.nds in another folder: main memory is equal
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -q libretro-desmume=0.9.11+git20160819+dfsg1-2 >/dev/null 2>&1
dpkg -x libretro-desmume_*.deb root
# The libraries that the core needs are Debian's, installed or not.
core=$dir/$(find root -name desmume_libretro.so)
for package in libpcap0.8 libtinyxml2.6.2v5; do
	apt-get download -q "$package" >/dev/null 2>&1
	dpkg -x "$package"_*.deb root
done
LD_LIBRARY_PATH=$(find "$dir/root" -name '*.so.*' -exec dirname {} + | sort -u | paste -sd:)
export LD_LIBRARY_PATH

cat >host.c <<'C'
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of libretro's ABI that is used here. */
struct variable { const char *key, *value; };
struct game { const char *path; const void *data; size_t size; const char *meta; };
static const char *folder;

static void say(int level, const char *format, ...) { (void)level, (void)format; }

static bool environment(unsigned command, void *data)
{
	switch (command) {
	case 10: /* SET_PIXEL_FORMAT */
		return true;
	case 9: /* GET_SYSTEM_DIRECTORY */
	case 31: /* GET_SAVE_DIRECTORY */
		*(const char **)data = folder;
		return true;
	case 27: /* GET_LOG_INTERFACE */
		*(void (**)(int, const char *, ...))data = say;
		return true;
	case 15: { /* GET_VARIABLE */
		struct variable *v = data;
		v->value = !strcmp(v->key, "desmume_cpu_mode") ? "interpreter" : !strcmp(v->key, "desmume_num_cores") ? "1" : NULL;
		return v->value != NULL;
	}
	}
	return false;
}
static void video(const void *p, unsigned w, unsigned h, size_t pitch) { (void)p, (void)w, (void)h, (void)pitch; }
static void sample(int16_t l, int16_t r) { (void)l, (void)r; }
static size_t samples(const int16_t *p, size_t n) { return (void)p, n; }
static void poll(void) {}
static int16_t input(unsigned port, unsigned device, unsigned index, unsigned id) { return (void)port, (void)device, (void)index, (void)id, 0; }

/* host CORE ROM FOLDER FRAMES MEMORY: plays the ROM and writes the main memory that its state holds. */
int main(int argc, char **argv)
{
	if (argc != 6)
		return 2;
	folder = argv[3];
	void *core = dlopen(argv[1], RTLD_NOW);
	if (core == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return 2;
	}
#define CALL(type, name) ((type)dlsym(core, name))
	CALL(void (*)(void *), "retro_set_environment")(environment);
	CALL(void (*)(void *), "retro_set_video_refresh")(video);
	CALL(void (*)(void *), "retro_set_audio_sample")(sample);
	CALL(void (*)(void *), "retro_set_audio_sample_batch")(samples);
	CALL(void (*)(void *), "retro_set_input_poll")(poll);
	CALL(void (*)(void *), "retro_set_input_state")(input);
	CALL(void (*)(void), "retro_init")();
	struct game game = {.path = argv[2]};
	if (!CALL(bool (*)(const struct game *), "retro_load_game")(&game))
		return 3;
	for (int i = 0; i < atoi(argv[4]); i++)
		CALL(void (*)(void), "retro_run")();
	size_t size = CALL(size_t (*)(void), "retro_serialize_size")();
	char *state = calloc(1, size);
	if (!CALL(bool (*)(void *, size_t), "retro_serialize")(state, size))
		return 4;
	/* A state is 32 bytes, then chunks: a number, a length, the contents. Chunk 4 is memories, each a tag of
	   four letters, the size of a cell, the number of cells, the cells. Main memory is the third. */
	size_t at = 32;
	uint32_t word[3];
	for (;; at += 8 + word[1]) {
		if (at + 8 > size)
			return 5;
		memcpy(word, state + at, 8);
		if (word[0] == 4)
			break;
	}
	at += 8;
	for (int i = 0; i < 2; i++) {
		memcpy(word, state + at, 12);
		at += 12 + (size_t)word[1] * word[2];
	}
	FILE *out = fopen(argv[5], "w");
	fwrite(state + at + 12, 1, 4 << 20, out);
	fclose(out);
	_Exit(0);
}
C
gcc -O1 -Wall -o host host.c -ldl
# A ROM of 32 KiB whose two processors stand in an endless loop: a header, and "b ." twice.
head -c 32768 /dev/zero >one.nds
at() { printf "$2" | dd of=one.nds bs=1 seek=$(($1)) conv=notrunc status=none; }
at 0x00 'LOOP'; at 0x0c 'LOOP00'
at 0x20 '\000\002\000\000\000\000\000\002\000\000\000\002\004\000\000\000' # ARM9: at 0x200, entry and address 0x02000000, 4 bytes
at 0x30 '\000\004\000\000\000\000\070\002\000\000\070\002\004\000\000\000' # ARM7: at 0x400, 0x02380000
at 0x80 '\000\010\000\000'; at 0x84 '\000\002\000\000'
at 0x200 '\376\377\377\352'; at 0x400 '\376\377\377\352'

play() { ./host "$core" "$dir/$1" "$dir/$2" 60 "$3" >/dev/null; }
mkdir a b c
cp one.nds two.nds
cp one.nds c/one.nds
play one.nds a a.ram
play two.nds b b.ram
play c/one.nds c c.ram
cmp -l a.ram b.ram >differs || true
{
	printf 'one.nds and a copy two.nds: main memory differs in %d bytes, from 0x%08x to 0x%08x\n' "$(wc -l <differs)" \
		$((0x02000000 - 1 + $(awk 'NR == 1 { print $1 }' differs))) $((0x02000000 - 1 + $(awk '{ at = $1 } END { print at }' differs)))
	cmp -s a.ram c.ram && echo "one.nds and a copy one.nds in another folder: main memory is equal"
} | tee seen
[ "$(tail -c +$((0x3e0000 + 1)) b.ram | head -c 12)" = fat:/two.nds ] && [ "$(wc -l <seen)" = 2 ] && [ "$(wc -l <differs)" = 3 ] || {
	echo "changed: main memory no longer holds the name of the ROM's file, or more than that" >&2
	exit 1
}
