package main

import (
	"fmt"
	"net"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/session"
)

// console tells a player at a terminal what happens: lines that stay, and on a
// terminal one line at the bottom that is redrawn. Without one, only lines that
// stay are written.
type console struct {
	env     *environment
	verbose bool
	line    string // on the terminal now
	roster  string // as last told
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
	case session.Playing:
		c.say("All consoles are equal on all machines: the game begins. Ctrl-C leaves.")
	case session.Waiting:
		if len(n.For) > 0 {
			c.draw("waiting for " + strings.Join(n.For, ", ") + " ...")
		} else {
			c.draw("")
		}
	}
}

func (c *console) opened(n session.Opened) {
	_, port, err := net.SplitHostPort(n.Addr)
	if err != nil {
		port = "?"
	}
	suffix := ":" + port
	if port == fmt.Sprint(config.DefaultPort) {
		suffix = ""
	}
	c.say("The room is open on UDP port %s. The others join with:", port)
	for _, ip := range addresses() {
		c.say("  nettplay join %s%s", ip, suffix)
	}
	c.say("From outside your network they use your public address, and your router must forward UDP port %s to this machine.", port)
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
	return append(list, "127.0.0.1")
}

// room says who is there, when that has changed.
func (c *console) room(r host.Room) {
	var b strings.Builder
	for _, p := range r.Players {
		if !p.Present {
			continue
		}
		state := "ready"
		switch {
		case p.Problem != "":
			state = p.Problem
		case !p.Ready:
			state = "not ready yet"
		}
		fmt.Fprintf(&b, "  seat %d  %-10s  %s, %s\n", p.Seat+1, p.Nickname, p.ROM.Title, state)
		if p.Note != "" {
			fmt.Fprintf(&b, "          %s\n", p.Note)
		}
	}
	if b.String() == c.roster || r.Phase != host.PhaseLobby {
		return
	}
	c.roster = b.String()
	c.say("%s: %d of %d seats taken, input delay %d frames\n%s", r.Settings.Room, len(r.Players), r.Settings.Seats, r.Settings.Delay, strings.TrimRight(b.String(), "\n"))
}

// transfer draws how far the consoles' start has come.
func (c *console) transfer(t session.Transfer) {
	p, word := t.Down, "receiving"
	if t.Up.Total > t.Down.Total {
		p, word = t.Up, "sending"
	}
	if p.Total <= 0 {
		return
	}
	const width = 30
	full := int(min(max(p.Done*width/p.Total, 0), width))
	c.draw(fmt.Sprintf("%s saves and states [%s%s] %.1f of %.1f MB", word,
		strings.Repeat("#", full), strings.Repeat(".", width-full), float64(p.Done)/1e6, float64(p.Total)/1e6))
}

// say writes a line that stays.
func (c *console) say(format string, args ...any) {
	line := c.line
	c.draw("")
	fmt.Fprintf(c.env.stderr, format+"\n", args...)
	c.draw(line)
}

// draw replaces the line at the bottom of the terminal.
func (c *console) draw(line string) {
	if !c.env.terminal {
		if line != c.line && line != "" && c.verbose {
			fmt.Fprintln(c.env.stderr, line)
		}
		c.line = line
		return
	}
	if line != c.line {
		fmt.Fprintf(c.env.stderr, "\r\x1b[K%s", line)
		c.line = line
	}
}
