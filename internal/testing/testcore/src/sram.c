#include "sram.h"

#include <stdio.h>
#include <string.h>

#include "frontend.h"
#include "options.h"

#define FOOTER "testcore save 1\n"
#define RECORD 16u // bytes: a counter and the hash

static FILE *file;

static void read_file(const char *name) {
	char path[4096], footer[sizeof FOOTER] = "";
	const char *dir = frontend_save_directory();
	snprintf(path, sizeof path, "%s/%s.tcs", dir ? dir : ".", name);
	file = fopen(path, "r+b");
	if (!file) {
		file = fopen(path, "w+b");
		return;
	}
	bool whole = fread(sram, 1, sram_size, file) == sram_size &&
	             fread(footer, 1, sizeof FOOTER - 1, file) == sizeof FOOTER - 1 &&
	             !strcmp(footer, FOOTER);
	if (!whole) memset(sram, 0xFF, sram_size);
}

static void write_file(void) {
	if (!file) return;
	rewind(file);
	fwrite(sram, 1, sram_size, file);
	fwrite(FOOTER, 1, sizeof FOOTER - 1, file);
	fflush(file);
}

void sram_open(const char *content_name) {
	int64_t kb = option_number(OPT_sram_kb);
	sram_size = kb > 0 && (uint64_t)kb << 10 <= SRAM_MAX ? (size_t)kb << 10 : 0;
	if (option_is(OPT_sram, "none")) sram_size = 0;
	memset(sram, 0xFF, sizeof sram);
	if (option_is(OPT_sram, "file") && sram_size) read_file(content_name);
}

void sram_close(void) {
	if (file) fclose(file);
	file = NULL;
}

void sram_see(void) { mix_bytes(sram, sram_size); }

void sram_record(struct machine *m) {
	if (sram_size < 2 * RECORD) return;
	uint32_t count;
	memcpy(&count, sram, 4);
	count = count == 0xFFFFFFFFu ? 1 : count + 1;
	memcpy(sram, &count, 4);
	uint8_t *at = sram + RECORD + count % (sram_size / RECORD - 1) * RECORD;
	memcpy(at, &count, 4);
	memcpy(at + 8, &m->hash, 8);
	m->saves++;
	mix_bytes(at, RECORD);
	write_file();
}
