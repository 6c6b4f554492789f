#!/bin/sh
# go-sdl2: JoystickGetGUIDString gives 22 of a model's 32 digits, so that a mapping made of it is for nothing.
#
# Package:  github.com/veandco/go-sdl2 v0.4.40 on libsdl2-dev 2.26.5+dfsg-1 (Debian 12), 64 bits.
# Guess:    text to GUID and GUID to text are each other's inverse; what it gives can begin a line for
#           GameControllerAddMapping.
# Seen:     the buffer's length is taken as the size of a Go slice's header, 24 bytes. The digits of product and
#           version are missing, two models of one maker look alike, and SDL takes a mapping with the short text
#           as good (1: added), for a GUID that no device has.
# Output:   030000005e0400008e02000014010000 -> 030000005e0400008e0200 (22 digits)
#           mapping for the short one: 1; the model's own mapping still there: true
#
# Needs Go and the headers of SDL (apt-get install libsdl2-dev). Takes a minute: SDL's binding is compiled.
. "$(dirname "$0")/begin.inc"
[ "$(dpkg-query -W -f '${Version}' libsdl2-dev)" = 2.26.5+dfsg-1 ] || {
	echo "this is about libsdl2-dev 2.26.5+dfsg-1" >&2
	exit 2
}
cat >go.mod <<'M'
module guid

go 1.21
M
cat >main.go <<'G'
package main

import (
	"fmt"
	"strings"

	"github.com/veandco/go-sdl2/sdl"
)

func main() {
	if err := sdl.Init(sdl.INIT_GAMECONTROLLER); err != nil {
		panic(err)
	}
	defer sdl.Quit()
	const model = "030000005e0400008e02000014010000" // the model that SDL's own list begins with for one pad on Linux
	guid := sdl.JoystickGetGUIDFromString(model)
	text := sdl.JoystickGetGUIDString(guid)
	fmt.Printf("%s -> %s (%d digits)\n", model, text, len(text))
	before := sdl.GameControllerMappingForGUID(guid)
	added := sdl.GameControllerAddMapping(text + ",A pad,a:b15,b:b14,")
	after := sdl.GameControllerMappingForGUID(guid)
	fmt.Printf("mapping for the short one: %d; the model's own mapping still there: %v\n",
		added, before == after && !strings.Contains(after, "b15"))
}
G
go mod edit -require=github.com/veandco/go-sdl2@v0.4.40
go mod tidy -e >/dev/null 2>&1
SDL_VIDEODRIVER=dummy go run . | tee seen
[ "$(head -n 1 seen)" = "030000005e0400008e02000014010000 -> 030000005e0400008e0200 (22 digits)" ] && grep -q "still there: true" seen || {
	echo "changed: the text is whole, or the mapping reaches the model" >&2
	exit 1
}
