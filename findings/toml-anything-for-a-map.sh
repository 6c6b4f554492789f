#!/bin/sh
# BurntSushi/toml: where a struct has a map, the file may have a number, a text or a list: no error, nothing undecoded, nothing there.
#
# Package:  github.com/BurntSushi/toml v1.6.0, a Go module.
# Guess:    a value of the wrong type is an error with its line, as it is for a number, a text, a list and a struct.
# Seen:     so it is for all of those. For a map everything that is no table is passed over. It counts as decoded, so that the check
#           for unknown keys, by which a program finds what a player misspelled, finds nothing: "keys = 'wasd'" where a
#           table was wanted gives the defaults, without a word. A list of tables ("[[keys]]" for "[keys]") does the same, but is told by
#           Undecoded. A named map type with UnmarshalTOML can refuse.
#           nettplay checks types itself; nettplay-relay's settings have no map.
# Output:   struct: table 1 -> error: true,  undecoded []
#           list:   table 1 -> error: true,  undecoded []
#           map:    table 1 -> error: false, undecoded [], 0 entries
#           map:    table 'wasd' -> error: false, undecoded [], 0 entries
#           map:    table [1, 2] -> error: false, undecoded [], 0 entries
#           map:    [[table]] -> error: false, undecoded [table.a], 0 entries
#
# Needs Go.
. "$(dirname "$0")/begin.inc"
cat >go.mod <<'M'
module anything

go 1.21
M
cat >main.go <<'G'
package main

import (
	"fmt"

	"github.com/BurntSushi/toml"
)

func main() {
	var s struct{ Table struct{ A int } }
	meta, err := toml.Decode("table = 1", &s)
	fmt.Printf("struct: table 1 -> error: %v,  undecoded %v\n", err != nil, meta.Undecoded())
	var l struct{ Table []int }
	meta, err = toml.Decode("table = 1", &l)
	fmt.Printf("list:   table 1 -> error: %v,  undecoded %v\n", err != nil, meta.Undecoded())
	for _, c := range [][2]string{{"table 1", "table = 1"}, {"table 'wasd'", "table = 'wasd'"}, {"table [1, 2]", "table = [1, 2]"}, {"[[table]]", "[[table]]\na = 1"}} {
		var m struct{ Table map[string]int }
		meta, err := toml.Decode(c[1], &m)
		fmt.Printf("map:    %s -> error: %v, undecoded %v, %d entries\n", c[0], err != nil, meta.Undecoded(), len(m.Table))
	}
}
G
go mod edit -require=github.com/BurntSushi/toml@v1.6.0
go mod tidy -e >/dev/null 2>&1
go run . | tee seen
cat >want <<'W'
struct: table 1 -> error: true,  undecoded []
list:   table 1 -> error: true,  undecoded []
map:    table 1 -> error: false, undecoded [], 0 entries
map:    table 'wasd' -> error: false, undecoded [], 0 entries
map:    table [1, 2] -> error: false, undecoded [], 0 entries
map:    [[table]] -> error: false, undecoded [table.a], 0 entries
W
cmp -s want seen || {
	echo "changed: a value that is no table is refused for a map" >&2
	exit 1
}
