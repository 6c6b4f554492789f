package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// room writes the roster when it has changed. It waits while a machine still looks for
// the games, which takes a moment after each change.
func (c *console) room(r room.Room) {
	if c.local && len(r.Players) == 1 || r.Phase != room.PhaseLobby && r.Phase != room.PhasePreparing {
		return
	}
	for _, p := range r.Players {
		if p.Present && !p.Ready && p.Cause == room.CauseCheck {
			c.draw(strings.TrimSuffix(sentence(p.Problem), ".") + " ...")
			return
		}
	}
	c.draw("")
	text, present := c.players(r)
	if text == c.roster {
		return
	}
	c.roster = text
	c.say("%s: %d of %d seats taken, input delay %s\n%s", r.Settings.Room, present, r.Settings.Seats,
		delayWords(r.Settings), strings.TrimRight(text, "\n"))
	if missing := r.Settings.MinPlayers - present; missing > 0 {
		c.draw(fmt.Sprintf("Waiting for %s to join ...", phrase.Count(missing, "player")))
	}
}

// delayWords tell the input delay of a room's next game: an automatic one begins as suits the pings.
func delayWords(s room.Settings) string {
	if s.AutoDelay != autodelay.Off {
		return "auto (" + s.AutoDelay.String() + ")"
	}
	return phrase.Count(s.Delay, "frame")
}

// players lists the players who are there, a line each.
func (c *console) players(r room.Room) (text string, present int) {
	widest := 0
	for _, p := range r.Players {
		widest = max(widest, utf8.RuneCountInString(p.Nickname))
	}
	var b strings.Builder
	for _, p := range r.Players {
		if !p.Present {
			continue
		}
		present++
		state := "ready"
		switch {
		case p.Problem != "":
			state = p.Problem
		case !p.Ready:
			state = "not ready yet"
		}
		fmt.Fprintf(&b, "  seat %-2v  %-*s  %s: %s\n", p.Seat, widest, p.Nickname, phrase.Shorten(p.ROM.Title, 40), state)
		if key := seal.Public(p.Key); c.verbose && p.Local == 0 && !key.IsZero() {
			fmt.Fprintf(&b, "           key %s\n", key.Fingerprint())
		}
		if p.Way != "" {
			fmt.Fprintf(&b, "           %s\n", p.Way)
		}
		if p.Note != "" && c.verbose {
			fmt.Fprintf(&b, "           %s\n", p.Note)
		}
	}
	for _, p := range r.Pairs() {
		if c.verbose {
			fmt.Fprintf(&b, "  %s: %s\n", p.Names(), p.Words())
		}
	}
	var watch []string
	for _, s := range r.Spectators {
		watch = append(watch, s.Nickname)
	}
	if len(watch) > 0 {
		fmt.Fprintf(&b, "  watching: %s\n", strings.Join(watch, ", "))
	}
	return b.String(), present
}

// airWatch tells whose radios are in use, once they have been for a moment.
type airWatch struct {
	names map[ds.Seat]string
	told  []ds.Seat
	seen  []ds.Seat
	times int // that it was seen
}

// look takes the seats whose radios are in use, four times a second.
func (a *airWatch) look(seats []ds.Seat) (text string, changed bool) {
	const moment = 4
	if !slices.Equal(seats, a.seen) {
		a.seen, a.times = slices.Clone(seats), 0
	}
	if a.times++; a.times < moment || slices.Equal(seats, a.told) {
		return "", false
	}
	a.told = a.seen
	var names []string
	for _, seat := range seats {
		names = append(names, a.names[seat])
	}
	if len(names) == 0 {
		return "Nobody uses the radio any more.", true
	}
	return "On the air: " + strings.Join(names, ", ") + ".", true
}

// blocked says, once, who or what a start waits for that the roster does not show.
func (c *console) blocked(n notice.Blockers) {
	var words []string
	for _, b := range n.List {
		if b.Cause == room.CauseAbsent {
			words = append(words, b.Words)
		}
	}
	text := strings.Join(words, "; ")
	if text != "" && text != c.absent {
		c.say("The game cannot start: %s.", text)
	}
	c.absent = text
}
