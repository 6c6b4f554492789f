#!/bin/sh
# BurntSushi/toml: of one setting in two spellings, chance takes one, without a word; and -1 is a large uint.
#
# Package:  github.com/BurntSushi/toml v1.6.0, a Go module.
# Guess:    a key in capital letters goes into the field of that name as one in small letters does. With both in a
#           file, the one that is spelled as the field's tag wins, or the last one, or it is an error, as a key is that stands there
#           twice; MetaData.Undecoded tells of the other. A number that does not fit its field is an error.
# Seen:     both are taken, in the order of a Go map, and the later one stays: the same file gives other settings from start
#           to start, and Undecoded is empty. Numbers are checked against int8 to int32 and uint8 to uint32; -1
#           in a uint or uint64 is 18446744073709551615, without an error. A program that wants to be sure compares the names
#           in MetaData.Keys.
#           nettplay-relay does; nettplay decodes its own settings into a map, and knows one spelling of each.
# Output:   400 times port = 1, Port = 2:  1 and 2, undecoded: none, errors: 0
#           -1 into a uint:                18446744073709551615, error: <nil>
#           -1 into a uint8:               0, error: toml: line 1 (last key "small"): -1 is out of range for uint8
#
# Needs Go.
. "$(dirname "$0")/begin.inc"
cat >go.mod <<'M'
module spellings

go 1.21
M
cat >main.go <<'G'
package main

import (
	"fmt"

	"github.com/BurntSushi/toml"
)

type settings struct {
	Port  int   `toml:"port"`
	Limit uint  `toml:"limit"`
	Small uint8 `toml:"small"`
}

func main() {
	ports, undecoded, errors := map[int]bool{}, "none", 0
	for range make([]int, 400) {
		var s settings
		meta, err := toml.Decode("port = 1\nPort = 2\n", &s)
		if err != nil {
			errors++
		}
		if len(meta.Undecoded()) > 0 {
			undecoded = fmt.Sprint(meta.Undecoded())
		}
		ports[s.Port] = true
	}
	seen := "neither"
	switch {
	case ports[1] && ports[2]:
		seen = "1 and 2"
	case ports[1]:
		seen = "1"
	case ports[2]:
		seen = "2"
	}
	fmt.Printf("400 times port = 1, Port = 2:  %s, undecoded: %s, errors: %d\n", seen, undecoded, errors)
	var s settings
	_, err := toml.Decode("limit = -1\n", &s)
	fmt.Printf("-1 into a uint:                %d, error: %v\n", s.Limit, err)
	_, err = toml.Decode("small = -1\n", &s)
	fmt.Printf("-1 into a uint8:               %d, error: %v\n", s.Small, err)
}
G
go mod edit -require=github.com/BurntSushi/toml@v1.6.0
go mod tidy -e >/dev/null 2>&1
go run . | tee seen
cat >want <<'W'
400 times port = 1, Port = 2:  1 and 2, undecoded: none, errors: 0
-1 into a uint:                18446744073709551615, error: <nil>
-1 into a uint8:               0, error: toml: line 1 (last key "small"): -1 is out of range for uint8
W
cmp -s want seen || {
	echo "changed: two spellings are told of, or one of them wins; or -1 is refused" >&2
	exit 1
}
