#!/bin/sh
# SDL on Linux: what a player composes by an input method comes ten letters at a time, each piece by an event that looks like all of it.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, ibus 1.5.27-5, xdotool 1:3.20160805.1-5 (Debian 12).
# Guess:    an SDL_TEXTEDITING event has what is being composed, and where the caret is in it. There is room for 31 bytes: a longer one is cut
#           off there, and the rest shows when it is typed.
# Seen:     a composition of 18 letters is two events, of 10 and of 8, each time that it changes. Start and length are those of the piece,
#           so they say where a piece goes, and nothing of the caret: a program that shows the event's text shows the last 8 letters, and
#           the caret before them. With SDL_HINT_IME_SUPPORT_EXTENDED_TEXT start is the caret, length is -1, and what does not fit comes whole, by
#           SDL_TEXTEDITING_EXT, whose text the program must free; go-sdl2 has no type for that one. What is typed at last comes in pieces both
#           times. nettplay showed the end of each longer sentence; it takes the other event now.
# Output:   as it is:       editing start 0 length 10 has 10, editing start 10 length 8 has 8, input has 10, input has 8
#           with the hint:  extended start 18 length -1 has 18, input has 10, input has 8
#
# Needs Xvfb, dbus-run-session, python3-gi, gir1.2-ibus-1.0 and ibus' own libraries (apt-get install ibus xvfb dbus python3-gi brings them).
# The input method is made here: each key is a letter of hiragana, Return types them. Takes 30 s, on a machine with time for it: SDL waits
# for an input method for 0.3 s, and takes the key itself then.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1 ibus=1.5.27-5 xdotool=1:3.20160805.1-5 libxdo3
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >engine.py <<'P'
import gi
gi.require_version("IBus", "1.0")
from gi.repository import GLib, IBus

kana = "あいうえおかきくけこさしすせそたちつ"

class Engine(IBus.Engine):
    def do_process_key_event(self, key, code, state):
        if state & IBus.ModifierType.RELEASE_MASK:
            return False
        text = getattr(self, "text", "")
        if key == IBus.Return and text:
            self.text = ""
            self.hide_preedit_text()
            self.commit_text(IBus.Text.new_from_string(text))
            return True
        if not ord("a") <= key <= ord("z"):
            return False
        self.text = text + kana[len(text) % len(kana)]
        self.update_preedit_text(IBus.Text.new_from_string(self.text), len(self.text), True)
        return True

IBus.init()
bus = IBus.Bus()
factory = IBus.Factory.new(bus.get_connection())
factory.add_engine("pieces", Engine.__gtype__)
bus.request_name("org.example.Pieces", 0)
GLib.MainLoop().run()
P
mkdir components
cat >components/pieces.xml <<X
<component><name>org.example.Pieces</name><exec>/usr/bin/python3 $dir/engine.py</exec>
<engines><engine><name>pieces</name><language>ja</language><layout>us</layout><rank>99</rank></engine></engines></component>
X
cat >compose.c <<'C'
#include <SDL.h>
#include <stdio.h>
#include <string.h>

static size_t letters(const char *s) { size_t n = 0; for (; *s; s++) n += (*s & 0xC0) != 0x80; return n; }

/* compose FILE [HINT]: what SDL says while somebody types, until Escape. */
int main(int argc, char **argv)
{
	SDL_Event e;
	FILE *out = fopen(argv[1], "w");
	if (argc > 2)
		SDL_SetHint(SDL_HINT_IME_SUPPORT_EXTENDED_TEXT, argv[2]);
	if (!out || SDL_Init(SDL_INIT_VIDEO) || !SDL_CreateWindow("compose", 0, 0, 100, 100, 0))
		return 2;
	SDL_StartTextInput();
	while (SDL_WaitEventTimeout(&e, 40000)) {
		if (e.type == SDL_TEXTEDITING && *e.edit.text)
			fprintf(out, "editing start %d length %d has %zu\n", e.edit.start, e.edit.length, letters(e.edit.text));
		if (e.type == SDL_TEXTEDITING_EXT) {
			fprintf(out, "extended start %d length %d has %zu\n", e.editExt.start, e.editExt.length, letters(e.editExt.text));
			SDL_free(e.editExt.text);
		}
		if (e.type == SDL_TEXTINPUT)
			fprintf(out, "input has %zu\n", letters(e.text.text));
		if (e.type == SDL_KEYDOWN && e.key.keysym.sym == SDLK_ESCAPE)
			break;
	}
	fclose(out);
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o compose compose.c "$lib/libSDL2-2.0.so.0"

cat >session.sh <<'S'
export XMODIFIERS=@im=ibus HOME="$PWD/home" XDG_RUNTIME_DIR="$PWD/run" XDG_CACHE_HOME="$PWD/home" XDG_CONFIG_HOME="$PWD/home" SDL_VIDEODRIVER=x11
export IBUS_COMPONENT_PATH="$PWD/components" GSETTINGS_BACKEND=memory PATH="$PWD/root/usr/bin:/usr/bin:/bin"
mkdir -p home run && chmod 700 run
ibus-daemon --panel=disable --config=disable --cache=none >/dev/null 2>&1 &
daemon=$!
sleep 2
ibus engine pieces >/dev/null 2>&1 || true
for hint in "" 1; do
	./compose seen$hint $hint &
	program=$!
	sleep 2
	xdotool windowfocus "$(xdotool search --name '^compose$' | head -n 1)"
	sleep 1
	ibus engine pieces || true
	for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do xdotool key a; sleep 0.1; done
	xdotool key Return
	sleep 1
	xdotool key Escape
	wait $program
done
kill $daemon
S
xvfb-run -a dbus-run-session -- sh session.sh >said 2>&1
{
	echo "as it is:       $(tail -n 4 seen | paste -sd, | sed 's/,/, /g')"
	echo "with the hint:  $(tail -n 3 seen1 | paste -sd, | sed 's/,/, /g')"
} | tee all
[ "$(cat all)" = "as it is:       editing start 0 length 10 has 10, editing start 10 length 8 has 8, input has 10, input has 8
with the hint:  extended start 18 length -1 has 18, input has 10, input has 8" ] || {
	echo "changed: a composition comes whole, or in other pieces (or the machine is busy)" >&2
	exit 1
}
