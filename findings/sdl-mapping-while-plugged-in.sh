#!/bin/sh
# SDL: a joystick that gets a mapping while it is plugged in becomes a game controller without an event.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1 (Debian 12).
# Guess:    SDL_GameControllerAddMapping for a joystick that is there and had no mapping sends
#           SDL_CONTROLLERDEVICEADDED: from then on it is a game controller. A trigger mapped to an axis that rests in
#           its middle, and was never moved, reads 0.
# Seen:     SDL_IsGameController says yes, and no event comes; who waits for one never opens it. The second mapping
#           of the same model does send one (SDL_CONTROLLERDEVICEREMAPPED), to who has opened it by themselves. The trigger
#           reads 16383, half pressed, until the axis moves.
# Output:   without a mapping: controller 0, events none
#           first mapping:     controller 1, events none
#           trigger at rest:   16383
#           second mapping:    controller 1, events remapped
#
# Needs the libraries that SDL itself needs (apt-get install libsdl2-2.0-0 brings them). No display, no device.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >map.c <<'C'
#include <SDL.h>
#include <stdio.h>

/* events names those about controllers that came. */
static const char *events(void)
{
	static char names[200];
	SDL_Event e;
	names[0] = 0;
	for (int i = 0; i < 20; i++, SDL_Delay(2)) {
		SDL_PumpEvents();
		while (SDL_PollEvent(&e)) {
			if (e.type == SDL_CONTROLLERDEVICEADDED)
				SDL_strlcat(names, " added", sizeof names);
			if (e.type == SDL_CONTROLLERDEVICEREMAPPED)
				SDL_strlcat(names, " remapped", sizeof names);
		}
	}
	return names[0] ? names : " none";
}

int main(void)
{
	SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1"); /* there is no window */
	if (SDL_Init(SDL_INIT_GAMECONTROLLER | SDL_INIT_EVENTS))
		return 2;
	SDL_VirtualJoystickDesc d = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION, .type = SDL_JOYSTICK_TYPE_ARCADE_STICK,
		.naxes = 6, .nbuttons = 12, .vendor_id = 0x1111, .product_id = 0x2222, .name = "A stick"};
	int at = SDL_JoystickAttachVirtualEx(&d);
	SDL_Joystick *stick = SDL_JoystickOpen(at);
	char model[33], mapping[200];
	SDL_JoystickGetGUIDString(SDL_JoystickGetGUID(stick), model, sizeof model);
	printf("without a mapping: controller %d, events%s\n", SDL_IsGameController(at), events());

	SDL_snprintf(mapping, sizeof mapping, "%s,A stick,platform:Linux,a:b0,b:b1,leftx:a0,lefttrigger:a2,", model);
	SDL_GameControllerAddMapping(mapping);
	printf("first mapping:     controller %d, events%s\n", SDL_IsGameController(at), events());

	SDL_GameController *pad = SDL_GameControllerOpen(at);
	events();
	printf("trigger at rest:   %d\n", SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT));

	SDL_snprintf(mapping, sizeof mapping, "%s,A stick,platform:Linux,a:b1,b:b0,", model);
	SDL_GameControllerAddMapping(mapping);
	printf("second mapping:    controller %d, events%s\n", SDL_IsGameController(at), events());
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o map map.c "$lib/libSDL2-2.0.so.0"
SDL_VIDEODRIVER=dummy ./map | tee seen
[ "$(sed 's/.*: *//' seen | paste -sd'|')" = "controller 0, events none|controller 1, events none|16383|controller 1, events remapped" ] || {
	echo "changed: a mapping for what is plugged in sends other events, or a trigger rests elsewhere" >&2
	exit 1
}
