#!/bin/sh
# BurntSushi/toml: a list of the file is written into the memory of the default list, and its items keep what the defaults had.
#
# Package:  github.com/BurntSushi/toml v1.6.0, a Go module.
# Guess:    a list in the file takes the place of the one that the struct had: a new list, made of what the file says alone. (A
#           program fills a struct with its defaults, decodes the file over it, and what is absent keeps its default.)
# Seen:     where the file's list is no longer than the default one, the default's array is used again. If the defaults are a
#           variable of the package, that has the file's values from then on, for whoever decodes, compares or resets next. And each
#           table of a list begins as the default at its place: a key that it leaves out has the value of another table's. With
#           one table more than there were defaults the list is new, and such keys are zero. Undecoded has nothing to say of it.
#           Clone the defaults, and leave lists of tables empty in them.
#           nettplay decodes into a map; nettplay-relay's default lists are empty.
# Output:   relays:       [mine]; the default list is now [mine two]
#           its tables:   [{Name:own Port:7777}]
#           undecoded:    []
#
# Needs Go.
. "$(dirname "$0")/begin.inc"
cat >go.mod <<'M'
module defaults

go 1.21
M
cat >main.go <<'G'
package main

import (
	"fmt"

	"github.com/BurntSushi/toml"
)

type server struct {
	Name string
	Port int
}

type settings struct {
	Relays  []string
	Servers []server
}

var usual = []string{"one", "two"}

func main() {
	s := settings{Relays: usual, Servers: []server{{"default", 7777}, {"spare", 7778}}}
	meta, err := toml.Decode("relays = ['mine']\n[[servers]]\nname = 'own'\n", &s)
	if err != nil {
		panic(err)
	}
	fmt.Printf("relays:       %v; the default list is now %v\n", s.Relays, usual)
	fmt.Printf("its tables:   %+v\n", s.Servers)
	fmt.Printf("undecoded:    %v\n", meta.Undecoded())
}
G
go mod edit -require=github.com/BurntSushi/toml@v1.6.0
go mod tidy -e >/dev/null 2>&1
go run . | tee seen
cat >want <<'W'
relays:       [mine]; the default list is now [mine two]
its tables:   [{Name:own Port:7777}]
undecoded:    []
W
cmp -s want seen || {
	echo "changed: a list of the file is a new one" >&2
	exit 1
}
