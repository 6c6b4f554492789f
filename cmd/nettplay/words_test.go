package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestOnlineWords: each room says how to come in, or why not.
func TestOnlineWords(t *testing.T) {
	room := func(name string, locked, playing bool, r online.Room) online.Room {
		r.Listing = relay.Listing{Room: name, Game: "Pad", Seats: 4, Free: 2, Locked: locked, Playing: playing}
		r.Invite = "nettplay:" + name
		return r
	}
	v := online.View{
		Rooms: []online.Room{
			room("a", false, false, online.Room{Ping: 40 * time.Millisecond}),
			room("b", true, false, online.Room{Ping: time.Microsecond}),
			room("c", false, true, online.Room{}),
			room("d", false, false, online.Room{Mine: true}),
			room("e", true, true, online.Room{Why: online.WhyFull}),
		},
		Friends: []online.Friend{
			{Nickname: "Ann", State: online.Away},
			{Nickname: "Bob", State: online.There},
			{Nickname: "Cleo", State: online.InLobby, Game: "Pad", Invite: "nettplay:c"},
			{Nickname: "Dan", State: online.Playing, Game: "Pad"},
		},
	}
	var b bytes.Buffer
	must.Succeed(t, writeOnline(&b, v))
	const want = `a  Pad  2 of 4 free  about 40 ms   in the lobby
  nettplay:a
b  Pad  2 of 4 free  about 1 ms    asks for a password
  nettplay:b
c  Pad  2 of 4 free  ping unknown  plays, you can join late
  nettplay:c
d  Pad  2 of 4 free  ping unknown  yours
  nettplay:d
e  Pad  2 of 4 free  ping unknown  no seat is free
  nettplay:e
Ann   not there
Bob   there
Cleo  in a room for Pad
  nettplay:c
Dan   plays Pad
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestWatchLine(t *testing.T) {
	for _, c := range []struct {
		status player.Status
		want   string
	}{
		{player.Status{Loading: true}, "Building the consoles: 0:00 (frame 0)"},
		{player.Status{Live: true, Frame: 600, Length: 4200}, "Catching up (1:00 behind): 0:10 (frame 600)"},
		{player.Status{Live: true, Frame: 4190, Length: 4200}, "Watching: 1:10 (frame 4190)"},
	} {
		if got := watchLine(c.status); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
