package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/nettplay/nettplay/internal/manual"
	"github.com/nettplay/nettplay/internal/phrase"
)

// help says how the program is called, and what each flag does.
func help(w io.Writer) {
	b := book()
	fmt.Fprintf(w, "Usage: %s [flags]\n\n%s%s.\n\nFlags:\n", b.Name, strings.ToUpper(b.Summary[:1]), b.Summary[1:])
	manual.Flags(w, b.Commands[0].Flags)
	for _, words := range append(b.About, b.End...) {
		fmt.Fprintf(w, "\n%s\n", strings.Join(phrase.Wrap(words, 79), "\n"))
	}
}

// book returns the content of the relay's manual, from the same flags as its --help.
func book() manual.Program {
	c, path := defaults(), ""
	return manual.Program{
		Name: "nettplay-relay", Version: version, Summary: "carry sealed datagrams between nettplay's players whose routers keep them apart",
		About: []string{
			"A relay needs a machine that its players can reach at one UDP port. It cannot read what it carries, and keeps no log of addresses. It ends in good order at SIGTERM or Ctrl-C; the second signal ends it at once.",
		},
		Commands: []manual.Command{{Flags: flagsOf(&c, &path)}},
		End: []string{
			"The settings file has these settings and some more, each with a comment: packages bring one as /etc/nettplay-relay.toml, and a systemd unit that uses it. A flag goes before the file.",
			"Players put HOST:PORT of the relay into the setting net.relays, or start with --relay HOST:PORT.",
			"Exit codes: 0 it ended when it was told to, 1 it failed, 2 flags or settings are wrong.",
		},
	}
}

// version is set by the Makefile.
var version = "unknown"
