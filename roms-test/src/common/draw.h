// Drawing for the ARM9: two bitmap screens of 256x192 pixels in VRAM, text, scaled
// text, a few shapes, and the barcode.
#ifndef DRAW_H
#define DRAW_H

#include "nds.h"

typedef u16 colour; // 5 bits each of red, green, blue; bit 15 makes it opaque

#define RGB(r, g, b) ((colour)((r) | (g) << 5 | (b) << 10 | 0x8000))

#define WIDTH 256
#define HEIGHT 192
#define COLUMNS 32

#define TOP ((colour *)0x06800000)    // VRAM A, shown as it is
#define BOTTOM ((colour *)0x06200000) // VRAM C, background 3 of engine B

// The look that all ROMs share.
#define NIGHT RGB(2, 3, 5)
#define PANEL RGB(4, 5, 8)
#define EDGE RGB(8, 10, 14)
#define DIM RGB(15, 17, 21)
#define TEXT RGB(29, 30, 31)
#define GOOD RGB(10, 27, 14)
#define BAD RGB(31, 8, 8)

void screens_on(int top_is_bitmap); // else engine A is left to the caller
colour accent_of(u8 firmware_colour);
colour blend(colour a, colour b, int n, int of); // n/of of the way from a to b

void fill(colour *screen, int x, int y, int w, int h, colour c);
void panel(colour *screen, int x, int y, int w, int h, int radius, colour c);
void disc(colour *screen, int cx, int cy, int radius, colour c);

// text draws in cells of 8x8 pixels, in columns of 8 pixels and at any height, and
// remembers what it drew, so that drawing the same again is cheap: the lines of a
// screen must be at least 8 pixels apart. It ends at the screen's right edge.
// Tests find and read such text (text.go), and no other.
void text(colour *screen, int column, int y, const char *s, colour fg, colour bg);
// forget must follow whatever draws over such text.
void forget(colour *screen);
// letters draws anywhere, without a background.
void letters(colour *screen, int x, int y, const char *s, colour c);
// large draws letters of twice or three times the size with smoothed edges; x is even.
void large(colour *screen, int x, int y, int scale, const char *s, colour fg, colour bg);

// barcode draws 32 bits in the last rows of the bottom screen; the layout is
// drawn in barcode.go.
void barcode(u32 value);

// Writing numbers: each returns the end of what it wrote, and terminates it.
char *put_text(char *to, const char *s);
char *put_hex(char *to, u32 value, int digits);
char *put_dec(char *to, u32 value, int digits); // with leading zeros

#endif
