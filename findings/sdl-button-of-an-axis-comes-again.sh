#!/bin/sh
# SDL: a button that is mapped to an axis sends an event for each movement of it, and one mapped to a whole axis is down at rest.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1 (Debian 12).
# Guess:    SDL_CONTROLLERBUTTONDOWN comes when a button goes down, once, and UP when it goes up. A button mapped to an axis ("a:a2") is
#           down near an end of the axis, and not where the axis rests.
# Seen:     for each new value of the axis comes one event that says how the button is, also where it was so before, and UP for one that
#           was never down: a trigger drawn through gives dozens of DOWN, each of which looks like a press to a menu, and none is marked
#           as a repetition. Keep what is held, and look for changes. And a whole axis counts from its lowest value: where it rests in its
#           middle it is half of its way up, and its button is down from the first movement on. A mapping must name the half,
#           "+a2", unless the axis rests at its lower end.
#           nettplay keeps what is held, and its lesson names the half.
# Output:   a:+a0, the axis out and back by 200 values: 101 down, 99 up
#           a:h0.1, the hat up and in its corners:      1 down, 1 up
#           a:a0, the axis a little out, and at rest:   2 down, 0 up, held: 1
#
# Needs the libraries that SDL itself needs (apt-get install libsdl2-2.0-0 brings them). No display, no device.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >axis.c <<'C'
#include <SDL.h>
#include <stdio.h>

static int models; /* each pad is of a model of its own, so that no mapping is of another one */
static SDL_GameController *pad;
static SDL_Joystick *stick;
static int down, up, held;

static void open_pad(const char *buttons)
{
	SDL_VirtualJoystickDesc d = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION, .type = SDL_JOYSTICK_TYPE_GAMECONTROLLER,
		.naxes = 6, .nbuttons = 12, .nhats = 1, .vendor_id = 0x1111, .product_id = 0x2222 + models++, .name = "A pad"};
	int at = SDL_JoystickAttachVirtualEx(&d);
	char model[33], mapping[200];
	SDL_JoystickGetGUIDString(SDL_JoystickGetDeviceGUID(at), model, sizeof model);
	SDL_snprintf(mapping, sizeof mapping, "%s,A pad,%s,", model, buttons);
	SDL_GameControllerAddMapping(mapping);
	pad = SDL_GameControllerOpen(at);
	stick = SDL_GameControllerGetJoystick(pad);
	SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
	down = up = 0;
}

/* look takes the events about button A. */
static void look(void)
{
	SDL_Event e;
	SDL_GameControllerUpdate();
	while (SDL_PollEvent(&e))
		if (e.type == SDL_CONTROLLERBUTTONDOWN && e.cbutton.button == SDL_CONTROLLER_BUTTON_A)
			down++;
		else if (e.type == SDL_CONTROLLERBUTTONUP && e.cbutton.button == SDL_CONTROLLER_BUTTON_A)
			up++;
	held = SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_A);
}

static void axis(int to)
{
	SDL_JoystickSetVirtualAxis(stick, 0, to);
	look();
}

int main(void)
{
	static const Uint8 turn[] = {SDL_HAT_UP, SDL_HAT_RIGHTUP, SDL_HAT_UP, SDL_HAT_LEFTUP, SDL_HAT_CENTERED};
	SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1"); /* there is no window */
	if (SDL_Init(SDL_INIT_GAMECONTROLLER | SDL_INIT_EVENTS))
		return 2;
	open_pad("a:+a0,b:b1");
	for (int i = 1; i <= 100; i++)
		axis(i * 32767 / 100);
	for (int i = 99; i >= 0; i--)
		axis(i * 32767 / 100);
	printf("a:+a0, the axis out and back by 200 values: %d down, %d up\n", down, up);

	open_pad("a:h0.1,b:b1");
	for (int i = 0; i < 5; i++) {
		SDL_JoystickSetVirtualHat(stick, 0, turn[i]);
		look();
	}
	printf("a:h0.1, the hat up and in its corners:      %d down, %d up\n", down, up);

	open_pad("a:a0,b:b1");
	axis(1);
	axis(0);
	printf("a:a0, the axis a little out, and at rest:   %d down, %d up, held: %d\n", down, up, held);
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o axis axis.c "$lib/libSDL2-2.0.so.0"
SDL_VIDEODRIVER=dummy ./axis | tee seen
[ "$(sed 's/.*: *\([0-9]* down\)/\1/' seen | paste -sd'|')" = "101 down, 99 up|1 down, 1 up|2 down, 0 up, held: 1" ] || {
	echo "changed: events come for changes alone, or a whole axis is up at rest" >&2
	exit 1
}
