package membership

import (
	"cmp"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Config is what a machine brings that opens a room or joins one.
type Config struct {
	Nickname     string
	Firmware     ds.Firmware        // of its primary player's console
	LocalPlayers []room.LocalPlayer // further players at this machine
	Password     string             // "" for an open room; at most 256 bytes
	Version      string             // of this program
	Random       io.Reader          // crypto/rand.Reader, but for tests
	Cores        room.CoreFacts     // for hints to players
	CoreSource   room.CoreSource    // where this machine got its core
	Timeouts     Timeouts
	// Addrs are where this machine can be reached, at most 4, for the others when the
	// game host is gone.
	Addrs []string
	// Iterations are those of the key that is made from the password; 0: as many as the
	// protocol says. Tests need cheap keys.
	Iterations int
}

// Identity is a machine's identity in one room.
type Identity struct {
	Program    string // version of nettplay
	Random     io.Reader
	Cores      room.CoreFacts
	CoreSource room.CoreSource
	Timeouts   Timeouts
	Salt       [16]byte           // of the room
	Key        []byte             // made from the password; nil without one
	Sign       ed25519.PrivateKey // proves on another connection that it is the same machine
	Addrs      []string           // where it can be reached, as it says itself
	Door       room.Door
}

// Identity checks and completes what a machine comes with, and makes its key for one stay in a
// room.
func (c *Config) Identity() (id Identity, err error) {
	if c.LocalPlayers, err = room.CheckLocalPlayers(c.LocalPlayers); err != nil {
		return id, err
	}
	if err := errors.Join(room.CheckFirmware(c.Firmware), CheckPassword(c.Password)); err != nil {
		return id, err
	}
	if c.Random == nil {
		return id, errors.New("no source of random numbers")
	}
	c.Iterations = cmp.Or(c.Iterations, Iterations)
	id = Identity{
		Program: wire.Clean(c.Version, room.MaxProgram), Random: c.Random, Cores: c.Cores,
		CoreSource: c.CoreSource.Cleaned(),
		Timeouts:   c.Timeouts.withDefaults(), Addrs: room.BoundAddrs(c.Addrs),
	}
	if id.Sign, err = NewKey(c.Random); err != nil {
		return id, fmt.Errorf("make a key for this session: %w", err)
	}
	return id, nil
}
