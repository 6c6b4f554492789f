package main

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// notice takes what a session tells.
func (c *console) notice(n notice.Notice) {
	switch n := n.(type) {
	case notice.Opened:
		c.opened(n)
	case notice.Connecting:
		if !c.matching {
			c.say("Connecting to %s ...", n.Addr)
		}
	case notice.Unanswered:
		if c.matching {
			return
		}
		c.prose(n.String())
		c.sendAnswer(func() { c.unanswered = true })
	case notice.RoomNotice:
		c.sendAnswer(func() { c.unanswered = false })
		c.room(n.Room)
	case notice.Message:
		if n.From != "" {
			c.write("<" + n.From + "> " + n.Text)
		} else {
			c.say("%s", sentence(n.Text))
		}
	case notice.StartFailed:
		c.draw("")
		c.prose(strings.TrimSpace(sentence(n.String()) + " " + sentence(n.Hint)))
	case notice.JoinFailed:
		c.prose(sentence(n.Words))
	case notice.Blockers:
		c.blocked(n)
	case notice.Transfer:
		c.transfer(n)
	case notice.CatchingUp:
		c.draw(fmt.Sprintf("Catching up with the game: %.0f s behind", n.Seconds()))
	case notice.Playing:
		c.draw("")
		if c.local {
			c.say("The game begins. Ctrl-C ends it.")
		} else {
			c.say("All consoles are the same on all computers: the game begins. Ctrl-C leaves.")
		}
		c.delay, c.onAir = "", airWatch{names: map[ds.Seat]string{}}
		for _, p := range n.Room.Players {
			c.onAir.names[p.Seat] = p.Nickname
		}
	case notice.Figures:
		if text, changed := c.onAir.look(n.OnAir); changed {
			c.say("%s", text)
		}
		c.tellDelay(n)
	case notice.Saved:
		if c.verbose {
			c.say("Your save is written: all computers had the same one after %s.", phrase.Count(n.Frame, "frame"))
		}
	case notice.BadLine:
		if n.Nickname != "" {
			c.say("%s has a much worse connection; --sync clocked keeps the game smooth for the others.", n.Nickname)
		}
	case notice.Unsaved:
		c.say("The save of seat %v could not be kept: %v", n.Seat, n.Err)
	case notice.MomentKept:
		c.say("Kept. Go on there another day with:\n  nettplay host --continue %s", quoted(n.Path))
	case notice.SaveDiffers:
		c.prose(differWords(n, c.env.stdin != nil))
	case notice.SaveMisfit:
		c.prose(misfitWords(n))
	case notice.Power:
		words := n.Words()
		if n.Mine && n.Off && c.env.stdin != nil {
			words += " Type \"on\" and Enter."
		}
		c.prose(words)
	case notice.Waiting:
		if len(n.For) > 0 {
			c.draw("Waiting for " + strings.Join(n.For, ", ") + " ...")
		} else {
			c.draw("")
		}
	}
}

// differWords asks whether a save may be set aside.
func differWords(n notice.SaveDiffers, typing bool) string {
	since := ""
	if !n.At.IsZero() {
		since = " of " + n.At.Local().Format("2 January 2006 15:04")
	}
	how := "Start with --set-aside to allow it."
	if typing {
		how = "Type \"aside\" and Enter to allow it, or start with --set-aside."
	}
	return fmt.Sprintf("The game goes on with the save of the kept moment. Your save of %s%s is another: it would be set aside, in a file beside your saves. %s", n.Game, since, how)
}

// misfitWords asks what is to become of a save that does not fit.
func misfitWords(n notice.SaveMisfit) string {
	return fmt.Sprintf("Your save of %s has %s, with data beyond the %s that the cartridge holds. It stays as it is. Type \"without\" and Enter to play without it, or choose another in a second terminal: nettplay saves import %x FILE",
		n.Game, savefile.SizeWords(n.Have), savefile.SizeWords(n.Chip), n.ROM[:4])
}

func (c *console) opened(n notice.Opened) {
	if c.local {
		return
	}
	_, port, err := net.SplitHostPort(n.Addr)
	if err != nil {
		port = "?"
	}
	at := func(ip string) string {
		if port != fmt.Sprint(config.DefaultPort) {
			return net.JoinHostPort(ip, port)
		}
		return ip
	}
	flags := ""
	if n.Locked {
		flags = " --password ..."
	}
	c.say("The room is open on UDP port %s. On your network other players join with:", port)
	for _, ip := range launch.LocalAddresses() {
		c.say("  nettplay join %s%s", at(ip), flags)
	}
	c.say("  nettplay join %s%s   (on this computer)", at("127.0.0.1"), flags)
	c.say("Each player needs the game, in a ROM folder of the settings or with --rom FILE.")
}

