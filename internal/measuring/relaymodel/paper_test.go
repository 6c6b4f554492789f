package relaymodel

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

func sorted(list []Limit) []Limit {
	slices.SortStableFunc(list, func(a, b Limit) int { return int(math.Copysign(1, a.Players-b.Players)) })
	return list
}

// million is how many players the paper is about, shares the shares of connections that go
// through a relay.
const million = 1e6

var shares = []float64{0.1, 0.2, 0.3}

// Paper is docs/relay-model.md.
func Paper() string {
	a, m := Usual(), Known()
	var b strings.Builder
	text := fmt.Sprintf(`# A million players, on paper

[internal/measuring/relaymodel](../internal/measuring/relaymodel) computes this page, and its test keeps it so. Change them there for a service
with other figures: ~cd internal/measuring && go test ./relaymodel -update~ writes the page again.

## Assumptions

* Rooms begin as a Poisson process, at the busiest hour %.1f times as many as in the day's mean. Each player is in %.0f room a day.
* A room lasts log-normally long: half of them more than %.0f minutes (sigma %.1f), the mean is %.0f.
* %.0f %% of the rooms have two machines, the mean is %.1f. %.0f %% are open to all. A player lets %.0f friends know.
* 10 to 30 %% of the connections between a game host and a player go through a relay. Each sends %.0f bytes a second in each direction.
* A terabyte that is sent costs %.0f where traffic is cheap and %.0f in the large clouds, and a machine of two cores and a gigabit %.0f a month, in
  euros or dollars.

Measured: %.3f %% of a core for a relayed connection at 60 datagrams a second, and %.0f bytes of memory for a room (~make relaybench~).
A relay reads its socket with one core. Three nodes of NATS are assumed to take %s writes a second.

`, a.Peak, a.PerDay, a.Median, a.Spread, a.MeanRoom(), 100*a.Sizes[0], a.MeanSize(), 100*a.Open, a.Friends, m.Bytes,
		a.PerTB[0], a.PerTB[1], a.PerRelay, 100*m.Core, m.Room, number(m.Writes))
	b.WriteString(strings.ReplaceAll(text, "~", "`"))
	a.limits(&b, m)
	for _, t := range []struct {
		title   string
		players float64
		daily   float64
	}{
		{"A million players a day", a.AtOnce(million), million},
		{"A million players at once", million, million / a.AtOnce(1)},
	} {
		a.table(&b, m, t.title, t.players, t.daily)
	}
	b.WriteString(`## Ways to shard

By region, as a service of its own: friends choose a near relay anyway, a code finds its room by the relay of the settings or the
one named behind its @, and nothing but the list of open rooms and the sight of friends ends at the border of a service. Within
a service, more relays share bandwidth and cores, but each of them knows all entries. Beyond that the
entries would be split by the first bits of their keys, over buckets, with each relay asking for what it does not keep.
`)
	return b.String()
}

func (a Assumptions) limits(b *strings.Builder, m Measured) {
	b.WriteString("## First limits\n\nIn one service of three relays, with 20 % relayed:\n\n| what ends | at so many players at once | remedy |\n|---|---|---|\n")
	for _, l := range a.Limits(m, 0.2) {
		fmt.Fprintf(b, "| %s | %s | %s |\n", l.Name, number(l.Players), l.Remedy)
	}
	b.WriteString("\n")
}

// services are as many that none comes near its first limit, with at least three relays each
// that are used to two thirds.
func (a Assumptions) services(m Measured, players, relayed float64) (u Usage) {
	u = Usage{Players: players, Relayed: relayed}
	first := a.Limits(m, relayed)[0].Players
	u.Services = math.Ceil(players / (0.75 * first))
	one := a.Load(m, Usage{Players: players, Relayed: relayed, Relays: 3, Services: 1}, 1)
	each := math.Ceil(max(one.Cores/m.Cores, one.Gigabits/m.Gigabits) * 1.5 / u.Services)
	u.Relays = u.Services * max(3, each)
	return u
}

func (a Assumptions) table(b *strings.Builder, m Measured, title string, players, daily float64) {
	rows := [][]string{
		{"players and rooms at once"},
		{"rooms that begin, a second"},
		{"services, relays"},
		{"relayed connections"},
		{"cores for them, Gbit/s sent"},
		{"mailboxes of a relay"},
		{"sockets of a relay"},
		{"memory of a relay, MB"},
		{"entries of a service"},
		{"NATS writes a second, of a service"},
		{"terabytes a month"},
		{"cost of a player and month"},
	}
	for _, relayed := range shares {
		u := a.services(m, players, relayed)
		l := a.Load(m, u, daily)
		for i, cell := range []string{
			number(u.Players) + ", " + number(l.Rooms), fmt.Sprintf("%.1f", l.Starts), number(u.Services) + ", " + number(u.Relays), number(l.Connections),
			fmt.Sprintf("%.1f, %.1f", l.Cores, l.Gigabits), number(l.Mailboxes), "2, and one for each WebSocket", fmt.Sprintf("%.0f", l.Memory/1e6),
			number(l.Entries), number(l.Writes), number(l.Month), fmt.Sprintf("%.4f to %.3f", l.Cost[0], l.Cost[1]),
		} {
			rows[i] = append(rows[i], cell)
		}
	}
	fmt.Fprintf(b, "## %s\n\n| relayed | 10 %% | 20 %% | 30 %% |\n|---|---|---|---|\n", title)
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
	b.WriteString("\n")
}

// number is a count with two digits that matter, in groups of three.
func number(v float64) string {
	unit := math.Pow(10, max(0, math.Floor(math.Log10(max(v, 1)))-1))
	text := fmt.Sprintf("%.0f", math.Round(v/unit)*unit)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
