#!/bin/sh
# xdg-open: outside the large desktops, and without a package that is only recommended, a program's own kind of file opens in the browser.
#
# Package:  xdg-utils 1.1.3-4.1, shared-mime-info 2.2-1, libglib2.0-bin, libglib2.0-0 2.74.6-2+deb12u9, file, libmagic1, libmagic-mgc 1:5.44-3,
#           libfile-mimeinfo-perl 0.33-1, libfile-basedir-perl 0.09-2, libfile-desktopentry-perl 0.22-3 (Debian 12).
# Guess:    a program that registers its recordings, by a file for update-mime-database and one for the desktop, has them opened by xdg-open as by a
#           file manager: the name's end decides, or the bytes at the beginning that it has named. xdg-mime says the same.
# Seen:     that holds for gio, and with libfile-mimeinfo-perl. Without that xdg-mime asks file(1), which has a collection of its own and has never heard of
#           what programs register, nor of what the database itself has: a recording is application/octet-stream, or JSON, a DS game is as little, and
#           xdg-open hands all of them to the browser. xdg-utils only recommends the package, so that sway or i3 on a small system is without
#           it. A program's own list of files, and its command, work everywhere.
#           nettplay has both.
# Output:                      gio, xdg-mime with mimeinfo      xdg-mime without          xdg-open with, without
#           recording.ngrec    application/x-netgame-recording  application/octet-stream  the program, the browser
#           of-text.ngrec      application/x-netgame-recording  application/json          the program, the browser
#           game.nds           application/x-nintendo-ds-rom    application/octet-stream  the program, the browser
. "$(dirname "$0")/begin.inc"
fetch xdg-utils=1.1.3-4.1 shared-mime-info=2.2-1 libglib2.0-bin=2.74.6-2+deb12u9 libglib2.0-0=2.74.6-2+deb12u9 file=1:5.44-3 libmagic1=1:5.44-3 \
	libmagic-mgc=1:5.44-3 libfile-mimeinfo-perl=0.33-1 libfile-basedir-perl=0.09-2 libfile-desktopentry-perl=0.22-3
mkdir -p data/applications data/mime/packages config bin mimeinfo
mv root/usr/bin/mimetype root/usr/bin/mimeopen mimeinfo/
for word in program browser; do
	printf '#!/bin/sh\necho "the %s" >"$HOME/opened"\n' $word >bin/$word
done
chmod +x bin/*
cat >data/mime/packages/netgame.xml <<'X'
<?xml version="1.0"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
<mime-type type="application/x-netgame-recording">
<comment>recording</comment><magic><match type="string" offset="0" value="NGREC"/></magic><glob pattern="*.ngrec"/>
</mime-type>
</mime-info>
X
types="application/x-netgame-recording application/x-nintendo-ds-rom"
printf '[Desktop Entry]\nType=Application\nName=Game\nExec=program %%f\nMimeType=%s;\n' "$(echo $types | tr ' ' ';')" >data/applications/h.desktop
{
	echo '[Default Applications]'
	for type in $types; do echo "$type=h.desktop"; done
} >config/mimeapps.list
export HOME="$dir" XDG_DATA_HOME="$dir/data" XDG_DATA_DIRS="$dir/data:$dir/root/usr/share" XDG_CONFIG_HOME="$dir/config" XDG_CONFIG_DIRS="$dir/config"
export MAGIC="$dir/root/usr/share/misc/magic.mgc" PERL5LIB="$dir/root/usr/share/perl5" BROWSER="$dir/bin/browser" DISPLAY=:99 # of which nobody makes use
unset XDG_CURRENT_DESKTOP DESKTOP_SESSION KDE_FULL_SESSION GNOME_DESKTOP_SESSION_ID MATE_DESKTOP_SESSION_ID WAYLAND_DISPLAY
for data in data root/usr/share; do PKGSYSTEM_ENABLE_FSYNC=0 root/usr/bin/update-mime-database $data/mime >/dev/null 2>&1; done
# A machine that has the package already is to be without it: of its commands there are those that the scripts need.
mkdir base
for command in sh sed grep awk cut head tail tr cat ls readlink basename dirname uname which perl stat expr find xargs env; do ln -s "$(command -v $command)" base/$command; done
without=$dir/bin:$dir/root/usr/bin:$dir/base

printf 'NGREC\001' >recording.ngrec
printf '{"frames": 1}\n' >of-text.ngrec
head -c 32768 /dev/zero >game.nds
printf "GAME\000\000\000\000\000\000\000\000GAME" | dd of=game.nds conv=notrunc status=none
opened() { # PATH FILE
	rm -f opened
	PATH=$1 xdg-open "$2" >/dev/null 2>&1 || true
	cat opened 2>/dev/null || echo nothing
}
for file in recording.ngrec of-text.ngrec game.nds; do
	gio=$(PATH=$without gio info -a standard::content-type $file | sed -n 's/.*content-type: //p')
	with=$(PATH=$dir/mimeinfo:$without xdg-mime query filetype $file)
	[ "$with" = "$gio" ] || gio="$gio and $with"
	printf '%-18s %-32s %-25s %s, %s\n' $file "$gio" "$(PATH=$without xdg-mime query filetype $file)" "$(opened "$dir/mimeinfo:$without" $file)" "$(opened "$without" $file)"
done | tee seen
[ "$(sed 's/  */ /g' seen | paste -sd'|')" = "recording.ngrec application/x-netgame-recording application/octet-stream the program, the browser|of-text.ngrec application/x-netgame-recording application/json the program, the browser|game.nds application/x-nintendo-ds-rom application/octet-stream the program, the browser" ] || {
	echo "changed: files are known by what programs have registered" >&2
	exit 1
}
