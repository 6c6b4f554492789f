package relaymodel

import (
	"math"

	"github.com/nettplay/nettplay/internal/relay"
)

// Assumptions are what is not known before there are players.
type Assumptions struct {
	PerDay   float64   // rooms that a player is in each day
	Peak     float64   // players at the busiest hour, beside the day's mean
	Median   float64   // length of a room in minutes, log-normal
	Spread   float64   // its sigma
	Sizes    []float64 // share of rooms with 2, 3, ... machines
	Open     float64   // share of rooms that are listed
	Friends  float64   // friends that a player lets know where they are
	PerTB    []float64 // prices of a terabyte sent
	PerRelay float64   // price of a machine of two cores and a gigabit a month
}

// Usual are assumptions for a console of the pocket, with friends in the evening.
func Usual() Assumptions {
	return Assumptions{
		PerDay: 1, Peak: 2.5, Median: 50, Spread: 0.8, Sizes: []float64{0.65, 0.13, 0.19, 0.01, 0.01, 0.005, 0.005},
		Open: 0.2, Friends: 3, PerTB: []float64{1, 50}, PerRelay: 10,
	}
}

// Measured are figures of one relay: `make relaybench` and `make relaycluster` print them.
type Measured struct {
	Core     float64 // of one, for a relayed connection of two machines at 60 datagrams a second
	Bytes    float64 // a second and direction of a relayed connection
	Room     float64 // bytes of memory for the two mailboxes of a room
	Entry    float64 // bytes of memory for an entry
	Cores    float64 // that one relay uses
	Gigabits float64 // that its machine sends
	Writes   float64 // a second that three nodes of NATS take
}

// Known are those of 2026-11.
func Known() Measured {
	return Measured{Core: 0.44 / 1000, Bytes: 10_000, Room: 6 << 10, Entry: 512, Cores: 1, Gigabits: 1, Writes: 50_000}
}

// Usage is how many use a service at the same time.
type Usage struct {
	Players  float64
	Relayed  float64 // share of the connections
	Relays   float64
	Services float64 // into which they are split
}

// Load is what that means.
type Load struct {
	Rooms, Starts     float64   // at once, a second
	Connections       float64   // that are relayed
	Cores, Gigabits   float64   // for those, sent
	Mailboxes, Memory float64   // of a relay; bytes of a relay
	Entries, Writes   float64   // that each relay of a service knows; a second, of a service
	Month             float64   // terabytes sent
	Cost              []float64 // a player and month, for each price of a terabyte
}

// MeanRoom is the mean length of a room in minutes.
func (a Assumptions) MeanRoom() float64 { return a.Median * math.Exp(a.Spread*a.Spread/2) }

// MeanSize is how many machines a room has.
func (a Assumptions) MeanSize() (size float64) {
	for i, share := range a.Sizes {
		size += share * float64(i+2)
	}
	return size
}

// AtOnce is how many of the players of a day play at the busiest hour.
func (a Assumptions) AtOnce(daily float64) float64 {
	return daily * a.PerDay * a.MeanRoom() / (24 * 60) * a.Peak
}

const (
	announced = 6.0 // seconds until an entry is said again
	held      = float64(relay.UsedTogether)
)

// Load computes what a usage means. daily is how many players share the cost.
func (a Assumptions) Load(m Measured, u Usage, daily float64) (l Load) {
	l.Rooms = u.Players / a.MeanSize()
	l.Starts = l.Rooms / (a.MeanRoom() * 60)
	l.Connections = (u.Players - l.Rooms) * u.Relayed
	l.Cores = l.Connections * m.Core
	l.Gigabits = l.Connections * 2 * m.Bytes * 8 / 1e9
	l.Mailboxes = u.Players * min(held, u.Relays/u.Services) / u.Relays
	entries := l.Rooms*(1+a.Open) + u.Players*a.Friends
	l.Entries = entries / u.Services
	l.Writes = l.Entries * min(held, u.Relays/u.Services) / announced
	l.Memory = l.Mailboxes*m.Room/2 + l.Entries*m.Entry
	l.Month = l.Gigabits / 8 / 1000 * 30 * 24 * 3600 / a.Peak
	for _, price := range a.PerTB {
		l.Cost = append(l.Cost, (l.Month*price+u.Relays*a.PerRelay)/daily)
	}
	return l
}

// Limit is one thing that ends, and at how many players at once in one service of three relays.
type Limit struct {
	Name    string
	Players float64
	Remedy  string
}

// Limits are what breaks, the first one first, for a share of relayed connections.
func (a Assumptions) Limits(m Measured, relayed float64) []Limit {
	const relays = 3
	one := a.Load(m, Usage{Players: 1, Relayed: relayed, Relays: relays, Services: 1}, 1)
	usual := relay.Limits{}.WithDefaults()
	return sorted([]Limit{
		{"entries that a relay keeps of others (65,536)", float64(usual.Heard) / one.Entries, "a service for each region"},
		{"mailboxes of a relay (setting `machines`, 10,000)", float64(usual.Mailboxes) / one.Mailboxes, "the setting; 3 KiB for each"},
		{"writes that three nodes of NATS take", m.Writes / one.Writes, "a service for each region"},
		{"the core of a relay", relays * m.Cores / one.Cores, "more relays"},
		{"the gigabit of a relay", relays * m.Gigabits / one.Gigabits, "more relays"},
		{"one gigabyte of a relay's memory", 1e9 / one.Memory, "more relays, or memory"},
	})
}
