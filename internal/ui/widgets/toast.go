package widgets

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// toasts are the messages that go away by themselves.
type toasts struct {
	list  []toast
	clear []draw.Rect // of this build: where no message is to lie
}

// toast is one of them.
type toast struct {
	kind         Kind
	of           string // of several with this only the newest shows; "" for none
	text         string
	since, until time.Duration
	at           draw.Rect
	form         toastForm
	covers       float32 // how much of what is to be clear, when its place was chosen
}

// Toast shows a message for a few seconds, where it covers nothing that can be pressed, nor
// what [UI.KeepClear] was called for, as far as there is such a place. The same one again only
// stays longer.
func (u *UI) Toast(kind Kind, text string) { u.ToastOf("", kind, text) }

// ToastOf is Toast for a message of which only the newest matters, such as how loud it is now: it takes the place of the
// one before it with the same of.
func (u *UI) ToastOf(of string, kind Kind, text string) {
	now := u.in.Now
	until := now + 4*time.Second + time.Duration(len(text))*30*time.Millisecond
	list := u.toasts.list
	if i := slices.IndexFunc(list, func(t toast) bool { return t.text == text || of != "" && t.of == of }); i >= 0 {
		if list[i].text != text {
			list[i].at = draw.Rect{} // its size is another
		}
		list[i].of, list[i].kind, list[i].text, list[i].since, list[i].until = of, kind, text, now, until
		return
	}
	if len(list) == 4 {
		list = slices.Delete(list, 0, 1)
	}
	u.toasts.list = append(list, toast{of: of, kind: kind, text: text, since: now, until: until})
}

// HurryToasts has the messages that show go after half of their time: another screen shows, and
// they were about the one before.
func (u *UI) HurryToasts() {
	for i := range u.toasts.list {
		t := &u.toasts.list[i]
		t.until = min(t.until, t.since+2*time.Second+time.Duration(len(t.text))*15*time.Millisecond)
	}
}

// KeepClear asks that no message lies over a place in this picture, unless a dialog lies over it.
func (u *UI) KeepClear(r draw.Rect) {
	if !u.Covered() {
		u.toasts.clear = append(u.toasts.clear, r)
	}
}

// IsClear reports whether a place has nothing of this picture, as far as it is built, that is to be kept clear.
func (u *UI) IsClear(r draw.Rect) bool { return covered(r, u.toasts.clear) == 0 }

func (u *UI) endToasts() {
	u.toasts.list = slices.DeleteFunc(u.toasts.list, func(t toast) bool { return t.until <= u.in.Now })
	u.inspection.Clear = append(u.inspection.Clear, u.toasts.clear...)
	n := len(u.toasts.clear)
	for !u.placeToasts() {
		u.toasts.list, u.toasts.clear = slices.Delete(u.toasts.list, 0, 1), u.toasts.clear[:n]
	}
	defer u.list.SetLayer(u.list.SetLayer(draw.Layers - 2))
	for i := range u.toasts.list {
		u.Wake(u.toasts.list[i].until - u.in.Now)
		u.drawToast(&u.toasts.list[i])
	}
}

// placeToasts finds a place for each message. It returns false when one would lie over another:
// the oldest gives way.
func (u *UI) placeToasts() bool {
	n := len(u.toasts.clear)
	for i := range u.toasts.list {
		t := &u.toasts.list[i]
		if t.at.Empty() || !within(u.list.Bounds(), t.at) || covered(t.at, u.toasts.clear) > t.covers+1 {
			u.placeToast(t)
		}
		if covered(t.at, u.toasts.clear[n:]) > 0 {
			t.at = draw.Rect{}
			return false
		}
		u.toasts.clear = append(u.toasts.clear, t.at)
	}
	return true
}

func within(all, r draw.Rect) bool { return r.Intersect(all) == r }

// toastForm is the form of a written message.
type toastForm struct {
	style draw.Style
	pad   draw.Point // the room for the icon and around the words
	icon  float32
}

// toastForms are that of a message where there is room, and that where there is little.
var toastForms = [...]toastForm{{StyleBody, draw.Pt(50, 16), 20}, {StyleSmall, draw.Pt(36, 8), 14}}

