package room

import (
	"fmt"
	"slices"
	"time"
)

// Pair is two clients of a room. Everything they send each other goes through the game host.
type Pair struct {
	A, B Player
	Host string        // the game host's nickname
	RTT  time.Duration // through the game host; zero: not known
	Path *Path         // between the two; nil for none
	Game bool          // a game is being played: there should be a Path
}

// Pairs returns all pairs of clients, sorted by machine.
func (r Room) Pairs() (list []Pair) {
	host, _ := r.Player(r.Host)
	var clients []Player
	for _, p := range r.Players {
		if p.Local == 0 && p.Present && p.Machine != r.Host {
			clients = append(clients, p)
		}
	}
	slices.SortFunc(clients, func(a, b Player) int { return a.Machine - b.Machine })
	for i, a := range clients {
		for _, b := range clients[i+1:] {
			p := Pair{A: a, B: b, Host: host.Nickname, Game: r.Phase == PhasePlaying}
			if a.Ping > 0 && b.Ping > 0 {
				p.RTT = a.Ping + b.Ping
			}
			if n := slices.IndexFunc(a.Paths, func(p Path) bool { return p.Machine == b.Machine }); n >= 0 {
				p.Path = &a.Paths[n]
			}
			list = append(list, p)
		}
	}
	return list
}

// Names returns their nicknames.
func (p Pair) Names() string { return p.A.Nickname + " and " + p.B.Nickname }

// Words says how datagrams go between the two, and how they would without the game host.
func (p Pair) Words() string {
	words := "through " + p.Host + milliseconds(p.RTT)
	switch {
	case p.Path != nil && p.Path.Way == "":
		words += fmt.Sprintf("; directly%s if %s leaves", milliseconds(p.Path.RTT), p.Host)
	case p.Path != nil:
		words += fmt.Sprintf("; if %s leaves, %s%s", p.Host, p.Path.Way, milliseconds(p.Path.RTT))
	case p.Game:
		words += fmt.Sprintf("; no other way yet if %s leaves", p.Host)
	}
	return words
}

func milliseconds(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%d ms)", max(d.Round(time.Millisecond).Milliseconds(), 1))
}
