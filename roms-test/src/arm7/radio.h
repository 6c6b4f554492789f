// The radio as the ARM7 program uses it. Built without RADIO there is none, and
// nothing of this leaves a trace in the program.
#ifndef RADIO_H
#define RADIO_H

#include "arm7.h"

#ifdef RADIO

void radio_start(void); // once, before the ARM9 is told that the mailbox is valid
void radio_serve(void); // after each wake from a halt: takes in what has happened
void radio_frame(void); // once a frame, after its sample and its check: what is to be sent

#define IRQ_TIMER0 (1u << 3)
#define IRQ_WIFI (1u << 24)
#define RADIO_IRQS (IRQ_WIFI | IRQ_TIMER0)

#else

static inline void radio_start(void) {}
static inline void radio_serve(void) {}
static inline void radio_frame(void) {}

#define RADIO_IRQS 0

#endif

#endif
