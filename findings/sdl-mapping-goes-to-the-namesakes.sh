#!/bin/sh
# SDL: a mapping for one model of a maker's number takes the place of another model's, though their GUIDs differ.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1 (Debian 12).
# Guess:    since 2.24 a GUID has a check sum of the device's name in it, so that pads which share numbers of maker and product, as cheap
#           ones and copies do, can have a mapping each. SDL_GameControllerAddMapping with such a GUID is for that model alone;
#           for the second one it returns 1, "added".
# Seen:     the first mapping goes to both models. The second one returns 0, "updated", replaces it, and goes to both as well, with its
#           own check sum in the text: whichever was added last has them all, and players with two kinds of pad of one number cannot have
#           them right at the same time. A program that teaches buttons has to add the line of the pad that is played with last.
#           nettplay keeps a line for each model, and adds that of each pad anew when it is plugged in.
# Output:   GUIDs differ in digits 5 to 8 alone: yes
#           mapping for the first:  returns 1; first pad has a:b1, second pad has a:b1
#           mapping for the second: returns 0; first pad has a:b2, second pad has a:b2
#           again for the first:    returns 0; first pad has a:b1, second pad has a:b1
#
# Needs the libraries that SDL itself needs (apt-get install libsdl2-2.0-0 brings them). No display, no device.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >two.c <<'C'
#include <SDL.h>
#include <stdio.h>

static int pads[2];
static char models[2][33];

static void has(const char *which, int pad)
{
	char *mapping = SDL_GameControllerMappingForDeviceIndex(pads[pad]);
	const char *a = mapping ? SDL_strstr(mapping, ",a:") : NULL;
	printf("%s pad has %.4s", which, a ? a + 1 : "none");
	SDL_free(mapping);
}

static void add(const char *what, int pad, const char *button)
{
	char mapping[200];
	SDL_snprintf(mapping, sizeof mapping, "%s,Taught,a:%s,b:b0,", models[pad], button);
	printf("%-23s returns %d; ", what, SDL_GameControllerAddMapping(mapping));
	has("first", 0);
	has(", second", 1);
	puts("");
}

int main(void)
{
	SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1"); /* there is no window */
	if (SDL_Init(SDL_INIT_GAMECONTROLLER | SDL_INIT_EVENTS))
		return 2;
	for (int i = 0; i < 2; i++) {
		SDL_VirtualJoystickDesc d = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION, .type = SDL_JOYSTICK_TYPE_ARCADE_STICK,
			.naxes = 4, .nbuttons = 12, .vendor_id = 0x1111, .product_id = 0x2222, .name = i ? "Round pad" : "Square pad"};
		pads[i] = SDL_JoystickAttachVirtualEx(&d);
		SDL_JoystickGetGUIDString(SDL_JoystickGetDeviceGUID(pads[i]), models[i], sizeof models[i]);
	}
	printf("GUIDs differ in digits 5 to 8 alone: %s\n", SDL_strncmp(models[0], models[1], 4) == 0 && SDL_strncmp(models[0] + 4, models[1] + 4, 4) != 0 &&
	       SDL_strcmp(models[0] + 8, models[1] + 8) == 0 ? "yes" : "no");
	add("mapping for the first:", 0, "b1");
	add("mapping for the second:", 1, "b2");
	add("again for the first:", 0, "b1");
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o two two.c "$lib/libSDL2-2.0.so.0"
unset SDL_GAMECONTROLLERCONFIG SDL_GAMECONTROLLERCONFIG_FILE
SDL_VIDEODRIVER=dummy ./two | tee seen
[ "$(sed 's/.*returns/returns/; s/.*alone: //' seen | paste -sd'|')" = "yes|returns 1; first pad has a:b1, second pad has a:b1|returns 0; first pad has a:b2, second pad has a:b2|returns 0; first pad has a:b1, second pad has a:b1" ] || {
	echo "changed: each model has its own mapping" >&2
	exit 1
}
