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
	usual [3][]string // what presses it by default, by the section
}

// The sections of buttons. The second keys leave alone what the first and the hotkeys use, and the right
// hand has the cross, as there.
const (
	firstKeys = iota
	secondKeys
	padButtons
)

// refs lists the fields.
func (b *Buttons) refs() []buttonRef {
	return []buttonRef{
		{"a", &b.A, "A, the right one of the four.", [...][]string{{"X"}, {"G"}, {"b"}}},
		{"b", &b.B, "B, the lowest of the four.", [...][]string{{"Z"}, {"F"}, {"a"}}},
		{"x", &b.X, "X, the highest of the four.", [...][]string{{"S"}, {"T"}, {"y"}}},
		{"y", &b.Y, "Y, the left one of the four.", [...][]string{{"A"}, {"R"}, {"x"}}},
		{"l", &b.L, "The left shoulder button.", [...][]string{{"Q"}, {"E"}, {"leftshoulder"}}},
		{"r", &b.R, "The right shoulder button.", [...][]string{{"W"}, {"Y"}, {"rightshoulder"}}},
		{"start", &b.Start, "START.", [...][]string{{"Return"}, {"P"}, {"start"}}},
		{"select", &b.Select, "SELECT.", [...][]string{{"Right Shift"}, {"O"}, {"back"}}},
		{"up", &b.Up, "Up on the cross.", [...][]string{{"Up"}, {"I"}, {"dpup", "-lefty"}}},
		{"down", &b.Down, "Down on the cross.", [...][]string{{"Down"}, {"K"}, {"dpdown", "+lefty"}}},
		{"left", &b.Left, "Left on the cross.", [...][]string{{"Left"}, {"J"}, {"dpleft", "-leftx"}}},
		{"right", &b.Right, "Right on the cross.", [...][]string{{"Right"}, {"L"}, {"dpright", "+leftx"}}},
		{"lid", &b.Lid, "Closes the console while it is held.", [3][]string{}},
		{"mic", &b.Mic, "Blows into the microphone while it is held.", [...][]string{{"M"}, {"N"}, {"leftstick"}}},
	}
}

// fields describes a section of buttons.
func (b *Buttons) fields(list func(name string, ptr *[]string, doc string, usual ...string) field, section int) (fields []field) {
	for _, r := range b.refs() {
		fields = append(fields, list(r.name, r.names, r.doc, r.usual[section]...))
	}
	return fields
}
