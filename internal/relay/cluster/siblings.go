package cluster

import (
	"maps"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
)

const (
	siblingLease = 5 * time.Second
	maxSiblings  = 64 // relays of which a relay knows
)

// siblings are the other relays of the service.
type siblings map[relay.Origin]sibling

type sibling struct {
	name  string
	heard time.Time
}

// hear notes that a relay is there, or is about to end.
func (s siblings) hear(from relay.Origin, name string, now time.Time) {
	if _, known := s[from]; known || len(s) < maxSiblings {
		s[from] = sibling{name, now}
	}
}

// expire forgets those that were not heard for too long.
func (s siblings) expire(now time.Time) {
	maps.DeleteFunc(s, func(_ relay.Origin, r sibling) bool { return now.Sub(r.heard) > siblingLease })
}

// names are those that the relay called own tells: in one order for all, and each begins behind itself,
// so that those who use one relay learn the same others first.
func (s siblings) names(own string) (list []string) {
	for _, r := range s {
		if r.name != "" && r.name != own && !slices.Contains(list, r.name) {
			list = append(list, r.name)
		}
	}
	slices.Sort(list)
	i, _ := slices.BinarySearch(list, own)
	return slices.Concat(list[i:], list[:i])
}
