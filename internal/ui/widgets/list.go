package widgets

import (
	"strings"
	"time"
	"unicode"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
)

// List is a number of items of which one, *chosen, is chosen; -1 is none. The
// arrows move in it, letters find an item by its title.
func (u *UI) List(l List, chosen *int) (p Picked) {
	id := u.id(l.Name, "list")
	m := u.remember(id)
	item := l.itemHeight()
	view := u.listPlace(l, item)
	inner := view.Inset(4)
	if l.Focus && m.gone || l.Take {
		u.take(id)
	}
	t := u.interact(id, view, false)
	if l.Count == 0 {
		u.standAside()
	}
	u.face(t, view, 10, 1, u.theme.Field, u.theme.Line)
	before := *chosen
	if m.highlight != *chosen { // by the screen: it is to be seen
		l.reveal(m, *chosen, inner.H, item)
	}
	if t.focused && l.Count > 0 {
		u.listKeys(l, m, inner.H, item, chosen)
	}
	if t.focused && (*chosen < 0 || *chosen >= l.Count || l.Item(*chosen).Idle) {
		u.focus.forward = true
	} else if t.focused {
		p.Activated = u.press(t)
	}
	u.items(l, m, id, inner, item, t, chosen, &p)
	u.scrolled(id, m, inner, float32(l.Count)*item)
	p.Changed, m.highlight = *chosen != before, *chosen
	return p
}

// itemHeight returns how high the items are: as high as the first needs.
func (l List) itemHeight() float32 {
	if l.Count == 0 {
		return 40
	}
	if i := l.Item(0); i.Sub != "" || i.Image != 0 {
		return 54
	}
	return 36
}

func (u *UI) listPlace(l List, item float32) draw.Rect {
	h := l.Height
	if h == 0 {
		h = u.Area().H
		if h < item {
			h = float32(max(l.Count, 1))*item + 8
		}
	}
	return u.Cell(0, h)
}

// emptyWords says in the middle of a place why it is empty, below an icon where there is room for one.
func (u *UI) emptyWords(in draw.Rect, icon draw.Icon, words string) {
	words = u.Say(words)
	in = in.Inset2(16, 0)
	style, line := StyleHead, u.list.LineHeight(StyleHead)
	style.Weight = draw.Medium
	high := line * float32(u.list.Wrap(style, words, in.W, nil))
	const side, gap = 44, 12
	if icon != draw.NoIcon && in.H >= high+2*(side+gap) {
		mark := draw.R(in.X, in.Y+(in.H-high-side-gap)/2, in.W, side)
		u.list.Icon(mark, icon, side, u.theme.Faint)
		in.Y, in.H = mark.Bottom()+gap, high
	}
	y := in.Y + (in.H-high)/2
	u.list.Wrap(style, words, in.W, func(s string) {
		u.list.TextIn(draw.R(in.X, y, in.W, line), style, s, u.theme.Soft, draw.Middle)
		y += line
	})
}

// items draws the items in sight and takes clicks on them.
func (u *UI) items(l List, m *memory, id ID, inner draw.Rect, high float32, t touch, chosen *int, p *Picked) {
	if l.Count == 0 {
		u.emptyWords(inner, l.Blank, l.Empty)
		return
	}
	w := inner.W
	if float32(l.Count)*high > inner.H {
		w -= barWidth
	}
	if t.pressed && u.mouse.at.X < inner.X+w {
		if i := int((u.mouse.at.Y - inner.Y + m.scroll) / high); i >= 0 && i < l.Count {
			p.Activated = p.Activated || u.in.Clicks >= 2 && *chosen == i
			*chosen = i
		}
	}
	u.list.PushClip(inner)
	defer u.list.PopClip()
	for i := max(0, int(m.scroll/high)); i < l.Count; i++ {
		r := draw.R(inner.X, inner.Y+float32(i)*high-m.scroll, w, high)
		if r.Y >= inner.Bottom() {
			break
		}
		if i == *chosen && t.focused {
			u.focus.part = r.Intersect(u.list.Clip())
		}
		u.item(l, l.Item(i), r, i == *chosen, t.hot && u.mouse.at.In(r))
	}
}

