package launch

import (
	"context"
	"time"

	"github.com/nettplay/nettplay/internal/relay/joinpage"
)

// pagesEvery is the time between two looks for a relay's page: somebody may just be setting it up.
const pagesEvery = time.Minute

// watchPages looks for a relay that serves the page of invitations, in the order of the settings, until there is
// one. serves asks a host.
func (v *Inviter) watchPages(names []string, serves func(ctx context.Context, host string) bool) {
	for {
		named := false
		for _, name := range names {
			host, has := joinpage.Host(name)
			if named = named || has; has && serves(v.life, host) {
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
