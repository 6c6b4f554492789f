// The 3D engine ("DS 3D Video"): each command has a port of its own, and the ports
// hold the processor up while the engine's queue is full.
#ifndef GX_H
#define GX_H

#include "nds.h"

#define DISP3DCNT REG16(0x04000060)
#define CLEAR_COLOUR REG32(0x04000350)
#define CLEAR_DEPTH REG16(0x04000354)
#define GXSTAT REG32(0x04000600)
#define RAM_COUNT REG32(0x04000604) // polygons in bits 0-11, vertices in bits 16-28

#define GX(command) REG32(0x04000400 + 4 * (command))

enum {
	MTX_MODE = 0x10,
	MTX_PUSH = 0x11,
	MTX_POP = 0x12,
	MTX_IDENTITY = 0x15,
	MTX_LOAD_4X4 = 0x16,
	MTX_MULT_3X3 = 0x1A,
	MTX_SCALE = 0x1B,
	MTX_TRANS = 0x1C,
	COLOUR = 0x20,
	NORMAL = 0x21,
	VTX_16 = 0x23,
	POLYGON_ATTR = 0x29,
	DIF_AMB = 0x30,
	SPE_EMI = 0x31,
	LIGHT_VECTOR = 0x32,
	LIGHT_COLOUR = 0x33,
	BEGIN_VTXS = 0x40,
	END_VTXS = 0x41,
	SWAP_BUFFERS = 0x50,
	VIEWPORT = 0x60,
};

enum { MODE_PROJECTION, MODE_POSITION, MODE_BOTH };
enum { TRIANGLES, QUADS, TRIANGLE_STRIP };

#define ONE 4096 // 1.0 of all coordinates and matrices

// sine and cosine of a whole turn of 256, in units of ONE.
void gx_start(void);
s32 sine(int turn);
s32 cosine(int turn);

void gx_rotate_x(int turn);
void gx_rotate_y(int turn);
void gx_rotate_z(int turn);
void gx_move(s32 x, s32 y, s32 z);
void gx_scale(s32 by);
void gx_vertex(s32 x, s32 y, s32 z); // each within -8..8
u32 gx_normal(s32 x, s32 y, s32 z);  // packed for NORMAL and LIGHT_VECTOR
void gx_material(u16 diffuse, u16 ambient, u16 specular, u16 emission);
u32 gx_finish(void); // waits for the engine; what RAM_COUNT says; then swaps

#endif