// invited says how friends elsewhere come in. It may be called on any goroutine.
func (c *console) invited(v launch.Invitation) {
	words := v.Words
	switch {
	case v.Back && c.env.stdin != nil:
		words += " Friends who cannot get in are shown an answer to send you: paste it here and press Enter."
	case v.Back:
		words += " Friends who cannot get in are shown an answer to send you, which the game host pastes where it runs: in a window, or in a terminal."
	}
	words = strings.Join(phrase.Wrap(words, proseColumns), "\n")
	switch {
	case v.Answer:
		c.sendAnswer(func() { c.answer = v.Text })
		return
	case v.Text != c.invitation.Text && v.Words == c.invitation.Words:
		c.say("The invitation has changed. Send your friends this one:\n\n%s\n", v.Text)
	case v.Text != c.invitation.Text:
		c.say("%s\nSend this to your friends. They paste it into nettplay:\n\n%s\n", words, v.Text)
	case v.Words != c.invitation.Words:
		c.say("%s", words)
	}
	if v.Relays != "" && v.Relays != c.invitation.Relays {
		c.prose(v.Relays)
	}
	if v.Web != "" && v.Web != c.invitation.Web {
		c.say("Or send this link, which opens in a browser and leads to nettplay:\n\n%s\n", v.Web)
	}
	if v.CodeAt != "" && v.CodeAt != c.invitation.CodeAt {
		c.say("Or tell them this code, which they type. Those whose settings name the relay can\nleave out the @ and what follows:\n\n  %s\n", v.CodeAt)
	}
	c.invitation = v
}

// sendAnswer changes what is known, and shows the answer if it is to be sent. It may be called
// on any goroutine.
func (c *console) sendAnswer(change func()) {
	c.writing.Lock()
	change()
	text := c.answer
	if !c.unanswered {
		text = ""
	}
	c.writing.Unlock()
	if text != "" {
		c.say("\n%s\n", text)
	}
}

// online tells once how it stands with the room's place in the list.
func (c *console) online() func(online.View) {
	said := ""
	return func(v online.View) {
		words := "The room is not in the list of open rooms yet: no relay answers."
		for _, r := range v.Relays {
			if r.Kept {
				words = fmt.Sprintf("Everybody can find the room now, at the relay %s.", r.Name)
				break
			}
			if r.Why != "" {
				words = fmt.Sprintf("The room is not in the list of open rooms: the relay %s says: %s.", r.Name, r.Why)
			}
		}
		if words != said && (said != "" || !slices.ContainsFunc(v.Relays, func(r online.Relay) bool { return r.RTT == 0 })) {
			said = words
			c.say("%s", words)
		}
	}
}

// proseColumns is the limit of letters in a line of sentences.
const proseColumns = 76

// transfer draws how far the consoles' start has come.
func (c *console) transfer(t notice.Transfer) {
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

// getting draws how far a core has come that is got.
func (c *console) getting(p corestore.Progress) {
	switch {
	case p.Stage == corestore.Checking:
		c.draw("Checking and trying it ...")
	case p.Total > 0:
		c.draw("Getting it: " + amount(room.Progress{Done: p.Done, Total: p.Total}))
	default:
		c.draw("Getting it: " + phrase.Megabytes(p.Done))
	}
}

// amount returns the progress of something, in bytes that people can read.
func amount(p room.Progress) string {
	if p.Total < 1e6 {
		return fmt.Sprintf("%.1f of %.1f KB", float64(p.Done)/1e3, float64(p.Total)/1e3)
	}
	return fmt.Sprintf("%.1f of %.1f MB", float64(p.Done)/1e6, float64(p.Total)/1e6)
}

// over tells how the session has ended. Failures are for conclude to tell.
func (c *console) over(r notice.Report, err error, interrupted bool) {
	c.draw("")
	switch {
	case err != nil:
	case interrupted:
		c.say("You have left the room.")
	case r.Frames > 0:
		c.say("The game is over after %s (%v).", phrase.Count(r.Frames, "frame"), ds.FrameTime(r.Frames).Round(time.Second))
	}
}

// checking says how far the check of a core is: that it begins, and what it found.
func (c *console) checking(k launch.Checking) {
	if k.Done == 0 {
		c.say("%s", k.Words)
	}
}
