package link

import (
	"testing"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

func TestPlayersReadWhereIsDialled(t *testing.T) {
	target := Target(seal.Public{1}, "192.0.2.1:7000", relay.Place("relay.example.org:21205", relay.Mailbox{2}))
	if got, want := Shown(target), "192.0.2.1:7000 or the relay relay.example.org:21205"; got != want {
		t.Errorf("%q", got)
	}
}
