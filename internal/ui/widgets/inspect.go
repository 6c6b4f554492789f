package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// Shown is something that the user can act on, as it came out in a picture. All places are in
// points.
type Shown struct {
	ID    ID
	Place draw.Rect
	Clip  draw.Rect // in force
	Layer int
}

// Scrolled is a view through which a part of something larger is seen, and can be moved.
type Scrolled struct {
	View, Content draw.Rect // the content's place goes beyond the view
	Layer         int
}

// Inspection holds the parts of a picture, beside its texts, which [draw.List.Texts] has.
type Inspection struct {
	Widgets []Shown
	Views   []Scrolled
	Clear   []draw.Rect // where no toast is to lie
	Filled  []ID        // the Primary buttons that can be pressed
	Pressed []ID        // what keys or a pad pressed, in this Frame
}

// Inspect returns what the picture of the last Frame is made of; each Frame fills it anew.
func (u *UI) Inspect() *Inspection { return &u.inspection }

func (i *Inspection) begin() {
	i.Widgets, i.Views, i.Clear = i.Widgets[:0], i.Views[:0], i.Clear[:0]
	i.Filled = i.Filled[:0]
}

func (u *UI) noteWidget(id ID, r draw.Rect) {
	u.inspection.Widgets = append(u.inspection.Widgets, Shown{id, r, u.list.Clip(), u.list.Layer()})
}

func (u *UI) noteView(view, content draw.Rect) {
	u.inspection.Views = append(u.inspection.Views, Scrolled{view, content, u.list.Layer()})
}
