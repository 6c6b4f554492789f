#!/bin/sh
# SDL: the dummy and disk sound drivers take sound at 0.54 to 1.07 of its rate, by the size of the buffer that was asked for.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1 (Debian 12).
# Guess:    SDL_AUDIODRIVER=dummy, with which programs are tested, takes what it is given at the rate that it was opened with, as a card does,
#           give or take the time that a machine is busy; and SDL tells in "obtained" what buffer there is.
# Seen:     after each buffer it sleeps for as many whole milliseconds as the buffer lasts, rounded down: too fast, 1.07 of the rate at
#           256 or 512 frames of 48000 Hz. The dummy driver sleeps for the next power of two of frames, but takes only those that were
#           asked for: frames of a console that is 547 frames of 32768 Hz are taken at half the speed, 735 of 44100 at three quarters,
#           and obtained.samples says 547 and 735. A queue in front of it overflows, or drains, without any fault of the
#           program: a test of pacing needs a card of its own, or a power of two that comes out in whole milliseconds.
#           nettplay measures its sound at PulseAudio, and by a card in virtual time.
# Output:   dummy, asked for 48000 Hz by 480, obtained 48000 by 480: taken at 1.00 of the rate
#           dummy, asked for 48000 Hz by 512, obtained 48000 by 512: taken at 1.07 of the rate
#           dummy, asked for 44100 Hz by 735, obtained 44100 by 735: taken at 0.72 of the rate
#           dummy, asked for 32768 Hz by 547, obtained 32768 by 547: taken at 0.54 of the rate
#           disk, asked for 48000 Hz by 480, obtained 48000 by 480: taken at 1.00 of the rate
#           disk, asked for 48000 Hz by 512, obtained 48000 by 512: taken at 1.07 of the rate
#           disk, asked for 44100 Hz by 735, obtained 44100 by 735: taken at 1.04 of the rate
#           disk, asked for 32768 Hz by 547, obtained 32768 by 547: taken at 1.04 of the rate
#
# SDL's sleeps are added up instead of slept: how busy the machine is does not matter. Needs the libraries that SDL itself needs
# (apt-get install libsdl2-2.0-0 brings them). No sound card.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >rate.c <<'C'
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 1000 };
static int calls, taken;
static volatile int done;
static double slept; /* seconds that SDL's sound thread asked for since the first call */
static SDL_threadID sounds;

static void rest(long microseconds)
{
	struct timespec t = {0, microseconds * 1000};
	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

int nanosleep(const struct timespec *want, struct timespec *left)
{
	(void)left;
	if (calls > 0 && calls < CALLS && SDL_ThreadID() == sounds)
		slept += want->tv_sec + want->tv_nsec / 1e9;
	rest(10);
	return 0;
}

static void take(void *user, Uint8 *out, int size)
{
	(void)user;
	SDL_memset(out, 0, size);
	sounds = SDL_ThreadID();
	if (calls > 0 && calls < CALLS)
		taken += size / 4;
	done = ++calls >= CALLS;
}

/* rate FREQUENCY SAMPLES */
int main(int argc, char **argv)
{
	SDL_AudioSpec got, want = {.format = AUDIO_S16SYS, .channels = 2, .callback = take};
	if (argc != 3 || SDL_Init(SDL_INIT_AUDIO))
		return 2;
	want.freq = atoi(argv[1]);
	want.samples = atoi(argv[2]);
	SDL_AudioDeviceID card = SDL_OpenAudioDevice(NULL, 0, &want, &got, 0);
	if (card == 0)
		return 2;
	SDL_PauseAudioDevice(card, 0);
	while (!done)
		rest(1000);
	printf("%s, asked for %5d Hz by %3d, obtained %5d by %3d: taken at %.2f of the rate\n", SDL_GetCurrentAudioDriver(), want.freq, atoi(argv[2]),
	       got.freq, got.samples, taken / slept / got.freq);
	fflush(stdout);
	_Exit(0);
}
C
gcc -O1 -Wall -rdynamic -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o rate rate.c "$lib/libSDL2-2.0.so.0"
export SDL_DISKAUDIOFILE=/dev/null
for driver in dummy disk; do
	for buffer in "48000 480" "48000 512" "44100 735" "32768 547"; do
		SDL_AUDIODRIVER=$driver ./rate $buffer 2>/dev/null
	done
done | tee seen
[ "$(sed 's/.*taken at \([0-9.]*\).*/\1/' seen | paste -sd' ')" = "1.00 1.07 0.72 0.54 1.00 1.07 1.04 1.04" ] || {
	echo "changed: the drivers keep another time" >&2
	exit 1
}
