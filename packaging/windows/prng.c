/*
 * bcryptprimitives.dll for Wine 8, which lacks it: the one function that Go's runtime takes from there. It is for
 * tests; on Windows it is a part of the system.
 */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID to, ULONG n); /* RtlGenRandom, of advapi32 */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T n)
{
	return SystemFunction036(to, (ULONG)n);
}
