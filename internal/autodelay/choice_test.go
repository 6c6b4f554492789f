package autodelay

import (
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

func TestChoices(t *testing.T) {
	if got, want := Choices(), []string{"auto", "0", "1", "2", "3"}; !slices.Equal(got, want) {
		t.Errorf("the choices are %q, want %q", got, want)
	}
	for i, name := range Choices() {
		if ChoiceNamed(name) != Choice(i) {
			t.Errorf("%q is %v", name, ChoiceNamed(name))
		}
	}
	if ChoiceNamed("4") != 0 || ChoiceNamed("") != 0 {
		t.Error("names that no choice has are choices")
	}
	for name, want := range map[string]int{"0": 0, "2": 2, "3": 3} {
		if got, chosen := ChoiceNamed(name).Frames(); got != want || !chosen {
			t.Errorf("a choice of %s frames is %d, %v", name, got, chosen)
		}
	}
	if got, _ := Choice(200).Frames(); got != MaxChosen {
		t.Errorf("a choice that none is has %d frames", got)
	}
}

// chooser is a room of two whose lines need so much, in quarters of a frame; the first player chooses.
type chooser struct {
	t     *testing.T
	k     *Keeper
	now   time.Time
	seats []Seat
	need  int
}

func choosing(t *testing.T, delay, need int) *chooser {
	now := time.Unix(1000, 0)
	return &chooser{t, NewKeeper(Party, now), now, table(2, delay), need}
}

// pass lets so many seconds go by, and tells how often the first seat's delay changed.
func (c *chooser) pass(seconds int) (changes int) {
	c.t.Helper()
	for range seconds {
		c.now = c.now.Add(time.Second)
		for seat := range c.seats {
			c.k.Report(c.now, 1-seat, ds.Seat(seat), Arrival{Inputs: MaxInputs, Need: c.need, Recent: c.need, Newest: c.need})
		}
		list := c.k.Chosen(c.now, c.seats)
		if len(list) == 0 {
			list = c.k.Next(c.now, c.seats)
		}
		for _, ch := range list {
			if c.seats[ch.Seat].Delay = ch.Delay; ch.Seat == 0 {
				changes++
			}
		}
	}
	return changes
}

func (c *chooser) is(when string, delays ...int) {
	c.t.Helper()
	for seat, want := range delays {
		if got := c.seats[seat].Delay; got != want {
			c.t.Errorf("%s seat %d has a delay of %d, want %d", when, seat, got, want)
		}
	}
}

// A choice is the least that the own delay is, at once, also back again; nobody else's follows. Where the lines need more, it
// is that.
func TestChosenDelay(t *testing.T) {
	c := choosing(t, 0, 0)
	c.seats[0].Choice = ChoiceNamed("3")
	c.pass(1)
	c.is("a second after 3 frames were chosen", 3, 0)
	c.pass(200)
	c.is("minutes later", 3, 0)
	c.seats[0].Choice = ChoiceNamed("1")
	c.pass(1)
	c.is("a second after 1 was chosen", 1, 0)
	c.need = 14
	c.pass(120)
	c.is("where the lines need 4", 4, 4)
	c.seats[0].Choice = ChoiceNamed("3")
	c.pass(1)
	c.is("where the lines need 4 and 3 are chosen", 4, 4)
	c.seats[0].Choice = 0
	c.pass(1)
	c.is("where the lines need 4 and nothing is chosen", 4, 4)
	c.need = 0
	c.seats[0].Choice = ChoiceNamed("2")
	c.pass(600)
	c.is("where the lines need nothing again", 2, 0)
}

// A choice counts before anything is known of the lines, and then leaves room for them to be looked at.
func TestChosenFirst(t *testing.T) {
	c := choosing(t, 1, 0)
	c.seats[0].Choice = ChoiceNamed("2")
	if list := c.k.Chosen(c.now, c.seats); len(list) != 1 || list[0].Seat != 0 || list[0].Delay != 2 {
		t.Errorf("before anything is known: %+v", list)
	}
	c.seats[0].Delay, c.seats[0].Choice = 2, 0
	if list := c.k.Chosen(c.now, c.seats); len(list) != 0 {
		t.Errorf("a delay becomes shorter while nothing is known of the lines: %+v", list)
	}
}

// Where the delay is a number, a choice takes its place for the own seat, longer or shorter, and no longer than it lasts.
func TestChosenInsteadOfANumber(t *testing.T) {
	c := choosing(t, 5, 0)
	for _, step := range []struct {
		choice Choice
		number int
		want   int
	}{{0, 5, 5}, {ChoiceNamed("2"), 5, 2}, {ChoiceNamed("0"), 5, 0}, {0, 5, 5}, {ChoiceNamed("3"), 5, 3}, {0, -1, 3}, {0, 6, 6}} {
		c.seats[0].Choice = step.choice
		for _, ch := range c.k.Numbers(c.now, c.seats, step.number) {
			c.seats[ch.Seat].Delay = ch.Delay
		}
		c.is("with "+step.choice.String(), step.want, max(step.number, 5))
	}
}

// A machine that chooses anew all the time spends few decisions.
func TestChoosersTire(t *testing.T) {
	c := choosing(t, 0, 0)
	changes := 0
	for i := range 1800 {
		c.seats[0].Choice = ChoiceNamed([]string{"0", "3"}[i%2])
		changes += c.pass(1)
	}
	if most := quick + 1800/int(patience.Seconds()) + 1; changes > most || changes < quick {
		t.Errorf("%d changes in half an hour, want %d to %d", changes, quick, most)
	}
}
