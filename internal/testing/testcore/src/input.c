#include "console.h"
#include "core.h"

// Our key of each libretro button. R2 and R3 have none: a frontend that
// presses them, or anything of another device or player, is found out.
static const uint16_t keys[16] = {
	[RETRO_DEVICE_ID_JOYPAD_B] = KEY_B,           [RETRO_DEVICE_ID_JOYPAD_Y] = KEY_Y,
	[RETRO_DEVICE_ID_JOYPAD_SELECT] = KEY_SELECT, [RETRO_DEVICE_ID_JOYPAD_START] = KEY_START,
	[RETRO_DEVICE_ID_JOYPAD_UP] = KEY_UP,         [RETRO_DEVICE_ID_JOYPAD_DOWN] = KEY_DOWN,
	[RETRO_DEVICE_ID_JOYPAD_LEFT] = KEY_LEFT,     [RETRO_DEVICE_ID_JOYPAD_RIGHT] = KEY_RIGHT,
	[RETRO_DEVICE_ID_JOYPAD_A] = KEY_A,           [RETRO_DEVICE_ID_JOYPAD_X] = KEY_X,
	[RETRO_DEVICE_ID_JOYPAD_L] = KEY_L,           [RETRO_DEVICE_ID_JOYPAD_R] = KEY_R,
	[RETRO_DEVICE_ID_JOYPAD_L2] = KEY_MIC,        [RETRO_DEVICE_ID_JOYPAD_L3] = KEY_LID,
};

// Devices that no DS has: mouse, keyboard, light gun, analog stick.
static const unsigned foreign[] = {2, 3, 4, 5};

static uint32_t stray_input(retro_input_state_t state, uint32_t pressed) {
	uint32_t stray = pressed & (1u << RETRO_DEVICE_ID_JOYPAD_R2 | 1u << RETRO_DEVICE_ID_JOYPAD_R3);
	for (unsigned i = 0; i < sizeof foreign / sizeof *foreign; i++)
		for (unsigned id = 0; id < 4; id++)
			if (state(0, foreign[i], 0, id)) stray |= 0x10000u << i;
	if (state(1, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_A)) stray |= 1u << 24;
	if (state(0, RETRO_DEVICE_POINTER, 1, RETRO_DEVICE_ID_POINTER_PRESSED)) stray |= 1u << 25;
	return stray;
}

// pixel is the reverse of the middle of a pixel in -0x7fff..0x7fff.
static int pixel(int16_t v, int size) { return ((int)v + 32768) * size / 65536; }

static void read_stylus(struct input *in, retro_input_state_t state) {
	if (!state(0, RETRO_DEVICE_POINTER, 0, RETRO_DEVICE_ID_POINTER_PRESSED)) return;
	int x = pixel(state(0, RETRO_DEVICE_POINTER, 0, RETRO_DEVICE_ID_POINTER_X), SCREEN_W);
	int y = pixel(state(0, RETRO_DEVICE_POINTER, 0, RETRO_DEVICE_ID_POINTER_Y), SCREEN_H);
	y -= SCREEN_H / 2;
	if (y < 0) return; // the top screen feels nothing
	in->keys |= KEY_TOUCH;
	in->x = (uint8_t)x;
	in->y = (uint8_t)y;
}

void input_read(struct input *in, retro_input_state_t state, bool bitmasks) {
	uint32_t pressed = 0;
	*in = (struct input){0};
	if (bitmasks)
		pressed = (uint16_t)state(0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_MASK);
	else
		for (unsigned id = 0; id < 16; id++)
			if (state(0, RETRO_DEVICE_JOYPAD, 0, id)) pressed |= 1u << id;
	for (unsigned id = 0; id < 16; id++)
		if (pressed & 1u << id) in->keys |= keys[id];
	read_stylus(in, state);
	in->stray = stray_input(state, pressed);
}
