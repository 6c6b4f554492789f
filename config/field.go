package config

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// field describes one setting of a [Config].
type field struct {
	key     string        // "room.delay"; before it is in a section, "delay"
	doc     string        // one or more sentences, as the file has them
	window  string        // the same as the window has them; "" where they are alike
	allowed string        // which values are, in words
	ptr     any           // points to the setting
	usual   any           // points to its default
	reset   func()        // gives it its default
	check   func() string // why its value is not allowed, or ""
	device  string        // what a list of names binds: the "keyboard" or a "pad"; else ""
	// yields marks a list of keys that files of earlier versions do not have: where it
	// is left out, keys that the file uses for something else are no longer in it.
	yields bool
	places bool // a list in which each item's place means something
}

// setting describes a setting of any type that assign and format know.
func setting[T any](name string, ptr *T, usual T, doc, allowed string, why func(T) string) field {
	return field{
		key: name, doc: doc, allowed: allowed, ptr: ptr, usual: &usual,
		reset: func() { *ptr = usual },
		check: func() string { return why(*ptr) },
	}
}

// toggle describes a setting that is on or off.
func toggle(name string, ptr *bool, usual bool, doc string) field {
	return setting(name, ptr, usual, doc, "true or false", func(bool) string { return "" })
}

// choice describes a setting that is one of some names.
func choice(name string, ptr *string, usual string, names []string, doc string) field {
	return setting(name, ptr, usual, doc, strings.Join(names, ", "), oneOf(names))
}

// number describes a setting from lo to hi.
func number[T int | float64](name string, ptr *T, usual, lo, hi T, doc string) field {
	return setting(name, ptr, usual, doc, format(&lo)+" to "+format(&hi), between(lo, hi))
}

// shown gives a setting words of its own in the window, where the file speaks of its syntax or of other keys.
func (f field) shown(words string) field {
	f.window = words
	return f
}

// Help says what a setting means, by its key, in the window's words: "" for an unknown key.
func Help(key string) string { return helpTexts()[key] }

var helpTexts = sync.OnceValue(func() map[string]string {
	texts := map[string]string{}
	for _, s := range schema(new(Config)) {
		for _, f := range s.fields {
			texts[f.key] = cmp.Or(f.window, strings.ReplaceAll(f.doc, `With ""`, "Left empty,"))
		}
	}
	return texts
})

// later marks a setting that files of earlier versions do not have.
func (f field) later() field {
	f.yields = true
	return f
}

// placed marks a list in which each item's place means something.
func (f field) placed() field {
	f.places = true
	return f
}

// keepItems leaves in a list what is allowed, each for itself. It reports whether that is
// anything, and allowed.
func (f field) keepItems() bool {
	list, ok := f.ptr.(*[]string)
	if !ok || f.places {
		return false
	}
	var good []string
	for _, item := range *list {
		*list = []string{item}
		if f.check() == "" && !slices.Contains(good, item) {
			good = append(good, item)
		}
	}
	*list = good
	return len(good) > 0 && f.check() == ""
}

// names are those of a setting that binds a device.
func (f field) names() *[]string { return f.ptr.(*[]string) }
