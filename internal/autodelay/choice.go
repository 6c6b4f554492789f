package autodelay

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// A Choice is the input delay that a player wants for the own presses, in a room with rollback: the others have less to guess
// then. Its zero value is none: the delay is as short as can be, or the room's number.
type Choice uint8

// MaxChosen is the longest delay that can be chosen, in frames, and MaxChoice the choice of it.
const (
	MaxChosen        = 3
	MaxChoice Choice = MaxChosen + 1
)

// Frames are those that were chosen, if the player chose any.
func (c Choice) Frames() (frames int, chosen bool) {
	if c == 0 {
		return 0, false
	}
	return int(min(c, MaxChoice)) - 1, true
}

// String is the choice's name.
func (c Choice) String() string {
	if frames, chosen := c.Frames(); chosen {
		return fmt.Sprint(frames)
	}
	return "auto"
}

// Choices returns the names of all choices, as settings and flags have them, that of none first.
func Choices() (list []string) {
	for c := range MaxChoice + 1 {
		list = append(list, c.String())
	}
	return list
}

// ChoiceNamed returns the choice of a name; none for one that no choice has.
func ChoiceNamed(name string) Choice {
	for c := range MaxChoice + 1 {
		if c.String() == name {
			return c
		}
	}
	return 0
}

// quick is the number of times in a game that a seat's choice is followed at once. Later ones wait for as long as a delay
// does that was raised: no machine spends a game's decisions.
const quick = 20

// chosen is what became of a seat's choices.
type chosen struct {
	is    Choice // the one that was followed last
	at    time.Time
	times int
}

// Chosen returns the changes by which seats follow what their players have chosen since. A choice is the least that a
// delay is: where the lines need more, it is longer. A delay that was longer for a choice alone becomes at once what the
// lines need.
func (k *Keeper) Chosen(now time.Time, seats []Seat) (list []Change) {
	return k.follow(now, seats, func(s Seat, was int) int {
		least, _ := s.Choice.Frames()
		if s.Delay < least {
			return least
		}
		line, _, heard := k.worst(now, s, seats)
		if least >= was || s.Delay > was || !heard || line.Inputs < enough {
			return s.Delay
		}
		return max(min(frames(max(line.Need, line.Recent, line.Newest)), s.Delay), least)
	})
}

// Numbers is the same in a game in which no rule keeps delays: a seat's delay is what its player has chosen, and else the
// room's number, also that of a late joiner, which began with the longest of the others. It is -1 where there is none.
func (k *Keeper) Numbers(now time.Time, seats []Seat, number int) []Change {
	return k.follow(now, seats, func(s Seat, _ int) int {
		switch frames, own := s.Choice.Frames(); {
		case own:
			return frames
		case number >= 0:
			return number
		}
		return s.Delay
	})
}

// follow changes delays to what they become by choices; was is what the choice before asked for.
func (k *Keeper) follow(now time.Time, seats []Seat, becomes func(s Seat, was int) int) (list []Change) {
	for _, s := range seats {
		c := &k.chosen[s.Seat]
		was, _ := c.is.Frames()
		delay := min(max(becomes(s, was), 0), ds.MaxDelay)
		if delay == s.Delay {
			c.is = s.Choice
			continue
		}
		if c.times >= quick && now.Sub(c.at) < patience {
			continue
		}
		*c = chosen{s.Choice, now, c.times + 1}
		r := k.rule(now, s)
		if r.move(now, delay); delay > s.Delay {
			r.raised = now
		}
		list = append(list, Change{Seat: s.Seat, Delay: delay, Offset: s.Offset, Why: Why{To: s.Machine}})
	}
	return list
}
