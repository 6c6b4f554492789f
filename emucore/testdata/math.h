/* A number that depends on the last bits of what libc's mathematics gives, for
 * the world core and for mathprogram.c. */
#include <math.h>
#include <stdint.h>
#include <string.h>

static uint64_t math_sum(void)
{
	uint64_t sum = 0, bits;
	volatile double x = 0.001; /* or the compiler calculates */

	for (int i = 0; i < 20000; i++, x += 0.137) {
		double at = x;
		double all[] = {sin(at), cos(at),      tan(at),         atan2(at, 3.1),         exp(at / 200),
		                log(at), pow(at, 1.7), sinf((float)at), expf((float)(at / 200))};

		for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
			memcpy(&bits, &all[k], sizeof bits);
			sum = sum * 1099511628211u ^ bits;
		}
	}
	return sum;
}
