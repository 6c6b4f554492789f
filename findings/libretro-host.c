/* Plays a game on a libretro core as the arguments say, for the scripts beside it. */
#include "libretro.h"
#include <unistd.h>

struct av {
	unsigned width, height, max_width, max_height;
	float aspect;
	double fps, rate;
};

static struct variable options[100]; /* what the core has declared, with the first value of each */
static unsigned polls;

static void say(int level, const char *format, ...)
{
	(void)level, (void)format;
}

/* declare notes an option that is declared as "Title; first|second". */
static void declare(struct variable *option, const struct variable *declared)
{
	const char *first = strstr(declared->value, "; ") + 2;
	option->key = strdup(declared->key);
	option->value = strndup(first, strcspn(first, "|"));
}

static bool environment(unsigned command, void *data)
{
	switch (command) {
	case 9:  /* GET_SYSTEM_DIRECTORY */
	case 31: /* GET_SAVE_DIRECTORY */
		*(const char **)data = "folder";
		return true;
	case 3: /* GET_CAN_DUPE */
		*(bool *)data = true;
		return true;
	case 10: /* SET_PIXEL_FORMAT */
		return true;
	case 15: { /* GET_VARIABLE */
		struct variable *v = data;
		v->value = NULL;
		for (struct variable *o = options; o->key != NULL; o++)
			if (!strcmp(o->key, v->key))
				v->value = o->value;
		return v->value != NULL;
	}
	case 16: { /* SET_VARIABLES */
		struct variable *v = data;
		for (int i = 0; i < 99 && v[i].key != NULL; i++)
			declare(options + i, v + i);
		return true;
	}
	case 27: /* GET_LOG_INTERFACE */
		*(void (**)(int, const char *, ...))data = say;
		return true;
	}
	return false;
}
static void video(const void *p, unsigned w, unsigned h, size_t pitch)
{
	(void)p, (void)w, (void)h, (void)pitch;
}
static void poll(void)
{
	polls++;
}

static size_t read_file(const char *path, char **into)
{
	FILE *in = fopen(path, "rb");
	if (in == NULL)
		exit(2);
	fseek(in, 0, SEEK_END);
	size_t size = ftell(in);
	rewind(in);
	*into = malloc(size);
	if (fread(*into, 1, size, in) != size)
		exit(2);
	fclose(in);
	return size;
}

static void write_file(const char *path, const void *data, size_t size)
{
	FILE *out = fopen(path, "wb");
	if (out == NULL || fwrite(data, 1, size, out) != size || fclose(out))
		exit(2);
}

/* kind is which of the console's memories commands mean: 0 for the cartridge's save, 2 for main memory. */
static unsigned kind = 2;

static uint8_t *memory(void)
{
	return CALL(void *(*)(unsigned), "retro_get_memory_data")(kind);
}

static size_t length(void)
{
	return CALL(size_t(*)(unsigned), "retro_get_memory_size")(kind);
}

/* host CORE GAME COMMAND...: "run FRAMES", "reset", "save FILE", "load FILE" write or read the state, "ram FILE" writes the memory;
   "size" says how long a state is by the core; "fits SIZE" whether it saves one into so many bytes; "polls" how often it has asked for
   input to be polled; "sound" how many frames of sound it has given since the last time; "rate" those that it has declared to give in
   a frame. "memory KIND" chooses a memory; "byte AT" says what is there, "poke AT BYTE" changes it, "length" says how
   long it is. "device PORT KIND" plugs a device in, 1 is a joypad; "hold BUTTON" holds a button of the first joypad down. "cheat
   INDEX ON CODE" sets a cheat, "nocheats" takes all away. "again" unloads the game and loads it; "anew" ends the core and begins it
   in between. */
int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	FILE *said = fdopen(dup(1), "w"); /* standard output is the core's, who prints what it likes */
	if (said == NULL || freopen("/dev/null", "w", stdout) == NULL)
		return 2;
	char *rom, *state;
	struct game game = {.path = argv[2], .size = read_file(argv[2], &rom)};
	game.data = rom;
	start(argv[1], &game);
	for (int i = 3; i < argc; i++) {
		const char *command = argv[i];
		size_t size = CALL(size_t(*)(void), "retro_serialize_size")();
		if (!strcmp(command, "run")) {
			for (int n = atoi(argv[++i]); n > 0; n--)
				CALL(void (*)(void), "retro_run")();
		} else if (!strcmp(command, "reset")) {
			CALL(void (*)(void), "retro_reset")();
		} else if (!strcmp(command, "size")) {
			fprintf(said, "%zu\n", size);
		} else if (!strcmp(command, "fits")) {
			size = atoi(argv[++i]);
			state = calloc(1, size);
			fprintf(said, "%s\n", CALL(bool (*)(void *, size_t), "retro_serialize")(state, size) ? "saved" : "refused");
		} else if (!strcmp(command, "save")) {
			state = calloc(1, size);
			if (!CALL(bool (*)(void *, size_t), "retro_serialize")(state, size))
				return 4;
			write_file(argv[++i], state, size);
		} else if (!strcmp(command, "load")) {
			size = read_file(argv[++i], &state);
			if (!CALL(bool (*)(const void *, size_t), "retro_unserialize")(state, size))
				return 5;
		} else if (!strcmp(command, "byte")) {
			fprintf(said, "%u\n", memory()[atoi(argv[++i])]);
		} else if (!strcmp(command, "poke")) {
			int at = atoi(argv[++i]);
			memory()[at] = atoi(argv[++i]);
		} else if (!strcmp(command, "length")) {
			fprintf(said, "%zu\n", length());
		} else if (!strcmp(command, "memory")) {
			kind = atoi(argv[++i]);
		} else if (!strcmp(command, "device")) {
			int port = atoi(argv[++i]);
			CALL(void (*)(unsigned, unsigned), "retro_set_controller_port_device")(port, atoi(argv[++i]));
		} else if (!strcmp(command, "cheat")) {
			int index = atoi(argv[++i]), on = atoi(argv[++i]);
			CALL(void (*)(unsigned, bool, const char *), "retro_cheat_set")(index, on, argv[++i]);
		} else if (!strcmp(command, "nocheats")) {
			CALL(void (*)(void), "retro_cheat_reset")();
		} else if (!strcmp(command, "hold")) {
			held = atoi(argv[++i]);
		} else if (!strcmp(command, "ram")) {
			write_file(argv[++i], memory(), length());
		} else if (!strcmp(command, "again") || !strcmp(command, "anew")) {
			CALL(void (*)(void), "retro_unload_game")();
			if (!strcmp(command, "anew")) {
				CALL(void (*)(void), "retro_deinit")();
				begin(&game);
			} else if (!CALL(bool (*)(const struct game *), "retro_load_game")(&game)) {
				return 3;
			}
		} else if (!strcmp(command, "polls")) {
			fprintf(said, "%u\n", polls);
		} else if (!strcmp(command, "sound")) {
			fprintf(said, "%lu\n", sounded);
			sounded = 0;
		} else if (!strcmp(command, "rate")) {
			struct av av;
			CALL(void (*)(struct av *), "retro_get_system_av_info")(&av);
			fprintf(said, "%.5f\n", av.rate / av.fps);
		} else {
			return 2;
		}
	}
	fflush(said);
	_Exit(0);
}
