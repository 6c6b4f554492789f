package online

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/seal"
)

// A quick match asks some rooms how far they are, and tries the nearest. What a listing says of its distance is a stranger's
// word: it only helps to choose those that are asked, and only half of them.

// Tried is the number of rooms that a quick match tries.
const Tried = 3

const (
	asked     = 12                      // rooms that are asked how far they are
	near      = 20 * time.Millisecond   // farther than the nearest room, and as good as it
	askedFor  = 4 * time.Second         // by WebSocket the first answer takes longest
	askedMore = 1500 * time.Millisecond // after the first answer
)

// Candidates are the open rooms that a quick match asks how far they are: of those with a game and free seats for so many
// players, without a password, some that say that they are near and some of the others, one of each game host.
func Candidates(rooms []Room, rom [32]byte, players int) (list []Room) {
	met := map[seal.Public]bool{}
	fitting := slices.DeleteFunc(slices.Clone(rooms), func(r Room) bool {
		return r.Why != "" || r.Mine || r.Locked || r.ROM != rom || r.Free < players
	})
	take := func(most int) {
		for _, r := range fitting {
			if !met[r.By] && len(list) < most {
				met[r.By] = true
				list = append(list, r)
			}
		}
	}
	slices.SortFunc(fitting, nearer)
	take(asked / 2)
	rand.Shuffle(len(fitting), func(i, j int) { fitting[i], fitting[j] = fitting[j], fitting[i] })
	take(asked)
	return list
}

// Matches asks rooms how far they are, and returns those that a quick match tries, at most Tried, in that order: those whose
// game has not begun go before those that play, and the nearest go first; those that are about as near in any order. Of those
// whose answers come from one network, the first is tried alone; a relay, which hides where somebody is, bounds the rooms of a network. A room
// that does not answer is not there. It takes some seconds at most, less if all answer. Own are the relays that the player's settings
// name, and bind is as in [Config].
func Matches(ctx context.Context, rooms []Room, own []string, bind string) []Room {
	ctx, cancel := context.WithTimeout(ctx, askedFor)
	defer cancel()
	var jobs sync.WaitGroup
	measured := slices.Clone(rooms)
	for i := range measured {
		r := &measured[i]
		r.Ping = 0
		jobs.Go(func() {
			if r.Ping, r.answered = measure(ctx, r.Invite, own, bind); r.Ping > 0 {
				time.AfterFunc(askedMore, cancel)
			}
		})
	}
	jobs.Wait()
	return ordered(measured)
}

// measure returns the time in which a room's game host answers, 0 if it does not, and from where; not valid by a relay.
func measure(ctx context.Context, invitation string, own []string, bind string) (took time.Duration, from netip.Addr) {
	v, found, err := invite.Find(invitation)
	if !found || err != nil {
		return 0, from
	}
	l, err := udp.Listen(udp.Config{Bind: bind, Relays: own, Room: v.Secret})
	if err != nil {
		return 0, from
	}
	defer l.Close()
	return l.Measure(ctx, v.Target())
}

// ordered are the rooms to try, of those that have answered.
func ordered(rooms []Room) []Room {
	list := slices.DeleteFunc(rooms, func(r Room) bool { return r.Ping <= 0 })
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	nearest := map[bool]time.Duration{} // of those that play, and of the others
	for _, r := range list {
		if at, known := nearest[r.Playing]; !known || r.Ping < at {
			nearest[r.Playing] = r.Ping
		}
	}
	ping := func(r Room) time.Duration { return max(r.Ping, nearest[r.Playing]+near) }
	slices.SortStableFunc(list, func(a, b Room) int { return cmp.Or(last(a.Playing)-last(b.Playing), cmp.Compare(ping(a), ping(b))) })
	met := map[netip.Addr]bool{}
	list = slices.DeleteFunc(list, func(r Room) bool {
		if !r.answered.IsValid() {
			return false
		}
		at := ds.Origin(r.answered)
		again := met[at]
		met[at] = true
		return again
	})
	return list[:min(len(list), Tried)]
}
