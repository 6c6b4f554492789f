// Between the console and the libretro side: input, picture and sound.
#ifndef TESTCORE_CORE_H
#define TESTCORE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../../emucore/libretro.h"

// input.c
struct input;
void input_read(struct input *in, retro_input_state_t state, bool bitmasks);

// show.c: the picture and the sound of the frame just run, made from the state.
void show_picture(retro_video_refresh_t video, enum retro_pixel_format format);
void show_sound(retro_audio_sample_batch_t batch, retro_audio_sample_t sample);
void show_av_info(struct retro_system_av_info *av);

// screen.c: the picture in XRGB8888, SCREEN_W by SCREEN_H, valid until the next
// call.
const uint32_t *screen_draw(void);

#endif
