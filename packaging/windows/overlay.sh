# An overlay for `go build`, for tests under Wine 8 only, which does not know an order that package net gives to each
# socket of UDP (SIO_UDP_NETRESET): there it goes without. Go's own file is read and changed; to be read by a shell, at the
# top of the repository. What is shipped is built without it.
net=$("${GO:-go}" env GOROOT)/src/net/fd_windows.go
mkdir -p bin/windows/overlay
awk '/SIO_UDP_NETRESET/ { order = 1 } order && /if err != nil/ { sub(/err != nil/, "err != nil \\&\\& false"); order = 0; done = 1 } { print }
	END { if (!done) exit 1 }' "$net" >bin/windows/overlay/fd_windows.txt ||
	{ echo "this Go's package net has no SIO_UDP_NETRESET any more: packaging/windows/overlay.sh can go" >&2; exit 1; }
printf '{"Replace": {"%s": "%s"}}\n' "$net" "$PWD/bin/windows/overlay/fd_windows.txt" >bin/windows/overlay/overlay.json
overlay=-overlay=$PWD/bin/windows/overlay/overlay.json
