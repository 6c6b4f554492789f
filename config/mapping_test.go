package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestMappings: a controller keeps what its buttons do by its name, through the file and
// back, and says nothing where it is like all others.
func TestMappings(t *testing.T) {
	c := Defaults()
	const odd = `USB "Gamepad" [pads.x] みかん`
	m := c.Pads.MappingOf(odd)
	m.Buttons.A, m.Buttons.B, m.Touch = []string{"a"}, []string{"b", "paddle1"}, []string{}
	c.Pads.SetMapping(odd, m)
	c.Pads.SetMapping("like all", c.Pads.MappingOf("like all"))
	if got := c.Pads.Own; len(got) != 1 || got[odd] != "a: a; b: b, paddle1; touch:" {
		t.Fatalf("kept is %q", got)
	}
	must.Succeed(t, c.Validate())
	for _, text := range []string{c.Commented(), c.Show()} {
		got, err := Parse("f", text)
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("what was written is read as %+v, %v", got.Pads, err)
		}
	}
	if got := c.Pads.MappingOf(odd); !reflect.DeepEqual(got, m) {
		t.Errorf("%+v, want %+v", got, m)
	}
	if got := c.Pads.MappingOf("another"); !reflect.DeepEqual(got, Mapping{c.Pads.Buttons, c.Pads.Touch}) {
		t.Errorf("another one has %+v", got)
	}
	c.Pads.Buttons.X = []string{"misc1"} // its own buttons do not change, the others do
	if got := c.Pads.MappingOf(odd).Buttons; got.X[0] != "misc1" || got.A[0] != "a" {
		t.Errorf("after a change for all it has %+v", got)
	}
	c.Pads.SetMapping(odd, Mapping{c.Pads.Buttons, c.Pads.Touch})
	if len(c.Pads.Own) != 0 {
		t.Errorf("kept is %q", c.Pads.Own)
	}
}

func TestBadMappings(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "is empty",
		"a":                      `"a" is not a button, a colon`,
		"a: b; a: x":             "once",
		"a: b;":                  `"" is not a button`,
		"a: q":                   `a "q" is not a controller button`,
		"z: a":                   `"z" is no button of the console`,
		"a: x":                   `"x" is a and y`,
		"a: a, a":                "stands twice",
		"a: b\nx: y":             "cannot be shown",
		strings.Repeat("a", 2e3): "letters",
	} {
		c := Defaults()
		c.Pads.Own = map[string]string{"pad": text}
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "pads.own") || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
	c := Defaults()
	c.Pads.Own = map[string]string{"a\x00b": "a: a"}
	if err := c.Validate(); err == nil || c.Pads.Keeps("a\x00b") || c.Pads.Keeps("") || !c.Pads.Keeps("Wireless Controller") {
		t.Errorf("a name that cannot be shown: %v", err)
	}
}
