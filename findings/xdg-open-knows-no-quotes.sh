#!/bin/sh
# xdg-open: without one of the large desktops it reads a program's line itself: quotes are letters, and a link in capitals is for the browser.
#
# Package:  xdg-utils 1.1.3-4.1, libglib2.0-bin, libglib2.0-0 2.74.6-2+deb12u9 (Debian 12).
# Guess:    an invitation's link opens the program that has its scheme in the same way everywhere: Exec of the .desktop file has quotes for blanks, and the link
#           takes the place of %u wherever that stands (Desktop Entry Specification), as with gio open. A scheme is the same in capitals (RFC 3986), in
#           which a link makes a smaller QR code.
# Seen:     where the desktop has no opener of its own, as with sway, i3 or openbox, xdg-open cuts the line at each blank. A program in a folder with a blank in its
#           name is not started, whichever quotes are there; --link=%u stays as it is, with the link behind it; %% stays two. Capitals are another scheme, which
#           nobody has, and so the link goes to the browser, with status 0. Have a line of plain words with %u as one of them, a wrapper for anything
#           else, and links in small letters.
#           nettplay's are so.
# Output:   handler %u              gio: [LINK]                   xdg-open: [LINK]
#           "my games/handler" %u   gio: [LINK]                   xdg-open: nothing, status 4
#           handler "two words" %u  gio: [two words] [LINK]       xdg-open: ["two] [words"] [LINK]
#           handler --link=%u       gio: [--link=LINK]            xdg-open: [--link=%u] [LINK]
#           handler 100%% %u        gio: [100%] [LINK]            xdg-open: [100%%] [LINK]
#           handler %u, capitals    gio: [LINK]                   xdg-open: the browser
. "$(dirname "$0")/begin.inc"
fetch xdg-utils=1.1.3-4.1 libglib2.0-bin=2.74.6-2+deb12u9 libglib2.0-0=2.74.6-2+deb12u9
mkdir -p data/applications config "my games" bin
cat >bin/handler <<'H'
#!/bin/sh
for word; do printf '[%s] ' "$word"; done >"$HOME/words.part"
mv "$HOME/words.part" "$HOME/words"
H
cp bin/handler "my games/handler"
printf '#!/bin/sh\necho "the browser" >"$HOME/words"\n' >bin/browser
chmod +x bin/* "my games/handler"
printf '[Default Applications]\nx-scheme-handler/netgame=h.desktop\n' >config/mimeapps.list
export HOME="$dir" XDG_DATA_HOME="$dir/data" XDG_DATA_DIRS="$dir/data" XDG_CONFIG_HOME="$dir/config" XDG_CONFIG_DIRS="$dir/config" PATH="$dir/bin:$dir/root/usr/bin:$PATH"
export BROWSER="$dir/bin/browser" DISPLAY=:99 # of which nobody makes use
unset XDG_CURRENT_DESKTOP DESKTOP_SESSION KDE_FULL_SESSION GNOME_DESKTOP_SESSION_ID MATE_DESKTOP_SESSION_ID WAYLAND_DISPLAY

opened() { # LINK COMMAND...: what the program is started with
	link=$1
	shift
	rm -f words
	status=0
	"$@" "$link" >/dev/null 2>&1 || status=$?
	for i in 1 2 3 4 5 6 7 8 9 10; do # gio does not wait for it
		[ -e words ] || [ $status != 0 ] || sleep 0.3
	done
	if [ -e words ]; then sed "s|$link|LINK|g; s/ \$//" words; else echo "nothing, status $status"; fi
}
while IFS='|' read -r what exec link; do
	printf '[Desktop Entry]\nType=Application\nName=Game\nExec=%s\nMimeType=x-scheme-handler/netgame;\n' "$exec" >data/applications/h.desktop
	printf '%-23s gio: %-24s xdg-open: %s\n' "$what" "$(opened "$link" gio open)" "$(opened "$link" xdg-open)"
done <<N | tee seen
handler %u|handler %u|netgame://room/7
"my games/handler" %u|"$dir/my games/handler" %u|netgame://room/7
handler "two words" %u|handler "two words" %u|netgame://room/7
handler --link=%u|handler --link=%u|netgame://room/7
handler 100%% %u|handler 100%% %u|netgame://room/7
handler %u, capitals|handler %u|NETGAME://ROOM/7
N
[ "$(sed 's/.* gio: //; s/  */ /g' seen | paste -sd'|')" = '[LINK] xdg-open: [LINK]|[LINK] xdg-open: nothing, status 4|[two words] [LINK] xdg-open: ["two] [words"] [LINK]|[--link=LINK] xdg-open: [--link=%u] [LINK]|[100%] [LINK] xdg-open: [100%%] [LINK]|[LINK] xdg-open: the browser' ] || {
	echo "changed: the line is read in another way" >&2
	exit 1
}
