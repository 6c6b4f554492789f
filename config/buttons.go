package config

// Buttons says what presses each button of a console: names of keys or of
// controller buttons, none or several.
type Buttons struct {
	A, B, X, Y, L, R, Start, Select []string
	Up, Down, Left, Right           []string
	Lid, Mic                        []string // while held: closed; noise in the microphone
}

// Button is one button of a console and what presses it.
type Button struct {
	Name  string   // as in the file: "a", "start", "up", "lid"
	Names []string // of the keys or controller buttons that press it
}

// All returns all buttons in the order of the file.
func (b Buttons) All() []Button {
	list := make([]Button, 0, 14)
	for _, r := range b.refs() {
		list = append(list, Button{r.name, *r.names})
	}
	return list
}

// buttonRef is a field of Buttons.
type buttonRef struct {
	name  string
	names *[]string
	doc   string
}

// refs lists the fields.
func (b *Buttons) refs() []buttonRef {
	return []buttonRef{
		{"a", &b.A, "A, the right one of the four."},
		{"b", &b.B, "B, the lowest of the four."},
		{"x", &b.X, "X, the highest of the four."},
		{"y", &b.Y, "Y, the left one of the four."},
		{"l", &b.L, "The left shoulder button."},
		{"r", &b.R, "The right shoulder button."},
		{"start", &b.Start, "START."},
		{"select", &b.Select, "SELECT."},
		{"up", &b.Up, "Up on the cross."},
		{"down", &b.Down, "Down on the cross."},
		{"left", &b.Left, "Left on the cross."},
		{"right", &b.Right, "Right on the cross."},
		{"lid", &b.Lid, "Closes the console while it is held."},
		{"mic", &b.Mic, "Blows into the microphone while it is held."},
	}
}

// fields describes a section of buttons.
func (b *Buttons) fields(list func(name string, ptr *[]string, doc string, usual ...string) field, usual Buttons) (fields []field) {
	defaults := usual.All()
	for i, r := range b.refs() {
		fields = append(fields, list(r.name, r.names, r.doc, defaults[i].Names...))
	}
	return fields
}

func defaultKeys() Buttons {
	return Buttons{
		A: []string{"X"}, B: []string{"Z"}, X: []string{"S"}, Y: []string{"A"},
		L: []string{"Q"}, R: []string{"W"}, Start: []string{"Return"}, Select: []string{"Right Shift"},
		Up: []string{"Up"}, Down: []string{"Down"}, Left: []string{"Left"}, Right: []string{"Right"},
		Lid: []string{}, Mic: []string{"M"},
	}
}

// defaultKeys2 leaves alone what [defaultKeys] and the hotkeys use. The right hand has the
// cross, as there.
func defaultKeys2() Buttons {
	return Buttons{
		A: []string{"G"}, B: []string{"F"}, X: []string{"T"}, Y: []string{"R"},
		L: []string{"E"}, R: []string{"Y"}, Start: []string{"P"}, Select: []string{"O"},
		Up: []string{"I"}, Down: []string{"K"}, Left: []string{"J"}, Right: []string{"L"},
		Lid: []string{}, Mic: []string{"N"},
	}
}

func defaultPadButtons() Buttons {
	return Buttons{
		A: []string{"b"}, B: []string{"a"}, X: []string{"y"}, Y: []string{"x"},
		L: []string{"leftshoulder"}, R: []string{"rightshoulder"}, Start: []string{"start"}, Select: []string{"back"},
		Up: []string{"dpup", "-lefty"}, Down: []string{"dpdown", "+lefty"},
		Left: []string{"dpleft", "-leftx"}, Right: []string{"dpright", "+leftx"},
		Lid: []string{}, Mic: []string{"leftstick"},
	}
}
