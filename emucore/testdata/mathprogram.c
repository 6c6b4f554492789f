/* Prints math_sum as the processor has it that GLIBC_TUNABLES pretends. */
#include <stdio.h>

#include "math.h"

int main(void)
{
	printf("%016llx\n", (unsigned long long)math_sum());
}
