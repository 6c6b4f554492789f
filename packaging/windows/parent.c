/*
 * The parent of the spike: spike.exe CORE.dll SCRIPT ROM. A script, as emucore's
 * TestWindowsSpike writes it, is a struct np_setup and one struct np_request for each frame. For
 * each frame it prints the hash of the picture and of main memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../emucore/libretro.h"
#include "spike.h"

static HANDLE handles[SPIKE_HANDLES];
static char *memory;
static PROCESS_INFORMATION worker;

static void fail(const char *what)
{
	fprintf(stderr, "spike: %s: error %lu\n", what, GetLastError());
	exit(1);
}

/* make_line makes what the worker inherits; nothing of it has a name. */
static void make_line(const char *rom)
{
	SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
	HANDLE f = CreateFileA(rom, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);

	if (f == INVALID_HANDLE_VALUE)
		fail("open the ROM");
	handles[SPIKE_ROM] = CreateFileMappingA(f, &inherited, PAGE_READONLY, 0, 0, NULL);
	handles[SPIKE_MEMORY] =
		CreateFileMappingA(INVALID_HANDLE_VALUE, &inherited, PAGE_READWRITE, 0, SPIKE_SIZE, NULL);
	handles[SPIKE_ASK] = CreateEventA(&inherited, FALSE, FALSE, NULL);
	handles[SPIKE_ANSWER] = CreateEventA(&inherited, FALSE, FALSE, NULL);
	for (int i = 0; i < SPIKE_HANDLES; i++)
		if (!handles[i])
			fail("make what the worker inherits");
	memory = MapViewOfFile(handles[SPIKE_MEMORY], FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, SPIKE_SIZE);
	if (!memory)
		fail("map shared memory");
}

/* make_job makes a job in which there is room for one process, which ends with its parent. */
static HANDLE make_job(void)
{
	HANDLE job = CreateJobObjectA(NULL, NULL);
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};

	limits.BasicLimitInformation.LimitFlags =
		JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_ACTIVE_PROCESS | JOB_OBJECT_LIMIT_PROCESS_MEMORY;
	limits.BasicLimitInformation.ActiveProcessLimit = 1;
	limits.ProcessMemoryLimit = 1u << 30;
	if (!job || !SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits))
		fail("make a job");
	return job;
}

/* start starts this executable as a worker: it inherits the handles of the list and no other,
 * has an environment of its own, and runs nothing before it is in the job. */
static void start(void)
{
	STARTUPINFOEXA info = {.StartupInfo.cb = sizeof info};
	char self[MAX_PATH], command[128];
	SIZE_T size = 0;
	int n = snprintf(command, sizeof command, "%s", NP_WORKER_NAME);

	for (int i = 0; i < SPIKE_HANDLES; i++)
		n += snprintf(command + n, sizeof command - (size_t)n, " %llx",
		              (unsigned long long)(uintptr_t)handles[i]);
	GetModuleFileNameA(NULL, self, sizeof self);
	InitializeProcThreadAttributeList(NULL, 1, 0, &size);
	info.lpAttributeList = malloc(size);
	if (!info.lpAttributeList || !InitializeProcThreadAttributeList(info.lpAttributeList, 1, 0, &size) ||
	    !UpdateProcThreadAttribute(info.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles,
	                               sizeof handles, NULL, NULL))
		fail("list what the worker inherits");
	if (!CreateProcessA(self, command, NULL, NULL, TRUE, EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED,
	                    (char[]){"TZ=UTC\0"}, NULL, &info.StartupInfo, &worker))
		fail("start a worker");
	if (!AssignProcessToJobObject(make_job(), worker.hProcess))
		fail("put the worker into its job");
	ResumeThread(worker.hThread);
}

/* ask waits for the answer or for the worker's end, whichever comes first. */
static const struct np_reply *ask(const struct np_request *q)
{
	struct spike_line *line = (struct spike_line *)(memory + NP_SHARED_SIZE);
	const HANDLE either[] = {handles[SPIKE_ANSWER], worker.hProcess};

	line->request = *q;
	SetEvent(handles[SPIKE_ASK]);
	if (WaitForMultipleObjects(2, either, FALSE, INFINITE) != WAIT_OBJECT_0)
		fail("the worker is gone");
	if (line->reply.status != NP_OK) {
		fprintf(stderr, "spike: request %u: %.200s\n", q->op, memory + NP_OFF_WORDS);
		exit(1);
	}
	return &line->reply;
}

/* hash is FNV-1a. */
static unsigned long long hash(const void *data, size_t n)
{
	const unsigned char *p = data;
	uint64_t h = 14695981039346656037u;

	while (n--)
		h = (h ^ *p++) * 1099511628211u;
	return h;
}

static void frame(const struct np_request *q)
{
	struct np_request look = {.op = NP_OP_MEMORY, .regions = NP_REGION_RAM};
	const struct np_reply *r = ask(q);
	size_t video = (size_t)r->width * r->height * (r->format == RETRO_PIXEL_FORMAT_XRGB8888 ? 4 : 2);
	long long number = r->frame;
	uint64_t ram;

	if (video > NP_VIDEO_MAX)
		fail("a picture that is too large");
	ram = ask(&look)->size;
	if (ram > NP_BLOB_MAX)
		fail("memory that is too large");
	printf("%lld %016llx %016llx\n", number, hash(memory + NP_OFF_VIDEO, video),
	       hash(memory + NP_OFF_BLOB, (size_t)ram));
}

int main(int argc, char **argv)
{
	struct np_setup *setup;
	struct np_request q;
	FILE *script;

	if (argc != 4 || !(script = fopen(argv[2], "rb"))) {
		fprintf(stderr, "usage: spike.exe CORE.dll SCRIPT ROM\n");
		return 2;
	}
	make_line(argv[3]);
	setup = (struct np_setup *)(memory + NP_OFF_SETUP);
	if (fread(setup, sizeof *setup, 1, script) != 1)
		fail("read the script");
	if (!GetFullPathNameA(argv[1], sizeof setup->core_path, setup->core_path, NULL))
		fail("find the core");
	start();
	ask(&(struct np_request){.op = NP_OP_LOAD});
	while (fread(&q, sizeof q, 1, script) == 1)
		frame(&q);
	return 0;
}
