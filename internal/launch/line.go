package launch

import (
	"context"
	"errors"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
)

// LineTime is the longest measurement of a line: the game host sends those away who say nothing for
// five seconds.
const LineTime = 4 * time.Second

// Line measures the line to the game host of an invitation, or of a room on this network, for
// so long.
func (m Machine) Line(ctx context.Context, address string, span time.Duration) (link.Stats, error) {
	secret, to, err := m.target(ctx, Address(address))
	if err != nil {
		return link.Stats{}, err
	}
	l, err := m.listen(0, room.Door{Secret: secret})
	if err != nil {
		return link.Stats{}, err
	}
	defer l.Close()
	go func() {
		for range l.Events() { // somebody must read them
		}
	}()
	peer, err := l.Dial(ctx, to)
	if err != nil {
		return link.Stats{}, err
	}
	defer l.Disconnect(peer, "the connection was measured")
	select {
	case <-time.After(span):
	case <-ctx.Done():
		return link.Stats{}, ctx.Err()
	}
	stats, connected := l.Stats(peer)
	if !connected || stats.RTT == 0 {
		return stats, errors.New("the connection broke while it was measured")
	}
	return stats, nil
}
