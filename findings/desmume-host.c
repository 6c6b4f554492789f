/* Plays a ROM on DeSmuME, for the scripts beside it. */
#include "libretro.h"

static const char *folder;

static int frame, lines, shutdowns; /* lines of the log since frame 30 */

static void say(int level, const char *format, ...)
{
	(void)level, (void)format, lines += frame >= 30;
}

static bool environment(unsigned command, void *data)
{
	switch (command) {
	case 7: /* SHUTDOWN */
		shutdowns++;
		return true;
	case 10: /* SET_PIXEL_FORMAT */
		return true;
	case 9:  /* GET_SYSTEM_DIRECTORY */
	case 31: /* GET_SAVE_DIRECTORY */
		*(const char **)data = folder;
		return true;
	case 27: /* GET_LOG_INTERFACE */
		*(void (**)(int, const char *, ...))data = say;
		return true;
	case 15: { /* GET_VARIABLE */
		struct variable *v = data;
		const char *cpu = getenv("CPU");
		v->value = !strcmp(v->key, "desmume_cpu_mode")    ? (cpu ? cpu : "interpreter")
		           : !strcmp(v->key, "desmume_num_cores") ? "1"
		                                                  : NULL;
		return v->value != NULL;
	}
	}
	return false;
}
static void video(const void *p, unsigned w, unsigned h, size_t pitch)
{
	(void)p, (void)w, (void)h, (void)pitch;
}
static void poll(void) {}

/* set_cheats gives the core the codes of a file: in each line 0 or 1, for off or on, and the code. */
static void set_cheats(void (*set)(unsigned, bool, const char *), const char *path)
{
	FILE *in = fopen(path, "r");
	char code[1000];
	int on;
	for (unsigned i = 0; in && fscanf(in, "%d %999s", &on, code) == 2; i++)
		set(i, on, code);
}

static bool load(const void *state, size_t size)
{
	return CALL(bool (*)(const void *, size_t), "retro_unserialize")(state, size);
}

/* host CORE ROM FOLDER FRAMES MEMORY [CHEATS]: plays the ROM, writes the main memory that its state holds, and into the file
   "heard" what the core told. The variable CPU chooses another CPU than the interpreter. With STATE the console loads, at
   that frame, a state that it has just saved; with KEEP, too, it goes on, and the state is in that file. FROM has it begin with
   the state of a file. HOLD is a button of the joypad that is held down. */
int main(int argc, char **argv)
{
	if (argc != 6 && argc != 7)
		return 2;
	folder = argv[3];
	start(argv[1], &(struct game){.path = argv[2]});
	if (argc == 7)
		set_cheats(CALL(void (*)(unsigned, bool, const char *), "retro_cheat_set"), argv[6]);
	size_t size = CALL(size_t(*)(void), "retro_serialize_size")();
	char *state = calloc(1, size);
	const char *at = getenv("STATE"), *keep = getenv("KEEP"), *from = getenv("FROM"), *hold = getenv("HOLD");
	held = hold ? atoi(hold) : held;
	FILE *file = from ? fopen(from, "r") : NULL;
	if (from && (file == NULL || fread(state, 1, size, file) != size || !load(state, size)))
		return 7;
	for (; frame < atoi(argv[4]); frame++) {
		if (at && frame == atoi(at) && !CALL(bool (*)(void *, size_t), "retro_serialize")(state, size))
			return 6;
		if (at && frame == atoi(at) && keep && ((file = fopen(keep, "w")) == NULL || fwrite(state, 1, size, file) != size || fclose(file)))
			return 6;
		if (at && frame == atoi(at) && !keep && !load(state, size))
			return 6;
		CALL(void (*)(void), "retro_run")();
	}
	if (!CALL(bool (*)(void *, size_t), "retro_serialize")(state, size))
		return 4;
	/* A state is 32 bytes, then chunks: a number, a length, the contents. Chunk 4 is memories, each a tag of
	   four letters, the size of a cell, the number of cells, the cells. Main memory is the third. */
	size_t chunk = 32;
	uint32_t word[3];
	for (;; chunk += 8 + word[1]) {
		if (chunk + 8 > size)
			return 5;
		memcpy(word, state + chunk, 8);
		if (word[0] == 4)
			break;
	}
	chunk += 8;
	for (int i = 0; i < 2; i++) {
		memcpy(word, state + chunk, 12);
		chunk += 12 + (size_t)word[1] * word[2];
	}
	FILE *out = fopen(argv[5], "w");
	fwrite(state + chunk + 12, 1, 4 << 20, out);
	fclose(out);
	out = fopen("heard", "w");
	fprintf(out, "calls for a shutdown: %d, lines of the log since frame 30: %d\n", shutdowns, lines);
	fclose(out);
	_Exit(0);
}
