#!/bin/sh
# SDL: what an SDL_AudioStream gives is short of the ratio of its rates, by up to 0.15 %, and by how much goes by the size of the pieces.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1 (Debian 12).
# Guess:    a stream from 32768 to 48000 Hz gives 48000 frames for 32768, over any time; some hundred are held back until it is
#           flushed, and how the sound is cut into pieces decides only when they come.
# Seen:     the length of what comes out is rounded down for each piece that SDL converts, and the rest of a frame is forgotten. Pieces that
#           come out even lose nothing (512 frames of 32768 Hz, 735 of 44100). In pieces of a DS frame, 547, a minute lacks 20
#           ms; 48000 to 44100 Hz lacks 80 ms, in pieces of 480, too, which would come out even: SDL gathers short ones. Sound is
#           shorter and by a hair higher, in a film it runs ahead of the picture, and who counts frames to know what is still to be
#           heard drifts by a second in a quarter of an hour. SDL_OpenAudioDevice converts by such a stream, too, where the
#           device has another rate.
#           nettplay resamples by itself, keeps the fraction, and corrects by what is queued.
# Output:   frames that a minute of sound lacks:
#           32768 to 48000 Hz, in pieces of 512: 0
#           32768 to 48000 Hz, in pieces of 547: 969
#           44100 to 48000 Hz, in pieces of 735: 0
#           44100 to 48000 Hz, in pieces of 547: 1810
#           48000 to 44100 Hz, in pieces of 480: 3568
#           48000 to 44100 Hz, in pieces of 512: 3568
#
# Needs the libraries that SDL itself needs (apt-get install libsdl2-2.0-0 brings them). No sound card.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >minute.c <<'C'
#include <SDL.h>
#include <stdio.h>

/* play gives a stream sound in such pieces, and says by how many frames a minute of it falls short of the ratio of the rates. */
static void play(int from, int to, int piece)
{
	static Sint16 in[2 * 1024], out[2 * 65536];
	SDL_AudioStream *s = SDL_NewAudioStream(AUDIO_S16SYS, 2, from, AUDIO_S16SYS, 2, to);
	Sint64 fed = 0, got = 0, short_before = 0;
	while (s != NULL && fed < 70 * from) {
		SDL_AudioStreamPut(s, in, piece * 4);
		for (int n; (n = SDL_AudioStreamGet(s, out, sizeof out)) > 0; got += n / 4)
			;
		if (fed < 10 * from && fed + piece >= 10 * from) /* what is only held back is held back by now */
			short_before = (fed + piece) * to / from - got;
		fed += piece;
	}
	printf("%d to %d Hz, in pieces of %d: %lld\n", from, to, piece, (long long)(fed * to / from - got - short_before));
	SDL_FreeAudioStream(s);
}

int main(void)
{
	puts("frames that a minute of sound lacks:");
	play(32768, 48000, 512);
	play(32768, 48000, 547);
	play(44100, 48000, 735);
	play(44100, 48000, 547);
	play(48000, 44100, 480);
	play(48000, 44100, 512);
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o minute minute.c "$lib/libSDL2-2.0.so.0"
./minute | tee seen
[ "$(sed -n 's/.*pieces of [0-9]*: //p' seen | paste -sd' ')" = "0 969 0 1810 3568 3568" ] || {
	echo "changed: a minute of sound lacks nothing, or other amounts" >&2
	exit 1
}
