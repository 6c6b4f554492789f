/*
 * How a core comes to see the virtual clock and cleared memory: its table of imports is changed
 * before its first instruction runs, and so are those of all libraries that it brings or asks for.
 * The system's own libraries, which were there before, keep theirs.
 *
 * GetProcAddress is answered alike. A clock that no table shows (rdtsc, the page at 7FFE0000) stays
 * as it is; the hashes of machines tell of a core that looks at one.
 */
#include <string.h>

#include "worker_parts.h"
#include "worker_windows.h"

static int seen;

int np_imports_seen(void)
{
	return seen;
}

/* shown is what a library gets under a name, NULL for what it would get anyway. */
static void *shown(const char *from, const char *name, void *real);

static FARPROC WINAPI shown_address(HMODULE library, const char *name)
{
	FARPROC real = GetProcAddress(library, name);
	char path[MAX_PATH], *base;
	void *r, *p;

	if (!real || (uintptr_t)name < 0x10000) /* an ordinal */
		return real;
	if (!GetModuleFileNameA(library, path, sizeof path))
		return real;
	base = strrchr(path, '\\');
	memcpy(&r, &real, sizeof r);
	p = shown(base ? base + 1 : path, name, r);
	if (p)
		memcpy(&real, &p, sizeof real);
	return real;
}

static void *shown(const char *from, const char *name, void *real)
{
	if (strcmp(name, "GetProcAddress") == 0)
		return (void *)shown_address;
	for (const struct np_shown *s = np_shown_clock; s->name; s++)
		if (strcmp(name, s->name) == 0)
			return s->at;
	return np_shown_heap(from, name, real);
}

static void patch(const char *from, const char *name, void **at)
{
	void *to = shown(from, name, *at);
	DWORD before;

	if (!to)
		return;
	if (!VirtualProtect(at, sizeof *at, PAGE_READWRITE, &before))
		np_die("worker: show %s: %s", name, np_sys_error());
	*at = to;
	VirtualProtect(at, sizeof *at, before, &before);
}

/* patch_all goes through the table of imports of a library that has been mapped. */
static void patch_all(char *base)
{
	const IMAGE_NT_HEADERS *nt = (void *)(base + ((IMAGE_DOS_HEADER *)base)->e_lfanew);
	const IMAGE_DATA_DIRECTORY *d = &nt->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
	const IMAGE_IMPORT_DESCRIPTOR *from = (void *)(base + d->VirtualAddress);

	if (!d->VirtualAddress)
		return;
	for (; from->Name; from++) {
		const IMAGE_THUNK_DATA *name = (void *)(base + from->OriginalFirstThunk);
		void **at = (void *)(base + from->FirstThunk);

		if (!from->OriginalFirstThunk)
			np_die("worker: the core's imports have no names any more");
		for (; name->u1.AddressOfData; name++, at++)
			if (!IMAGE_SNAP_BY_ORDINAL(name->u1.Ordinal))
				patch(base + from->Name,
				      ((IMAGE_IMPORT_BY_NAME *)(base + name->u1.AddressOfData))->Name, at);
	}
}

/* Of ntdll: a call for each library, after its imports are known and before its first
 * instruction runs, so that not even a constructor sees the real time. */
struct text {
	USHORT length, room;
	WCHAR *at;
};
struct loaded {
	ULONG flags;
	const struct text *full, *name;
	void *base;
	ULONG size;
};
typedef LONG(NTAPI *watch_fn)(ULONG, void(CALLBACK *)(ULONG, const struct loaded *, void *), void *, void **);

/* of_system says whether a library is the system's: those keep their imports, for what they do with the time
 * and with memory is what the rest of this process relies on. */
static int of_system(const struct loaded *l)
{
	WCHAR dir[MAX_PATH];
	UINT n = GetSystemDirectoryW(dir, MAX_PATH);

	return n && n < MAX_PATH && l->full->length / 2u > n && l->full->at[n] == L'\\' &&
	       CompareStringOrdinal(l->full->at, (int)n, dir, (int)n, TRUE) == CSTR_EQUAL;
}

static void CALLBACK on_library(ULONG reason, const struct loaded *l, void *context)
{
	(void)context;
	if (reason != 1 || of_system(l)) /* 1: loaded */
		return;
	seen++;
	patch_all(l->base);
}

void np_imports_watch(void)
{
	FARPROC f = GetProcAddress(GetModuleHandleA("ntdll.dll"), "LdrRegisterDllNotification");
	watch_fn watch;
	void *cookie;

	memcpy(&watch, &f, sizeof watch);
	if (!f || watch(0, on_library, NULL, &cookie))
		np_die("worker: no notice of libraries");
}
