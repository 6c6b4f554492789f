// The interfaces between the parts of the ARM7 program.
#ifndef ARM7_H
#define ARM7_H

#include "shared.h"

// spi.c: touch screen, microphone, firmware flash, power management.
void mic_on(void);
void power_off(void); // this console; in ROMs with a switch
u8 mic_sample(void);
u16 touch_measure(u8 command); // TOUCH_X or TOUCH_Y, 12 bits
void firmware_read(u32 address, u8 *to, u32 n);

#define TOUCH_X 0xD1
#define TOUCH_Y 0x91

// rtc.c: the clock: years since 2000, month, day, weekday, hour (0-23), minute, second.
void rtc_read(u8 to[7]);

#endif
