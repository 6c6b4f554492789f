package session

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestPlayersKnowEachOthersKeys: everybody in the room sees the key that each machine has
// proven, and a player behind another one at the same machine has the same.
func TestPlayersKnowEachOthersKeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 3)
		links := map[string]link.Link{}
		for i := range 3 {
			p := tb.sit(func(c *Config) {
				c.AskReady, links[c.Firmware.Nickname] = true, c.Link
				if c.Host != nil {
					c.Host.AutoStart = 0
				}
			})
			p.untilRoom("everybody so far is there", func(r room.Room) bool { return len(r.Players) == i+1 })
		}
		for _, m := range tb.machines {
			m.untilRoom("all keys are known", func(r room.Room) bool {
				for _, p := range r.Players {
					if l := links[p.Nickname]; l == nil || p.Key != l.Key() {
						return false
					}
				}
				return len(r.Players) == 3
			})
		}
	})
}

// room2 is a room of two machines, as its game host tells it.
type room2 struct{ member }

func (room2) Room() room.Room {
	return room.Room{Players: []room.Player{{Machine: 0, Key: [32]byte{1}}, {Machine: 1, Key: [32]byte{2}}}}
}

// TestGameHostCannotBorrowAKey: what a game host says of its own key does not count, but what
// it has proven.
func TestGameHostCannotBorrowAKey(t *testing.T) {
	s := bare(room2{})
	s.client, s.peer, s.gameHost = new(client.Client), 7, 0
	s.connectionOpened(time.Now(), link.Event{Kind: link.Connected, Peer: 7, Key: [32]byte{9}})
	if r := s.seen(); r.Players[0].Key != [32]byte{9} || r.Players[1].Key != [32]byte{2} {
		t.Errorf("%x and %x", r.Players[0].Key, r.Players[1].Key)
	}
}
