# An overlay for `go build`, for tests under Wine 8 only, which answers two questions of Go's library as no Windows does: it
# does not know an order that package net gives to each socket of UDP (SIO_UDP_NETRESET), and says "not implemented" where
# os.RemoveAll expects "not supported" before it tries the older way to remove a file. Go's own files are read and changed;
# to be read by a shell, at the top of the repository. What is shipped is built without it.
goroot=$("${GO:-go}" env GOROOT)/src
net=$goroot/net/fd_windows.go
at=$goroot/internal/syscall/windows/at_windows.go
mkdir -p bin/windows/overlay
awk '/SIO_UDP_NETRESET/ { order = 1 } order && /if err != nil/ { sub(/err != nil/, "err != nil \\&\\& false"); order = 0; done = 1 } { print }
	END { if (!done) exit 1 }' "$net" >bin/windows/overlay/fd_windows.txt ||
	{ echo "this Go's package net has no SIO_UDP_NETRESET any more: packaging/windows/overlay.sh can change" >&2; exit 1; }
awk '/case STATUS_INVALID_INFO_CLASS,/ { sub(/case /, "case NTStatus(0xC0000002), "); done = 1 } { print }
	END { if (!done) exit 1 }' "$at" >bin/windows/overlay/at_windows.txt ||
	{ echo "this Go removes files in another way: packaging/windows/overlay.sh can change" >&2; exit 1; }
printf '{"Replace": {"%s": "%s", "%s": "%s"}}\n' "$net" "$PWD/bin/windows/overlay/fd_windows.txt" \
	"$at" "$PWD/bin/windows/overlay/at_windows.txt" >bin/windows/overlay/overlay.json
overlay=-overlay=$PWD/bin/windows/overlay/overlay.json
