// The machine: the CPU and what happens in a frame.
#ifndef TESTCORE_MACHINE_H
#define TESTCORE_MACHINE_H

#include "console.h"

// machine_power_on makes a console that was just switched on. content need only
// live until it returns; sram is left alone.
void machine_power_on(const uint8_t *content, size_t size, const char *name, const struct firmware *fw);
// machine_frame runs one frame.
void machine_frame(const struct input *in);
// machine_retime works out the waitstates again.
void machine_retime(void);

#endif
