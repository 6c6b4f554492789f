package widgets

import (
	"cmp"
	"maps"
	"time"
)

// memory is the remembered state of a container or a widget.
type memory struct {
	seen   uint32  // the Frame that used it last
	gone   bool    // it was not there in the Frame before
	height float32 // of the content, as it came out
	wide   float32 // how wide it came out, for a cell that asks
	tail   float32
	widths cellWidths
	scroll float32
	grip   float32 // where the scroll bar was taken

	caret, anchor int // bytes
	view          float32
	changed       time.Duration // when the caret moved
	open          bool
	highlight     int
	typed         string // what is searched for by typing
	typedAt       time.Duration
	stick         bool
	had           bool // the focus, the last time
	adding        bool
	log           *logLayout
}

func (u *UI) remember(id ID) *memory {
	m := u.memory[id]
	if m == nil {
		m = &memory{gone: true, seen: u.age}
		u.memory[id] = m
	}
	if m.seen != u.age {
		m.gone, m.seen = m.seen+1 != u.age, u.age
		m.open = m.open && !m.gone
	}
	return m
}

// forget drops what was not used for a few hundred pictures.
func (u *UI) forget() {
	if u.age%256 == 0 {
		maps.DeleteFunc(u.memory, func(_ ID, m *memory) bool { return u.age-m.seen > 1024 })
	}
}

// id makes the name of a widget: its own name, or text, within the scopes.
// The second of a name in a scope is another.
func (u *UI) id(name, text string) ID {
	name = cmp.Or(name, text)
	u.lastName = name
	id := u.scope().with(name)
	n := u.open.counts[id]
	u.open.counts[id] = n + 1
	if n > 0 {
		id = id.number(n)
	}
	return id
}

// with is FNV-1a.
func (id ID) with(name string) ID {
	h := uint64(id) ^ 0xcbf29ce484222325
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 0x100000001b3
	}
	return ID(h | 1)
}

func (id ID) number(n int) ID {
	h := (uint64(id) ^ uint64(n) ^ 0x9e3779b97f4a7c15) * 0x100000001b3
	return ID((h ^ h>>29) | 1)
}

// Scope makes the names within build its own: for items that look alike.
func (u *UI) Scope(name string, build func()) { u.within(u.scope().with(name), build) }

// ScopeN is Scope with a number.
func (u *UI) ScopeN(n int, build func()) { u.within(u.scope().number(n), build) }

// scope returns the innermost scope that is open.
func (u *UI) scope() ID { return u.open.scopes[len(u.open.scopes)-1] }

// within builds in a scope.
func (u *UI) within(scope ID, build func()) {
	u.open.scopes = append(u.open.scopes, scope)
	build()
	u.open.scopes = u.open.scopes[:len(u.open.scopes)-1]
}
