package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/phrase"
)

// BlockedError tells why a game does not start.
type BlockedError struct{ Blockers []room.Blocker }

// Error names everyone who holds up the start, and why.
func (e *BlockedError) Error() string {
	var words []string
	for _, b := range e.Blockers {
		words = append(words, b.Words)
	}
	return "the game cannot start: " + strings.Join(words, "; ")
}

// Blockers are the reasons why a game cannot start now, none when it can.
func (h *Host) Blockers() []room.Blocker {
	if h.phase != room.PhaseLobby {
		return []room.Blocker{{Machine: -1, Seat: -1, Words: fmt.Sprintf("the room is %v", h.phase)}}
	}
	var list []room.Blocker
	if n := len(h.members); n < h.settings.MinPlayers {
		here := fmt.Sprintf("only %d are here", n)
		if n == 1 {
			here = "only 1 is here"
		}
		list = append(list, room.Blocker{Cause: room.CausePlayers, Machine: -1, Seat: -1, Words: fmt.Sprintf("%d players are needed; %s", h.settings.MinPlayers, here)})
	}
	list = append(list, h.absent()...)
	for _, m := range h.members {
		if m.local > 0 {
			continue // its machine speaks for it
		}
		name, state := m.nickname, m.nickname+" is not ready"
		if m.machine == h.me {
			name, state = "", "you are not ready"
		}
		b := room.Blocker{Machine: m.machine, Seat: m.seat}
		switch b.Cause, b.Words = h.problem(m, name); {
		case b.Words != "" && strings.HasPrefix(b.Words, name):
		case b.Words != "":
			b.Words = name + ": " + b.Words
		case !h.ready(m):
			b.Cause, b.Words = room.CauseReady, state
		default:
			continue
		}
		list = append(list, b)
	}
	return list
}

func (h *Host) ready(m *member) bool {
	return m.status.Ready && m.status.Revision == h.revision && m.present
}

// problem tells why a player holds up the start, apart from not being ready: to the others, by
// name, or, with an empty name, to the player. A machine's problem is told of its primary player. Without
// words there is none.
func (h *Host) problem(m *member, name string) (cause room.Cause, words string) {
	if !m.present || m.local > 0 {
		return 0, ""
	}
	if r, ok := h.buildRefusal(m.build, name); !ok {
		return room.CauseBuild, r.Error()
	}
	switch {
	case h.phase != room.PhaseLobby && !h.waits(m):
		return 0, ""
	case !m.disconnectedAt.IsZero():
		return room.CauseGone, "the connection to " + m.nickname + " is gone"
	case m.status.Revision != h.revision:
		return room.CauseCheck, room.LookingWords(name)
	case m.status.Problem != "":
		return m.status.Cause, m.status.Problem
	}
	if words = h.missing(m, name); words != "" {
		cause = room.CauseGame
	}
	return cause, words
}

// missing names the games that a machine has not, and who plays them; name is as with problem.
func (h *Host) missing(m *member, name string) string {
	var words, differs []string
	for _, sum := range h.games() {
		if !slices.Contains(m.status.Missing, sum) {
			continue
		}
		var players []string
		var rom room.ROMID
		for _, other := range h.members {
			if h.romOf(other).SHA256 != sum {
				continue
			}
			rom = h.romOf(other)
			if other != m || len(h.members) < 2 { // who lacks it knows
				players = append(players, other.nickname)
			}
		}
		switch what := rom.String(); len(players) {
		case 0: // only the one who plays it lacks it
			words = append(words, what)
		case 1:
			words = append(words, fmt.Sprintf("%s, which %s plays", what, players[0]))
		default:
			words = append(words, fmt.Sprintf("%s, which %s play", what, phrase.List(players)))
		}
		if i := slices.IndexFunc(m.status.Near, func(n room.Near) bool { return n.Of == sum }); i >= 0 {
			whose := "theirs"
			if name == "" {
				whose = "yours"
			}
			differs = append(differs, room.DiffersWords(whose, m.status.Near[i].Game, rom))
		}
	}
	if len(words) == 0 {
		return ""
	}
	another := ", or choose another game"
	if h.settings.Continues.Any() {
		another = ""
	}
	other := ""
	if len(differs) > 0 {
		other = "; " + strings.Join(differs, ", ")
	}
	return fmt.Sprintf("%s computer does not have %s%s: add the same version of it to one of its ROM folders%s",
		room.Owner(name), phrase.List(words), other, another)
}

// buildRefusal compares what a machine's consoles are emulated with to the room's.
func (h *Host) buildRefusal(b build, nickname string) (r room.Refusal, ok bool) {
	used := room.UsedCore{CoreID: h.settings.Core}
	if h.own().build.core.SHA256 == used.SHA256 {
		used.Source = h.self.CoreSource // else it is of our own build, which another one was before us
	}
	if r, ok := room.CoreRefusal(used, b.core, h.self.Cores, nickname); !ok {
		return r, false
	}
	return room.BiosRefusal(h.settings.BIOS, b.bios, nickname)
}

// sameBuild tells whether the consoles of somebody who wants to come in would be the room's.
func (h *Host) sameBuild(b build, name, cannot string) (r room.Refusal, did string, ok bool) {
	if r, ok = h.buildRefusal(b, ""); ok {
		return r, "", true
	}
	told, _ := h.buildRefusal(b, name)
	return r, cannot + told.Error(), false
}
