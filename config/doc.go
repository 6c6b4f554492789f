// Package config holds the user's settings: their defaults, the values that are allowed,
// and the TOML file that they are in.
//
// The file is $XDG_CONFIG_HOME/nettplay/config.toml, or the same under ~/.config
// ([Path]). Every key may be left out and then has its default. [Load] names keys
// it does not know, values that are not allowed and lines that are not TOML, all at once, each
// with file, line, key and what is allowed instead; all else in the file counts. [Init] writes a file
// with every key, its default, and what it means; [Show] renders what is in effect. Files
// are written whole and replaced in one step, and only their owner may read them.
// Passwords are no settings: a player tells one for each room.
//
// It promises:
//   - Whatever is in a file, [Config.Validate] finds no fault with the Config that
//     comes of it, and one that was saved loads as the same.
//   - A file that was edited by hand is rewritten only when asked, and a copy of it is
//     kept then: [KeepMAC] changes one line of it.
//   - Nothing is read from the environment but the places of files.
//
// Names of keys and buttons are strings that internal/ui turns into SDL's; numbers
// and paths are plain.
//
// The settings are described in one table (the methods called fields): each with its
// key, its default, its documentation, what is allowed, and a check. Defaults, reading,
// writing, errors and documentation are made from that table, so a new setting is one
// field of a struct and one entry. Read package emucore next to see what
// becomes of the firmware settings, or cmd/nettplay for the flags that override
// them.
package config
