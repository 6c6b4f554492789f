package launch

import (
	"context"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
)

// pagesEvery is the time between two looks for a relay's page: somebody may just be setting it up.
const pagesEvery = time.Minute

// servesPage asks a host for the page of invitations.
func servesPage(ctx context.Context, host string) bool { return relay.ServesJoinPage(ctx, nil, host) }

// watchPages looks for a relay that serves the page of invitations, in the order of the settings, until there is
// one. Relays that only a room names are not asked: by those a stranger could send this computer's requests anywhere.
func (v *Inviter) watchPages() {
	for {
		named := false
		for _, name := range v.net.Relays {
			host, has := relay.JoinHost(name)
			if named = named || has; has && v.serves(v.life, host) {
				v.update(func() { v.page = host })
				return
			}
		}
		if !named {
			return
		}
		select {
		case <-time.After(pagesEvery):
		case <-v.life.Done():
			return
		}
	}
}
