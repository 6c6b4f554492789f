// The two functions that the compiler calls by itself.
#include "nds.h"

void *memset(void *to, int value, size_t n) {
	u8 *p = to;
	while (n--) *p++ = (u8)value;
	return to;
}

void *memcpy(void *to, const void *from, size_t n) {
	u8 *p = to;
	const u8 *q = from;
	while (n--) *p++ = *q++;
	return to;
}