// placeToast finds the place for a message that covers least, and is nearest to the middle of
// the lower edge. In a narrow place it is higher; it is small where it would cover something.
func (u *UI) placeToast(t *toast) {
	for i, form := range toastForms {
		if s := u.searchToast(u.Say(t.text), form); i == 0 || s.covers < t.covers {
			t.at, t.covers, t.form = u.list.Snap(s.best), s.covers, form
		}
		if t.covers == 0 {
			return
		}
	}
}

func (u *UI) searchToast(text string, form toastForm) search {
	s := search{all: u.list.Bounds().Inset(4), clear: u.toasts.clear, least: -1}
	for _, w := range u.list.Texts() {
		if w.Layer>>1 == layerOf(u.layers.nextTop)>>1 {
			s.texts = append(s.texts, w.Place.Intersect(w.Clip))
		}
	}
	wide := u.list.Width(form.style, text)
	for i, most := range [...]float32{470, 300, 240, 200, 160, 130, 105, 84} {
		if i > 0 && wide <= most {
			continue // as before
		}
		width := min(wide, most, s.all.W-form.pad.X)
		lines := u.list.Wrap(form.style, text, width, nil)
		s.try(draw.Pt(width+form.pad.X, float32(lines)*u.list.LineHeight(form.style)+form.pad.Y))
	}
	return s
}

// search looks for a place for a message.
type search struct {
	all, best    draw.Rect
	clear, texts []draw.Rect
	least        float32 // what is wrong with the best place; negative: there is none yet
	covers       float32 // how much of clear it covers
}

// apart is the distance, in points, of messages from what is to be clear.
const apart = 4

// try tries a message of some size at the edges, in the middle, and beside all that is to be clear.
func (s *search) try(size draw.Point) {
	xs := []float32{s.all.X + (s.all.W-size.X)/2, s.all.X, s.all.Right() - size.X}
	ys := []float32{s.all.Bottom() - 16 - size.Y, s.all.Bottom() - size.Y, s.all.Y}
	for _, r := range s.clear {
		xs = append(xs, r.X-apart-size.X, r.Right()+apart, r.Center().X-size.X/2)
		ys = append(ys, r.Y-apart-size.Y, r.Bottom()+apart)
	}
	for _, r := range s.texts {
		ys = append(ys, r.Y-apart-size.Y, r.Bottom()+apart)
	}
	for _, y := range ys {
		for _, x := range xs {
			if r := draw.R(x, y, size.X, size.Y); within(s.all, r) {
				s.weigh(r)
			}
		}
	}
}

// weigh takes a place if it is better than the best so far. The upper edge is nearly as good as the
// lower one. A text that is covered weighs little beside a button that is.
func (s *search) weigh(r draw.Rect) {
	aside := r.Center().X - s.all.Center().X
	far := min(s.all.Bottom()-r.Bottom(), 100+r.Y-s.all.Y)
	wrong := max(aside, -aside) + 4*far + 25*r.H
	if s.least >= 0 && wrong >= s.least {
		return
	}
	covers := float32(0)
	for _, p := range s.clear { // most places are worse than the best so far after a few
		c := r.Intersect(p)
		if covers += c.W * c.H; s.least >= 0 && wrong+100*covers >= s.least {
			return
		}
	}
	if wrong += 100*covers + covered(r, s.texts); s.least < 0 || wrong < s.least {
		s.best, s.least, s.covers = r, wrong, covers
	}
}

// covered returns the area of some places that lies under r.
func covered(r draw.Rect, places []draw.Rect) (area float32) {
	for _, p := range places {
		c := r.Intersect(p)
		area += c.W * c.H
	}
	return area
}

func (u *UI) drawToast(t *toast) {
	r, f := t.at, t.form
	u.list.Shadow(r.Move(0, 3), 10, 14, u.theme.Shadow)
	u.face(touch{}, r, 10, 1, u.theme.Raised, u.theme.LineStrong)
	u.list.Icon(draw.R(r.X+f.icon/2, r.Y, f.icon+2, r.H), kindIcons[t.kind], f.icon, u.theme.Kind(t.kind))
	u.write(draw.Pt(r.X+1.9*f.icon, r.Y+f.pad.Y/2), r.W-f.pad.X+1, f.style, u.theme.Text, u.Say(t.text))
}
