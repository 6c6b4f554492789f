package main

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/session"
)

// console tells a player at a terminal what happens: lines that stay, and on a
// terminal one line at the bottom that is redrawn. Without one, only lines that
// stay are written.
type console struct {
	env      *environment
	verbose  bool
	password bool // the room asks for one
	local    bool // nobody else can join
	onAir    airWatch
	writing  sync.Mutex
	line     string // on the terminal now; guarded by writing
	roster   string // as last told
}

func newConsole(env *environment, verbose bool) *console {
	return &console{env: env, verbose: verbose}
}

// notice takes what a session tells.
func (c *console) notice(n session.Notice) {
	switch n := n.(type) {
	case session.Opened:
		c.opened(n)
	case session.Connecting:
		c.say("Connecting to %s ...", n.Addr)
	case session.RoomNotice:
		c.room(n.Room)
	case session.Message:
		if n.From != "" {
			c.say("<%s> %s", n.From, n.Text)
		} else {
			c.say("%s", n.Text)
		}
	case session.Transfer:
		c.transfer(n)
	case session.CatchingUp:
		c.draw(fmt.Sprintf("Catching up with the game: %.0f s behind", n.Seconds()))
	case session.Playing:
		c.draw("")
		if c.local {
			c.say("The game begins. Ctrl-C ends it.")
		} else {
			c.say("All consoles are equal on all machines: the game begins. Ctrl-C leaves.")
		}
		c.onAir = airWatch{names: map[int]string{}}
		for _, p := range n.Room.Players {
			c.onAir.names[p.Seat] = p.Nickname
		}
	case session.Figures:
		if text, changed := c.onAir.look(n.OnAir); changed {
			c.say("%s", text)
		}
	case session.Saved:
		if c.verbose {
			c.say("Your save is kept, as all machines have it after %s.", count(n.Frame, "frame"))
		}
	case session.Waiting:
		if len(n.For) > 0 {
			c.draw("Waiting for " + strings.Join(n.For, ", ") + " ...")
		} else {
			c.draw("")
		}
	}
}

func (c *console) opened(n session.Opened) {
	if c.local {
		return
	}
	_, port, err := net.SplitHostPort(n.Addr)
	if err != nil {
		port = "?"
	}
	suffix := ""
	if port != fmt.Sprint(config.DefaultPort) {
		suffix = ":" + port
	}
	flags := ""
	if c.password {
		flags = " --password ..."
	}
	c.say("The room is open on UDP port %s. The others join with:", port)
	for _, ip := range addresses() {
		c.say("  nettplay join %s%s%s", ip, suffix, flags)
	}
	c.say("  nettplay join 127.0.0.1%s%s   (on this machine)", suffix, flags)
	c.say("From outside your network they use your public address, and your router must\nforward UDP port %s to this machine. Each needs the game, in a ROM folder of\nthe settings or with --rom FILE.", port)
}

// airWatch tells whose radios are in use, once that has lasted for a moment.
type airWatch struct {
	names map[int]string // by seat
	told  []int
	seen  []int
	times int // that it was seen
}

// look takes the seats whose radios are in use, four times a second.
func (a *airWatch) look(seats []int) (text string, changed bool) {
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

// addresses are this machine's own in its local networks.
func addresses() []string {
	var list []string
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			list = append(list, n.IP.String())
		}
	}
	return list
}

// room says who is there, when that has changed. While a machine still looks
// for the games, which takes a moment after each change, there is nothing to
// say yet.
func (c *console) room(r host.Room) {
	if c.local && len(r.Players) == 1 || r.Phase != host.PhaseLobby && r.Phase != host.PhasePreparing {
		return
	}
	for _, p := range r.Players {
		if looking(p) {
			c.draw(p.Problem + " ...")
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
		count(int64(r.Settings.Delay), "frame"), strings.TrimRight(text, "\n"))
	if missing := r.Settings.MinPlayers - present; missing > 0 {
		c.draw(fmt.Sprintf("Waiting for %s to join ...", count(int64(missing), "player")))
	}
}

// looking tells whether a machine has not yet said if it can play here.
func looking(p host.Player) bool {
	return p.Present && !p.Ready && strings.Contains(p.Problem, "is still looking at")
}

// players are those who are there, a line each.
func (c *console) players(r host.Room) (text string, present int) {
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
		fmt.Fprintf(&b, "  seat %-2d  %-*s  %s: %s\n", p.Seat+1, widest, p.Nickname, shorten(p.ROM.Title, 40), state)
		if p.Note != "" && c.verbose {
			fmt.Fprintf(&b, "           %s\n", p.Note)
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

// transfer draws how far the consoles' start has come.
func (c *console) transfer(t session.Transfer) {
	p, word := t.Down, "Receiving"
	if t.Up.Total > t.Down.Total {
		p, word = t.Up, "Sending"
	}
	if p.Total <= 0 {
		c.draw("")
		return
	}
	const width = 30
	full := int(min(max(p.Done*width/p.Total, 0), width))
	c.draw(fmt.Sprintf("%s saves and states [%s%s] %s", word,
		strings.Repeat("#", full), strings.Repeat(".", width-full), amount(p)))
}

// amount is how far something has come, in bytes that people can read.
func amount(p host.Progress) string {
	if p.Total < 1e6 {
		return fmt.Sprintf("%.1f of %.1f KB", float64(p.Done)/1e3, float64(p.Total)/1e3)
	}
	return fmt.Sprintf("%.1f of %.1f MB", float64(p.Done)/1e6, float64(p.Total)/1e6)
}

// over tells how the session has ended, unless that was a failure: those are
// told by the program.
func (c *console) over(r session.Report, err error, interrupted bool) {
	c.draw("")
	switch {
	case err != nil:
	case interrupted:
		c.say("You have left the room.")
	case r.Frames > 0:
		c.say("The game is over after %s (%v).", count(r.Frames, "frame"), ds.FrameTime(r.Frames).Round(time.Second))
	}
}

// say writes a line that stays. It may be called from any goroutine.
func (c *console) say(format string, args ...any) {
	c.writing.Lock()
	defer c.writing.Unlock()
	line := c.line
	c.replace("")
	fmt.Fprintf(c.env.stderr, format+"\n", args...)
	c.replace(line)
}

// draw replaces the line at the bottom of the terminal. It may be called from any
// goroutine.
func (c *console) draw(line string) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.replace(line)
}

// replace is draw, for who holds c.writing.
func (c *console) replace(line string) {
	if line == c.line {
		return
	}
	c.line = line
	switch {
	case c.env.columns > 0:
		fmt.Fprintf(c.env.stderr, "\r\x1b[K%s", shorten(line, c.env.columns-1))
	case line != "" && c.verbose:
		fmt.Fprintln(c.env.stderr, line)
	}
}

// shorten cuts a text to so many letters.
func shorten(s string, letters int) string {
	runes := []rune(s)
	if len(runes) <= letters {
		return s
	}
	return string(runes[:max(letters-1, 0)]) + "…"
}

// count is a number of things.
func count(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
