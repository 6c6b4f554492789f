package emucore

import (
	"bytes"

	"github.com/nettplay/nettplay/internal/ds"
)

// The messages of protocol.h as Go types; cgo.go checks that the layouts match.
// protocol.h says what the fields mean.

// A button is struct np_button.
type button struct {
	id     int32
	held   uint32
	toggle uint32
	rest   uint32
	label  [labelMax]byte
}

// A setup is struct np_setup: how a console is to be built.
type setup struct {
	parentPID   int64
	rtc         int64
	frame       int64
	romSize     uint64
	dataLimit   uint64
	language    uint32
	hasUsername uint32
	sramSize    uint32
	optionBytes uint32
	hasRadio    uint32
	seat        uint32
	scrubs      uint32
	hasRules    uint32
	rollback    uint32
	mayCompile  uint32
	scrub       [scrubsMax]scrub
	lid, mic    [buttonsMax]button
	corePath    [pathMax]byte
	romName     [nameMax]byte
	saveName    [nameMax]byte
	username    [nameMax]byte
	cheatBytes  uint32
	_           uint32
	options     [optionsMax]byte
	cheats      [cheatsMax]byte
}

// A words is struct np_words: text from the worker.
type words struct {
	failure    [1024]byte
	name       [nameMax]byte
	version    [nameMax]byte
	extensions [nameMax]byte
}

// An edges is struct np_edges: the state that past inputs leave behind.
type edges struct {
	lidLevel, lidWait uint8
	micLevel, micWait uint8
}

// A scrub is struct np_scrub.
type scrub struct {
	kind, size, from, to uint32
}

// A tuned is struct np_tuned: the state that past packets leave behind.
type tuned struct {
	sent, host, behind, ahead uint8
}

// A request is struct np_request.
type request struct {
	op       uint32
	seq      uint32
	pad      uint16
	x, y     int16
	touch    uint8
	lid      uint8
	mic      uint8
	repeat   uint8
	keep     uint8
	off      uint8
	count    uint32
	size     uint64
	frame    int64
	edges    edges
	tuned    tuned
	regions  uint32
	snapshot uint32
}

// A reply is struct np_reply.
type reply struct {
	op            uint32
	seq           uint32
	status        uint32
	hasNetpacket  uint32
	frame         int64
	edges         edges
	tuned         tuned
	width, height uint32
	format        uint32
	samples       uint32
	off           uint32
	seen          uint32
	tookNS        uint64
	size          uint64
	sramSize      uint64
	ramSize       uint64
	fps           float64
	sampleRate    float64
}

// text reads a NUL-terminated string from the worker, which may have left out
// the NUL, or may still be writing.
func text(field []byte) string {
	b, _, _ := bytes.Cut(bytes.Clone(field), []byte{0})
	return printable(b)
}

// setText writes s and a NUL into a field; false if it does not fit.
func setText(field []byte, s string) bool {
	if len(s) >= len(field) {
		return false
	}
	field[copy(field, s)] = 0
	return true
}

// setButtons writes the buttons that convey a level of the input to the core; false if they do not fit.
func setButtons(to *[buttonsMax]button, list []Button) bool {
	for i := range to {
		to[i].id = -1
	}
	if len(list) > len(to) {
		return false
	}
	for i, b := range list {
		to[i].id, to[i].held, to[i].rest, to[i].toggle = int32(b.ID), uint32(b.Held), uint32(b.Rest), bit[uint32](b.Toggle)
		if !setText(to[i].label[:], b.Label) {
			return false
		}
	}
	return true
}

// setScrubs writes which bytes of packets are cleared; false if there are too many.
func setScrubs(s *setup, list []Scrub) bool {
	if len(list) > len(s.scrub) {
		return false
	}
	s.scrubs = uint32(len(list))
	for i, c := range list {
		s.scrub[i] = scrub{kind: uint32(c.Type), size: uint32(c.Size), from: uint32(c.From), to: uint32(c.To)}
	}
	return true
}

// setOptions writes core options, each as key NUL value NUL; false if they do
// not fit.
func setOptions(s *setup, options []ds.Option) bool {
	list := s.options[:0]
	for _, o := range options {
		if len(list)+len(o.Key)+len(o.Value)+2 > len(s.options) {
			return false
		}
		list = append(append(list, o.Key...), 0)
		list = append(append(list, o.Value...), 0)
	}
	s.optionBytes = uint32(len(list))
	return true
}
