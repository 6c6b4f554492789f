package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// console tells the player what happens. It writes lines that stay and, on a terminal,
// redraws one line at the bottom.
type console struct {
	env     *environment
	verbose bool
	local   bool // nobody else can join
	onAir   airWatch
	delay   string // as last told, "" before the game's first figures
	writing sync.Mutex
	line    string // on the terminal now; guarded by writing
	roster  string // as last told
	absent  string // for whom a kept game waits, as last told
	// invitation is as last told; the inviter's calls come one at a time.
	invitation launch.Invitation
	answer     string // to an invitation; guarded by writing
	unanswered bool   // the game host does not answer, and the player may send answer; guarded by writing
	matching   bool   // the rooms of a quick match are tried: nobody can be sent an answer
	// lines returns the player's lines. One goroutine reads them for all who listen: a read that waits is
	// left behind at the end, as nothing can end it.
	lines func() <-chan string
}

func newConsole(env *environment, verbose bool) *console {
	return &console{env: env, verbose: verbose, lines: sync.OnceValue(func() <-chan string {
		typed := make(chan string)
		go func() {
			defer close(typed)
			for in := bufio.NewScanner(env.stdin); in.Scan(); {
				typed <- in.Text()
			}
		}()
		return typed
	})}
}

// next returns the line that the player types next, "" if ctx ends or nothing more can be read.
func (c *console) next(ctx context.Context) string {
	select {
	case line := <-c.lines():
		return line
	case <-ctx.Done():
		return ""
	}
}

// askPassword asks for a room's password, which the terminal does not show; "" if ctx ends or nothing is
// typed.
func (c *console) askPassword(ctx context.Context) string {
	c.draw("")
	fmt.Fprint(c.env.stderr, c.said("Password")+": ")
	show := c.env.hide()
	defer show()
	defer fmt.Fprintln(c.env.stderr)
	return c.next(ctx)
}

// ask asks the player a question. No is also the answer where nobody types. Nothing else may listen
// then.
func (c *console) ask(ctx context.Context, question string) (yes bool) {
	if c.env.stdin == nil {
		return false
	}
	c.say("%s [y/N]", question)
	word := strings.ToLower(strings.TrimSpace(c.next(ctx)))
	return word == "y" || word == "yes"
}

// speak has the player be told things in a language of the settings, on a terminal. What reads a pipe is told them in English.
func (c *console) speak(setting string) {
	if c.env.columns > 0 {
		c.writing.Lock()
		defer c.writing.Unlock()
		c.env.language, _ = language.Open(language.Choose(setting)) // nil, which is English, for a setting that is none
	}
}

// said is an English text in the player's language.
func (c *console) said(english string) string {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.env.language.Say(english)
}

// say writes a line that stays, in the player's language. It may be called from any goroutine.
func (c *console) say(format string, args ...any) {
	c.write(c.said(fmt.Sprintf(format, args...)))
}

// prose is say for a text of any length, which it breaks into lines.
func (c *console) prose(text string) {
	c.write(strings.Join(phrase.Wrap(c.said(text), proseColumns), "\n"))
}

// write writes a line that stays, as it is. It may be called from any goroutine.
func (c *console) write(text string) {
	c.writing.Lock()
	defer c.writing.Unlock()
	line := c.line
	c.replace("")
	fmt.Fprintln(c.env.stderr, text)
	c.replace(line)
}

// draw replaces the line at the bottom of the terminal. It may be called from any
// goroutine.
func (c *console) draw(line string) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.replace(c.env.language.Say(line))
}

// seldom returns a function that draws a line, but not more than ten times a second.
func (c *console) seldom(line func() string) func() {
	var drawn time.Time
	return func() {
		if time.Since(drawn) >= 100*time.Millisecond {
			drawn = time.Now()
			c.draw(line())
		}
	}
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

// setDelay changes the input delay to a number of frames, or makes it automatic by a preset.
func (c *console) setDelay(word string, control *session.Control) {
	frames, err := strconv.Atoi(word)
	switch {
	case err == nil && frames >= 0 && frames <= ds.MaxDelay:
		control.Delay(frames)
	case word == "auto":
		control.AutoDelay(autodelay.Named(config.Defaults().Room.AutoDelay))
	case err != nil && slices.Contains(config.AutoDelays(), word):
		control.AutoDelay(autodelay.Named(word))
	default:
		c.say("Type \"delay\" and a number of frames, 0 to %d, or auto, %s.", ds.MaxDelay, strings.Join(config.AutoDelays(), ", "))
	}
}

// setOwnDelay chooses the delay of our own presses, in a room with rollback.
func (c *console) setOwnDelay(word string, control *session.Control) {
	if !slices.Contains(config.OwnDelays(), word) {
		c.say("Type \"own-delay\" and a number of frames, 0 to %d, or auto. It counts in rooms with rollback.", autodelay.MaxChosen)
		return
	}
	control.OwnDelay(autodelay.ChoiceNamed(word))
}

// tellDelay says that the input delay of the running game is another now, or automatic. The changes of an automatic
// one are no news.
func (c *console) tellDelay(f notice.Figures) {
	words := "The input delay is " + phrase.Count(f.Delay, "frame") + " now."
	if f.Auto.Preset != "" {
		words = fmt.Sprintf("The input delay is automatic now (%s).", f.Auto.Preset)
	}
	if c.delay != "" && words != c.delay {
		c.say("%s", words)
	}
	c.delay = words
}

// orders are a player's commands while a session runs.
type orders struct {
	letIn   func(text string) error // takes a friend's answer; nil: nobody needs one
	control *session.Control
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

// written takes a line that the player wrote.
func (c *console) written(line string, o orders) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case word == "keep":
		o.control.Keep(strings.TrimSpace(rest))
	case word == "aside" && rest == "":
		o.control.SetAside()
	case (word == "remove" || word == "kick" || word == "ban") && rest != "":
		o.control.Remove(strings.TrimSpace(rest), word == "ban")
	case word == "unban" && rest != "":
		o.control.PardonName(strings.TrimSpace(rest))
	case word == "without" && rest == "":
		o.control.WithoutSave()
	case word == "on" && rest == "":
		o.control.SwitchOn()
	case word == "own-delay":
		c.setOwnDelay(strings.TrimSpace(rest), o.control)
	case word == "delay":
		c.setDelay(strings.TrimSpace(rest), o.control)
	case o.letIn != nil && strings.Contains(line, invite.Scheme):
		c.answered(line, o.letIn)
	case word != "":
		c.prose(unknownOrder(word, o.letIn != nil))
	}
}

// unknownOrder answers a line that means nothing here, with those that do.
func unknownOrder(word string, answers bool) string {
	words := fmt.Sprintf("nettplay does not know %q. You can type: keep NAME, delay FRAMES or PRESET, own-delay FRAMES or auto, remove NAME, ban NAME, unban NAME", phrase.Shorten(word, 20))
	if answers {
		words += ", or paste a friend's answer"
	}
	return words + ". Ctrl-C leaves."
}

// answered takes a friend's answer.
func (c *console) answered(line string, letIn func(text string) error) {
	if err := letIn(line); err != nil {
		c.say("%s", sentence(err.Error()))
		return
	}
	c.say("Your friend has 20 seconds to come in.")
}
