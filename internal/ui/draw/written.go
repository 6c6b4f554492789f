package draw

// Written is a text that is to be painted in one line.
type Written struct {
	Text  string // the whole, also where a part was cut
	Cut   bool   // an ellipsis stands for the rest
	Place Rect   // of the letters, in points
	Clip  Rect   // in force
	Layer int
}

// Texts returns what was written since Reset, in order. It is valid until the next Reset.
func (l *List) Texts() []Written { return l.texts }

// note keeps a text whose letters go from one place to another, in pixels.
func (l *List) note(text string, cut bool, from, to, top, high float32) {
	if text != "" {
		place := Rect{from, top * l.scale, to - from, high * l.scale}.Mul(1 / l.scale)
		l.texts = append(l.texts, Written{text, cut, place, l.Clip(), l.layer})
	}
}
