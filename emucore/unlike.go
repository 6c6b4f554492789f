package emucore

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
)

// A Manner is something that a core does, or does not do, besides emulating: bits. Most are only seen while frames run.
type Manner uint32

// The manners.
const (
	HasLid      Manner = seenLid      // it calls a button as the profile says that it calls the lid's
	HasMic      Manner = seenMic      // and one as it calls the microphone's
	AsksName    Manner = seenUsername // it asks for the player's name
	ReadsTime   Manner = seenWall     // in a frame it reads the time of day,
	ReadsUptime Manner = seenUp       // a clock that counts from some start,
	ReadsWork   Manner = seenUsed     // its processor time,
	Sleeps      Manner = seenSleep    // or sleeps
	SendsPacket Manner = seenPacket   // it sends packets,
	SendsOdd    Manner = seenStrange  // also of a form of which nothing is known
)

const (
	clockManners = ReadsTime | ReadsUptime | ReadsWork | Sleeps
	mainMemory   = 4 << 20 // bytes of every DS
	maxListed    = 5       // options in a sentence
)

// Unlike asks a console all that the profile of its core takes for granted, and returns a sentence for each thing that is
// not so: nil where all is as in the builds that were measured, and of a core nobody knows. What a core
// does in frames shows after some frames of a program that reaches it. The program's cartridge has a chip of that many
// bytes; 0: it has none, or that is not known.
// It does not change the console. An error is one of the console itself.
func (c *Console) Unlike(chip int) ([]string, error) {
	p := c.profile
	if p.Library == "" {
		return nil, nil
	}
	declared, err := c.Declared()
	if err != nil {
		return nil, err
	}
	cfg := c.cfg
	cfg.TestOptions = nil
	set, err := p.ConsoleOptions(cfg)
	if err != nil {
		return nil, err
	}
	list := p.optionsUnlike(set, declared)
	c.mu.Lock()
	last, off, picture := c.last, c.off, c.shown()
	sizes := [...]int{c.ramSize, c.stateSize, c.sramSize}
	c.mu.Unlock()
	list = append(list, p.mannersUnlike(Manner(last.seen), c.cfg.Radio != nil && last.hasNetpacket != 0)...)
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if p.Wireless && last.hasNetpacket == 0 {
		say("It has no local wireless, which other builds of %s have: players cannot meet in a game.", p.Library)
	}
	if !off && picture.Width > 0 && (picture.Width != frameWidth || picture.Height != frameHeight) {
		say("Its picture has %d by %d points and not %d by %d: the stylus may touch another place than the player's.", picture.Width, picture.Height, frameWidth, frameHeight)
	}
	if p.HasStates && sizes[1] == 0 {
		say("It cannot save states of a game that other builds of %s save.", p.Library)
	}
	if sizes[1] > 0 {
		if err := c.formOfStates(); err != nil {
			say("Its states are of a form that nettplay does not know (%v): those of others cannot be checked before they are loaded.", err)
		}
	}
	if p.MainRAM == nil && sizes[0] == 0 {
		say("It does not show the console's memory: machines are compared by their pictures alone, and a difference is found late.")
		return list, nil
	}
	ram, err := c.RAM()
	if err != nil {
		return nil, err
	}
	if len(ram) != mainMemory {
		say("It shows %s of the console's memory, which has %s.", savefile.SizeWords(len(ram)), savefile.SizeWords(mainMemory))
	} else if owner, known := p.Owner(c.cfg.Firmware); known {
		list = append(list, ownerUnlike(owner, ram)...)
	}
	if chip > 0 {
		sram, err := c.SRAM()
		if err != nil {
			return nil, err
		}
		if len(sram) != chip {
			say("It shows %s of a cartridge's memory, which has %s: saves cannot be kept.", savefile.SizeWords(len(sram)), savefile.SizeWords(chip))
		}
	}
	return list, nil
}

// formOfStates has the profile read all that it reads of states from one of this console.
func (c *Console) formOfStates() error {
	s, err := c.Save()
	if err != nil {
		return err
	}
	p := c.profile
	return s.Core(func(state []byte) error {
		var errs []error
		if p.CheckState != nil {
			errs = append(errs, p.CheckState(state))
		}
		if p.WriteState != nil {
			errs = append(errs, p.WriteState(state, io.Discard))
		}
		if p.LidState != nil {
			_, _, err := p.LidState(state)
			errs = append(errs, err)
		}
		if p.PoweredOff != nil {
			_, err := p.PoweredOff(state)
			errs = append(errs, err)
		}
		for _, err := range errs {
			if err != nil {
				return err // the others mostly say the same
			}
		}
		return nil
	})
}

