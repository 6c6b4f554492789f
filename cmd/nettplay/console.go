package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// console tells the player what happens. It writes lines that stay and, on a terminal,
// redraws one line at the bottom.
type console struct {
	env      *environment
	verbose  bool
	password bool // the room asks for one
	local    bool // nobody else can join
	onAir    airWatch
	delay    string // as last told, "" before the game's first figures
	writing  sync.Mutex
	line     string // on the terminal now; guarded by writing
	roster   string // as last told
	// invitation is as last told; the inviter's calls come one at a time.
	invitation launch.Invitation
	answer     string // to an invitation; guarded by writing
	unanswered bool   // the game host does not answer, and the player may send answer; guarded by writing
	matching   bool   // the rooms of a quick match are tried: nobody can be sent an answer
	reading    sync.Once
	typed      chan string // of lines
}

func newConsole(env *environment, verbose bool) *console {
	return &console{env: env, verbose: verbose}
}

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
		c.say("%s", strings.Join(phrase.Wrap(n.String(), proseColumns), "\n"))
		c.sendAnswer(func() { c.unanswered = true })
	case notice.RoomNotice:
		c.sendAnswer(func() { c.unanswered = false })
		c.room(n.Room)
	case notice.Message:
		if n.From != "" {
			c.say("<%s> %s", n.From, n.Text)
		} else {
			c.say("%s", sentence(n.Text))
		}
	case notice.Transfer:
		c.transfer(n)
	case notice.CatchingUp:
		c.draw(fmt.Sprintf("Catching up with the game: %.0f s behind", n.Seconds()))
	case notice.Playing:
		c.draw("")
		if c.local {
			c.say("The game begins. Ctrl-C ends it.")
		} else {
			c.say("All consoles are equal on all machines: the game begins. Ctrl-C leaves.")
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
			c.say("Your save is committed: all machines had the same one after %s.", phrase.Count(n.Frame, "frame"))
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
		c.say("%s", strings.Join(phrase.Wrap(differWords(n, c.env.stdin != nil), proseColumns), "\n"))
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

func (c *console) opened(n notice.Opened) {
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
	c.say("The room is open on UDP port %s. On your network other players join with:", port)
	for _, ip := range launch.LocalAddresses() {
		c.say("  nettplay join %s%s%s", ip, suffix, flags)
	}
	c.say("  nettplay join 127.0.0.1%s%s   (on this machine)", suffix, flags)
	c.say("Each player needs the game, in a ROM folder of the settings or with --rom FILE.")
}

// invited says how friends elsewhere come in. It may be called on any goroutine.
func (c *console) invited(v launch.Invitation) {
	words := v.Words
	switch {
	case v.Back && c.env.stdin != nil:
		words += " Friends who do not get in see an answer to send back to you: paste it here and press Enter."
	case v.Back:
		words += " Friends who do not get in see an answer to send back to you, which the game host pastes where it runs: in a window, or in a terminal."
	}
	words = strings.Join(phrase.Wrap(words, proseColumns), "\n")
	switch {
	case v.Answer:
		c.sendAnswer(func() { c.answer = v.Text })
		return
	case v.Text != c.invitation.Text:
		c.say("%s\nSend this to your friends. They paste it into nettplay:\n\n%s\n", words, v.Text)
	case v.Words != c.invitation.Words:
		c.say("%s", words)
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

// proseColumns is the limit of letters in a line of sentences.
const proseColumns = 76

// orders are a player's commands while a session runs.
type orders struct {
	letIn   func(text string) error // takes a friend's answer; nil: nobody needs one
	control *session.Control
}

// lines returns the player's lines. One goroutine reads them for all who listen: a read that waits is left
// behind at the end, as nothing can end it.
func (c *console) lines() <-chan string {
	c.reading.Do(func() {
		c.typed = make(chan string)
		go func() {
			defer close(c.typed)
			for in := bufio.NewScanner(c.env.stdin); in.Scan(); {
				c.typed <- in.Text()
			}
		}()
	})
	return c.typed
}

// listen does what the player writes, until ctx ends. It returns earlier when nothing more can
// be read.
func (c *console) listen(ctx context.Context, o orders) {
	lines := c.lines()
	for {
		select {
		case <-ctx.Done():
			return
		case line, open := <-lines:
			if !open {
				return
			}
			c.written(line, o)
		}
	}
}

// askPassword asks for a room's password, which the terminal does not show. It is not ok if ctx ends or
// nothing is typed.
func (c *console) askPassword(ctx context.Context) (password string, ok bool) {
	c.draw("")
	fmt.Fprint(c.env.stderr, "Password: ")
	show := c.env.hide()
	defer show()
	defer fmt.Fprintln(c.env.stderr)
	select {
	case password = <-c.lines():
		return password, password != ""
	case <-ctx.Done():
		return "", false
	}
}

// ask asks the player a question. No is also the answer where nobody types. Nothing else may listen
// then.
func (c *console) ask(ctx context.Context, question string) (yes bool) {
	if c.env.stdin == nil {
		return false
	}
	c.say("%s [y/N]", question)
	select {
	case line := <-c.lines(): // "" when nothing more can be read
		word := strings.ToLower(strings.TrimSpace(line))
		return word == "y" || word == "yes"
	case <-ctx.Done():
		return false
	}
}

// written takes a line that the player wrote.
func (c *console) written(line string, o orders) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case word == "keep":
		o.control.Keep(strings.TrimSpace(rest))
	case word == "aside" && rest == "":
		o.control.SetAside()
	case word == "delay":
		c.setDelay(strings.TrimSpace(rest), o.control)
	case o.letIn != nil:
		c.answered(line, o.letIn)
	}
}

// answered takes a line that the player wrote. Only what looks like an answer is one.
func (c *console) answered(line string, letIn func(text string) error) {
	if !strings.Contains(line, invite.Scheme) {
		return
	}
	if err := letIn(line); err != nil {
		c.say("%s", sentence(err.Error()))
		return
	}
	c.say("Your friend has 20 seconds to come in.")
}

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

// replace is draw without the lock: the caller holds c.writing.
func (c *console) replace(line string) {
	if line == c.line {
		return
	}
	c.line = line
	switch {
	case c.env.columns > 0:
		fmt.Fprintf(c.env.stderr, "\r\x1b[K%s", phrase.Shorten(line, c.env.columns-1))
	case line != "" && c.verbose:
		fmt.Fprintln(c.env.stderr, line)
	}
}
