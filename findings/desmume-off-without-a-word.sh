#!/bin/sh
# DeSmuME: a game that switches its console off stands still for ever, and nobody is told.
#
# Package:  libretro-desmume 0.9.11+git20160819+dfsg1-2 (Debian 12).
# Guess:    when a game sets the bit "system off" of the power management chip, the core asks the frontend to shut down
#           (RETRO_ENVIRONMENT_SHUTDOWN), as melonDS DS does; or it says so in its log; or it does not know that
#           bit, and both processors run on.
# Seen:     none of these. Both processors stand at once, retro_run goes on giving frames, and neither the log nor the
#           environment hears of it. A frontend learns of it from a state alone. (At the start the log has one line
#           about ROMs that are read from disk, which is there for any homebrew.)
# Output:   frames  30: the ARM9 counts, the ARM7 has switched the console off
#           frames  60: the ARM9 stands, calls for a shutdown: 0, lines of the log since frame 30: 0
#           frames 240: the ARM9 stands, calls for a shutdown: 0, lines of the log since frame 30: 0
#
# Needs what arm-none-eabi-as needs (apt-get install binutils-arm-none-eabi brings it).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -q libretro-desmume=0.9.11+git20160819+dfsg1-2 >/dev/null 2>&1
dpkg -x libretro-desmume_*.deb root
# The libraries that the core needs are Debian's, installed or not.
core=$dir/$(find root -name desmume_libretro.so)
for package in libpcap0.8 libtinyxml2.6.2v5 binutils-arm-none-eabi=2.40-2+18+b1; do
	apt-get download -q "$package" >/dev/null 2>&1
	dpkg -x "${package%%=*}"_*.deb root
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

static int frame, lines, shutdowns; /* lines of the log since frame 30 */

static void say(int level, const char *format, ...) { (void)level, (void)format, lines += frame >= 30; }

static bool environment(unsigned command, void *data)
{
	switch (command) {
	case 7: /* SHUTDOWN */
		shutdowns++;
		return true;
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
	for (; frame < atoi(argv[4]); frame++)
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
	out = fopen("heard", "w");
	fprintf(out, "calls for a shutdown: %d, lines of the log since frame 30: %d\n", shutdowns, lines);
	fclose(out);
	_Exit(0);
}
C
gcc -O1 -Wall -o host host.c -ldl
# A ROM whose ARM9 counts in main memory, and whose ARM7 sets register 0 of the power management chip to 0x40, by
# SPI, after a while, and would count beside it.
cat >arm9.s <<'S'
	mov r0, #0x02000000
	add r0, r0, #0x1000
	mov r1, #0
count:	add r1, r1, #1
	str r1, [r0]
	b count
S
cat >arm7.s <<'S'
	mov r1, #0x100000
wait:	subs r1, r1, #1
	bne wait
	mov r0, #0x04000000
	add r0, r0, #0x1c0
	ldr r1, =0x8802 @ SPI on, device 0, which stays selected
	strh r1, [r0]
	mov r1, #0 @ register 0
	strh r1, [r0, #2]
busy:	ldrh r1, [r0]
	tst r1, #0x80
	bne busy
	ldr r1, =0x8002
	strh r1, [r0]
	mov r1, #0x40 @ system off
	strh r1, [r0, #2]
	mov r0, #0x02000000
	add r0, r0, #0x2000
	mov r1, #0
count:	add r1, r1, #1
	str r1, [r0]
	b count
S
tools=$(dirname "$(find root -name arm-none-eabi-as -path '*bin*' | head -n 1)")
head -c 32768 /dev/zero >off.nds
at() { printf "$2" | dd of=off.nds bs=1 seek=$(($1)) conv=notrunc status=none; }
at 0x00 'SOFF'; at 0x0c 'SOFF00'
at 0x20 '\000\002\000\000\000\000\000\002\000\000\000\002\100\000\000\000' # ARM9: at 0x200, entry and address 0x02000000
at 0x30 '\000\004\000\000\000\000\070\002\000\000\070\002\200\000\000\000' # ARM7: at 0x400, 0x02380000
at 0x80 '\000\010\000\000'; at 0x84 '\000\002\000\000'
for cpu in 9 7; do
	"$tools/arm-none-eabi-as" -o arm$cpu.o arm$cpu.s
	"$tools/arm-none-eabi-objcopy" -O binary arm$cpu.o arm$cpu.bin
done
dd if=arm9.bin of=off.nds bs=1 seek=512 conv=notrunc status=none
dd if=arm7.bin of=off.nds bs=1 seek=1024 conv=notrunc status=none

word() { od -An -tu4 -j $(($2)) -N4 "$1" | tr -d ' '; }
for frames in 2 30 60 240; do
	mkdir s
	./host "$core" "$dir/off.nds" "$dir/s" $frames ram$frames >/dev/null
	rm -r s
	mv heard heard$frames
done
{
	[ "$(word ram2 0x1000)" -gt 0 ] && [ "$(word ram30 0x1000)" -gt "$(word ram2 0x1000)" ] && [ "$(word ram30 0x2000)" = 0 ] &&
		echo "frames  30: the ARM9 counts, the ARM7 has switched the console off"
	for frames in 60 240; do
		[ "$(word ram$frames 0x1000)" = "$(word ram30 0x1000)" ] && [ "$(word ram$frames 0x2000)" = 0 ] &&
			printf 'frames %3d: the ARM9 stands, %s\n' $frames "$(cat heard$frames)"
	done
} | tee seen || true
[ "$(grep -c 'stands, calls for a shutdown: 0, lines of the log since frame 30: 0' seen)" = 2 ] && [ "$(wc -l <seen)" = 3 ] || {
	echo "changed: the processors run on, or somebody is told" >&2
	exit 1
}