// optionsUnlike holds the options that are set against those that the core has.
func (p *Profile) optionsUnlike(set []ds.Option, declared []DeclaredOption) (list []string) {
	var gone, unknown []string
	for _, o := range set {
		i := slices.IndexFunc(declared, func(d DeclaredOption) bool { return d.Key == o.Key })
		switch {
		case i < 0 && !named(p.Sometimes, o.Key):
			gone = append(gone, fmt.Sprintf("%s (to %q)", o.Key, o.Value))
		case i >= 0 && !named(p.Anything, o.Key) && !named(p.OfMachine, o.Key) && !takes(declared[i].Values, o.Value):
			list = append(list, fmt.Sprintf("Its option %s does not take %q, which nettplay sets, but %s.", word(o.Key), word(o.Value), some(quoted(declared[i].Values))))
		}
	}
	if len(gone) > 0 {
		list = append(list, fmt.Sprintf("It does not have all options that nettplay sets: %s. What they decided is up to the core.", some(gone)))
	}
	for _, d := range declared {
		if !slices.ContainsFunc(set, func(o ds.Option) bool { return o.Key == d.Key }) && !named(p.Left, d.Key) {
			unknown = append(unknown, fmt.Sprintf("%s (%q)", word(d.Key), word(d.Default)))
		}
	}
	if len(unknown) > 0 {
		list = append(list, fmt.Sprintf("It has options that nettplay does not know, and leaves as they are: %s.", some(unknown)))
	}
	return list
}

// OfAllBuilds reports whether all builds of the core have an option, with the same values on every machine.
func (p *Profile) OfAllBuilds(key string) bool {
	return !named(p.Sometimes, key) && !named(p.OfMachine, key)
}

// mannersUnlike holds what the core did against what it should.
func (p *Profile) mannersUnlike(seen Manner, radio bool) (list []string) {
	for _, m := range []struct {
		lacks bool
		words string
	}{
		{len(p.Lid) > 0 && seen&HasLid == 0, "It has no button by the name of the lid's: the lid stays open."},
		{len(p.Mic) > 0 && seen&HasMic == 0, "It has no button by the name of the microphone's, which hears nothing."},
		{p.UsernameIsNickname && seen&AsksName == 0, "It does not ask for the player's name: games read another."},
		{seen&clockManners&^p.Clocks != 0, fmt.Sprintf("In a game it %s, which tested builds do not. nettplay shows it the console's own clock.", (seen & clockManners &^ p.Clocks).clocks())},
		{radio && seen&SendsPacket != 0 && p.Clocks&ReadsWork != 0 && seen&ReadsWork == 0, "It does not look at its processor time while it waits for a packet: nettplay cannot tell when it waits, and may have it wait for nothing."},
		{seen&SendsOdd != 0, "Its radio's packets are of a form that nettplay does not know: consoles may wait for each other more than they need to."},
	} {
		if m.lacks {
			list = append(list, m.words)
		}
	}
	return list
}

// clocks says which clocks were read.
func (m Manner) clocks() string {
	var list []string
	for _, w := range []struct {
		of    Manner
		words string
	}{
		{ReadsTime, "reads the time of day"},
		{ReadsUptime, "reads a clock that counts from its start"},
		{ReadsWork, "reads its processor time"},
		{Sleeps, "sleeps"},
	} {
		if m&w.of != 0 {
			list = append(list, w.words)
		}
	}
	return phrase.List(list)
}

// atOwner is where the boot of a DS leaves the owner's settings in main memory, for games to read.
const atOwner = 0x3ffc80

// ownerUnlike holds what a game reads of its console's owner against what it should.
func ownerUnlike(want ds.Firmware, ram []byte) (list []string) {
	s := ram[atOwner : atOwner+0x70]
	letters := make([]uint16, min(int(s[0x1a]), 10))
	for i := range letters {
		letters[i] = binary.LittleEndian.Uint16(s[6+2*i:])
	}
	for _, f := range []struct{ what, is, should string }{
		{"nickname", string(utf16.Decode(letters)), want.Nickname},
		{"language", strconv.Itoa(int(s[0x64] & 7)), strconv.Itoa(int(want.Language))},
		{"colour", strconv.Itoa(int(s[2])), strconv.Itoa(int(want.Colour))},
		{"birthday", fmt.Sprintf("%d/%d", s[4], s[3]), fmt.Sprintf("%d/%d", max(1, want.BirthDay), max(1, want.BirthMonth))},
	} {
		if f.is != f.should {
			list = append(list, fmt.Sprintf("A game reads %q as the owner's %s, which nettplay sets to %q.", word(f.is), f.what, f.should))
		}
	}
	return list
}

// named reports whether a key is in a list of keys, or of beginnings of keys that end in "*".
func named(list []string, key string) bool {
	return slices.ContainsFunc(list, func(l string) bool {
		begin, some := strings.CutSuffix(l, "*")
		return l == key || some && strings.HasPrefix(key, begin)
	})
}

// takes reports whether a value is among those that a core lists, in either spelling; a core that lists none takes any.
func takes(values []string, value string) bool {
	other := value
	switch value {
	case "enable", "disable":
		other += "d"
	case "enabled", "disabled":
		other = strings.TrimSuffix(value, "d")
	}
	return len(values) == 0 || slices.Contains(values, value) || slices.Contains(values, other)
}

// word is a core's own word, which may be anything.
func word(s string) string { return phrase.Cut(printable([]byte(s)), 60) }

func quoted(list []string) (out []string) {
	for _, s := range list {
		out = append(out, strconv.Quote(word(s)))
	}
	return out
}

// some lists the first few.
func some(list []string) string {
	if more := len(list) - maxListed; more > 1 {
		return phrase.List(append(slices.Clip(list[:maxListed]), fmt.Sprintf("%d more", more)))
	}
	return phrase.List(list)
}