func (u *UI) item(l List, i Item, r draw.Rect, chosen, hot bool) {
	i.Title, i.Sub, i.Right, i.Badge = u.Say(i.Title), u.Say(i.Sub), u.Say(i.Right), u.Say(i.Badge)
	r = r.Inset2(0, 1)
	switch {
	case chosen:
		u.list.FillRound(r, 7, u.theme.AccentSoft)
	case hot:
		u.list.FillRound(r, 7, u.theme.Raised.Fade(0.7))
	}
	in := r.Inset2(10, 0)
	u.itemPicture(l, i, &in)
	title, soft := u.theme.Text, u.theme.Soft
	if i.Faint {
		title = soft
	}
	if i.Right != "" {
		w := min(u.list.Width(StyleSmall, i.Right), in.W/2)
		u.list.TextIn(in.CutRight(w), StyleSmall, i.Right, soft, draw.End)
		in.CutRight(10)
	}
	if i.Sub == "" {
		u.itemTitle(i, in, title)
		return
	}
	in = in.Inset2(0, (r.H-41)/2)
	u.itemTitle(i, in.Top(22), title)
	u.list.TextIn(in, StyleSmall, i.Sub, soft, draw.Start)
}

func (u *UI) itemPicture(l List, i Item, in *draw.Rect) {
	side := min(in.H-8, 40)
	switch {
	case i.Image != 0:
		u.list.Image(i.Image, in.Left(side).Centered(side, side))
		in.Left(12)
	case i.Color.A > 0:
		u.plate(in.Left(side).Centered(side, side), i.Color, i.Title)
		in.Left(12)
	case i.Icon != draw.NoIcon && l.Pictures:
		u.list.Icon(in.Left(side).Centered(side, side), i.Icon, 20, u.theme.Soft)
		in.Left(12)
	case i.Icon != draw.NoIcon:
		u.list.Icon(in.Left(22), i.Icon, 20, u.theme.Soft)
		in.Left(10)
	}
}

func (u *UI) itemTitle(i Item, r draw.Rect, c draw.Color) {
	if i.Badge == "" {
		u.list.TextIn(r, StyleBody, i.Title, c, draw.Start)
		return
	}
	bw := u.list.Width(StyleSmall, i.Badge) + 16
	w := min(u.list.Width(StyleBody, i.Title), max(r.W-bw-8, 0))
	u.list.TextIn(draw.R(r.X, r.Y, w+0.5, r.H), StyleBody, i.Title, c, draw.Start)
	u.badge(draw.R(r.X+w+8, r.Y+(r.H-20)/2, bw, 20), i.Kind, i.Badge)
}

// listKeys moves the choice.
func (u *UI) listKeys(l List, m *memory, view, item float32, chosen *int) {
	to := *chosen
	far, leaps := u.leap(to, max(int(view/item)-1, 1), l.Count)
	switch dir := u.move(); {
	case dir == NavUp:
		to--
	case dir == NavDown:
		to++
	case leaps:
		to = far
	case u.letter() != "" && u.first:
		to = u.search(l.Count, func(i int) string { return u.Say(l.Item(i).Title) }, m, *chosen)
	default:
		return
	}
	if dir := u.move(); (to < 0 && *chosen <= 0 || to >= l.Count) && (dir == NavUp || dir == NavDown) {
		return // leave the list
	}
	if u.letter() == "" {
		u.used()
	}
	*chosen = max(0, min(to, l.Count-1))
	l.reveal(m, *chosen, view, item)
}

// leap is where the keys for a page, the beginning and the end lead among count things, if one is pressed.
func (u *UI) leap(from, page, count int) (to int, leaps bool) {
	switch u.in.Press.Key {
	case KeyPageUp:
		return from - page, true
	case KeyPageDown:
		return from + page, true
	case KeyHome:
		return 0, true
	case KeyEnd:
		return count - 1, true
	}
	return from, false
}

// reveal scrolls to an item.
func (l List) reveal(m *memory, i int, view, item float32) {
	if i >= 0 && i < l.Count {
		m.scroll = max(float32(i+1)*item-view, min(m.scroll, float32(i)*item))
	}
}

// letter is what was typed. Text comes to fields alone, since input methods are for those: elsewhere it is what the key
// writes.
func (u *UI) letter() string {
	if p := u.in.Press; u.in.Text == "" && p.Sym > 0 && p.Sym != ' ' && unicode.IsGraphic(p.Sym) && p.Mods&^Shift == 0 && !u.focus.keyUsed {
		return string(p.Sym)
	}
	return u.in.Text
}

// searchPause is after how long typing begins a new search.
const searchPause = time.Second

// search returns the next item whose title begins with what is being typed.
func (u *UI) search(count int, title func(i int) string, m *memory, from int) int {
	if u.in.Now-m.typedAt > searchPause {
		m.typed = ""
	}
	next := 0
	if m.typed == "" {
		next = 1
	}
	m.typed, m.typedAt = m.typed+phrase.Fold(u.letter()), u.in.Now
	if m.typed == " " {
		m.typed = "" // a space presses
		return from
	}
	for i := range count {
		j := (max(from, 0) + next + i) % count
		if strings.HasPrefix(phrase.Fold(title(j)), m.typed) {
			return j
		}
	}
	return from
}
