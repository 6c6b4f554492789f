package main

import "github.com/nettplay/nettplay/internal/manual"

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
