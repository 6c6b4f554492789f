package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Mapping assigns the buttons of a controller.
type Mapping struct {
	Buttons Buttons
	Touch   []string // put the stylus down
}

// MappingOf returns what the buttons of a controller do, by the name that it calls itself:
// where it has no mapping of its own, that of all.
func (p Pads) MappingOf(name string) Mapping {
	m := Mapping{p.Buttons, p.Touch}.clone()
	if text, ok := p.Own[name]; ok {
		m.read(text)
	}
	return m
}

// SetMapping gives a controller a mapping of its own, or, with the name "", all that have
// none. One that is like that of all is not kept.
func (p *Pads) SetMapping(name string, m Mapping) {
	m = m.clone()
	if name == "" {
		p.Buttons, p.Touch = m.Buttons, m.Touch
		return
	}
	own := maps.Clone(p.Own)
	if own == nil {
		own = map[string]string{}
	}
	delete(own, name)
	if text := m.differing(Mapping{p.Buttons, p.Touch}); text != "" {
		own[name] = text
	}
	p.Own = own
}

// Keeps reports whether a controller of this name can have a mapping of its own.
func (p Pads) Keeps(name string) bool {
	_, has := p.Own[name]
	return printable(1, maxPadName)(name) == "" && (has || len(p.Own) < maxMappings)
}

// ownMappings is the key of the mappings of single controllers.
const ownMappings = "pads.own"

// Limits of mappings: more controllers than anybody has, longer names than SDL gives.
const (
	maxMappings      = 64
	maxPadName       = 128
	maxMappingLength = 1024
)

// each calls do for each list of the mapping, by its name in the file.
func (m *Mapping) each(do func(name string, list *[]string)) {
	for _, r := range m.Buttons.refs() {
		do(r.name, r.names)
	}
	do("touch", &m.Touch)
}

func (m Mapping) clone() Mapping {
	m.each(func(_ string, list *[]string) { *list = slices.Clone(*list) })
	return m
}

// differing writes the lists that are others than those of usual: "a: b; up: dpup, -lefty".
func (m Mapping) differing(usual Mapping) string {
	var parts []string
	before := map[string][]string{}
	usual.each(func(name string, list *[]string) { before[name] = *list })
	m.each(func(name string, list *[]string) {
		if !slices.Equal(*list, before[name]) {
			parts = append(parts, strings.TrimSpace(name+": "+strings.Join(*list, ", ")))
		}
	})
	return strings.Join(parts, "; ")
}

// read takes over the lists that a text names. It returns why the text cannot be read, or "".
func (m *Mapping) read(text string) (why string) {
	given := map[string][]string{}
	for part := range strings.SplitSeq(text, ";") {
		name, names, ok := strings.Cut(part, ":")
		name = strings.TrimSpace(name)
		if _, twice := given[name]; !ok || twice {
			return fmt.Sprintf("%q is not a button, a colon and what presses it, once", strings.TrimSpace(part))
		}
		given[name] = []string{}
		for control := range strings.SplitSeq(names, ",") {
			if control = strings.TrimSpace(control); control != "" {
				given[name] = append(given[name], control)
			}
		}
		if why := each(8, whyPadName)(given[name]); why != "" {
			return name + " " + why
		}
	}
	m.each(func(name string, list *[]string) {
		if l, ok := given[name]; ok {
			*list = l
			delete(given, name)
		}
	})
	for _, name := range slices.Sorted(maps.Keys(given)) {
		return fmt.Sprintf("%q is no button of the console", name)
	}
	return ""
}

// clash names a button that does two things.
func (m Mapping) clash() (why string) {
	uses := map[string]string{}
	m.each(func(name string, list *[]string) {
		for _, control := range *list {
			if other, taken := uses[control]; taken && why == "" {
				why = fmt.Sprintf("%q is %s and %s", control, other, name)
			}
			uses[control] = name
		}
	})
	return why
}

// whyMappings allows mappings of controllers.
func whyMappings(own map[string]string) string {
	if len(own) > maxMappings {
		return fmt.Sprintf("has %d controllers, more than %d", len(own), maxMappings)
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if why := printable(1, maxPadName)(name); why != "" {
			return fmt.Sprintf("has the name %.40q, which %s", name, why)
		}
		text := own[name]
		if why := printable(1, maxMappingLength)(text); why != "" {
			return fmt.Sprintf("%q %s", name, why)
		}
		var m Mapping
		if why := m.read(text); why != "" {
			return fmt.Sprintf("%q: %s", name, why)
		}
	}
	return ""
}

// mappingClashes finds buttons of a controller that do two things.
func mappingClashes(p Pads) (problems []Problem) {
	for _, name := range slices.Sorted(maps.Keys(p.Own)) {
		if why := p.MappingOf(name).clash(); why != "" {
			problems = append(problems, Problem{
				Key: ownMappings, Other: "pads.buttons", Why: fmt.Sprintf("%q: %s", name, why), Allowed: "each button in one place", item: name,
			})
		}
	}
	return problems
}
