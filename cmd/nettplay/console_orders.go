package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session"
)

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
