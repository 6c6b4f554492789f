// Parts that the screens of the ROMs with a radio have in common (ARM9).
#ifndef LOOK_H
#define LOOK_H

#include "frame.h"
#include "view.h"

void headline(const char *name);                          // the top screen's title bar
colour colour_of(int player);                             // 0 to 15, easy to tell apart
void no_radio(void);                                      // the bottom screen says so, large
const char *name_text(char *to, volatile const u8 *name); // of 11 bytes, filled with spaces

// The mailbox as it stands in this frame.
struct view take_view(volatile const struct view *from);

#endif
