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
}

// Inspect has every Frame from now on note what its picture is made of. The Inspection is that of
// the last Frame.
func (u *UI) Inspect() *Inspection {
	if u.inspection == nil {
		u.inspection = &Inspection{}
	}
	return u.inspection
}

func (i *Inspection) begin() {
	if i != nil {
		i.Widgets, i.Views, i.Clear = i.Widgets[:0], i.Views[:0], i.Clear[:0]
	}
}

// noteWidget notes a widget for the inspection.
func (u *UI) noteWidget(id ID, r draw.Rect) {
	if i := u.inspection; i != nil {
		i.Widgets = append(i.Widgets, Shown{id, r, u.list.Clip(), u.list.Layer()})
	}
}

// noteClear notes for the inspection where no message is to lie.
func (u *UI) noteClear() {
	if i := u.inspection; i != nil {
		i.Clear = append(i.Clear, u.toasts.clear...)
	}
}

// noteView notes a view for the inspection.
func (u *UI) noteView(view, content draw.Rect) {
	if i := u.inspection; i != nil {
		i.Views = append(i.Views, Scrolled{view, content, u.list.Layer()})
	}
}
