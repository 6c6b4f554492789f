package udp

import "github.com/nettplay/nettplay/internal/relay"

// Index is what the relays of a link publish: open rooms and words between friends.
type Index struct{ l *Link }

// Index uses relays, each "host:port", also without a room.
func (l *Link) Index(names []string) Index {
	for _, name := range names {
		l.useRelay(name)
	}
	l.tendRelays()
	return Index{l}
}

// Put is [relay.Client.Put].
func (x Index) Put(of relay.Kind, key relay.Locator, body func(relay.Owner) []byte) {
	x.l.relays.client.Put(of, key, body)
	x.l.tendRelays()
}

// Drop is [relay.Client.Drop].
func (x Index) Drop(of relay.Kind, key relay.Locator) {
	x.l.relays.client.Drop(of, key)
	x.l.tendRelays()
}

// Browse is [relay.Client.Browse].
func (x Index) Browse(on bool) {
	x.l.relays.client.Browse(on)
	x.l.tendRelays()
}

// Seek is [relay.Client.Seek].
func (x Index) Seek(keys []relay.Locator) {
	x.l.relays.client.Seek(keys)
	x.l.tendRelays()
}

// Catalogs is [relay.Client.Catalogs].
func (x Index) Catalogs() []relay.Catalog { return x.l.relays.client.Catalogs() }
