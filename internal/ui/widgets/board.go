package widgets

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// Players with nothing but a pad or a touch screen write with a board of keys on the screen: A
// or a finger on a field opens it. Its keys reach the field as if they were typed.

// board is the keys on the screen.
type board struct {
	field       ID   // that it writes into; 0: it is not there
	built       bool // the field was, with the focus
	text        string
	caret       int // bytes of text, which is what is seen in the field
	page        int
	upper       bool // the next letter is a capital
	row, column int  // of the lit key
}

// boardKey is one key: it writes a text, presses a key of a keyboard, or does something to the board.
type boardKey struct {
	name string
	text string
	key  Key
	does boardAction
	wide float32 // columns
}

type boardAction uint8

const (
	boardTypes boardAction = iota
	boardShift
	boardPage
	boardDone
)

// boardColumns is the number of letters that stand side by side.
const boardColumns = 10

// boardPages are the letters of each page, by row, and what the key to the next page says.
var boardPages = []struct {
	rows [4]string
	next string
}{
	{[4]string{"1234567890", "qwertyuiop", "asdfghjkl-", "zxcvbnm,._"}, "#+="},
	{[4]string{"1234567890", `@#$%&*+=/\`, "()[]{}<>|~", `!?"':;,.^-`}, "äéñ"},
	{[4]string{"äöüßàâæçèé", "êëîïôœùûáí", "óúñìòãõåøý", "¿¡«»€£°§♥♪"}, "abc"},
}

// rows returns the keys.
func (b *board) rows() (rows [5][]boardKey) {
	page := boardPages[b.page]
	for i, letters := range page.rows {
		for _, r := range letters {
			text := string(r)
			if b.upper {
				text = strings.ToUpper(text)
			}
			rows[i] = append(rows[i], boardKey{name: text, text: text, wide: 1})
		}
	}
	rows[4] = []boardKey{
		{name: "shift", does: boardShift, wide: 1.5},
		{name: page.next, does: boardPage, wide: 1.5},
		{name: "space", text: " ", wide: 2.5},
		{name: "delete", key: KeyBackspace, wide: 1.5},
		{name: "enter", key: KeyEnter, wide: 1.5},
		{name: "done", does: boardDone, wide: 1.5},
	}
	return rows
}

// The place of the board, in points.
const (
	boardWide = 720
	boardKeyH = 40 // at most
	boardText = 38 // the line with the text
	boardGap  = 5
)

// boardPlace returns the lower part of the window that the board takes.
func boardPlace(bounds draw.Rect) draw.Rect {
	w := min(bounds.W, boardWide)
	h := boardText + 5*(boardKeyHeight(bounds)+boardGap) + 2*boardGap + boardHint(bounds)
	return draw.R(bounds.X+(bounds.W-w)/2, bounds.Bottom()-h, w, h)
}

// boardKeyHeight returns how high a key is: the board leaves a third of the window free.
func boardKeyHeight(bounds draw.Rect) float32 {
	return min(boardKeyH, max((bounds.H*2/3-boardText-2*boardGap-boardHint(bounds))/5-boardGap, 18))
}

// boardHint returns how high the line is that explains the pad: small windows have none.
func boardHint(bounds draw.Rect) float32 {
	if bounds.W < 560 || bounds.H < 400 {
		return 0
	}
	return 22
}

// keys calls do with the place of each key.
func (b *board) keys(bounds draw.Rect, do func(row, column int, r draw.Rect, k boardKey)) {
	area := boardPlace(bounds)
	area.Top(boardText)
	area = area.Inset2(2*boardGap, 0)
	high, unit := boardKeyHeight(bounds), (area.W+boardGap)/boardColumns
	for i, row := range b.rows() {
		line := area.Top(high)
		area.Top(boardGap)
		x := line.X
		for j, k := range row {
			do(i, j, draw.R(x, line.Y, k.wide*unit-boardGap, high), k)
			x += k.wide * unit
		}
	}
}

// under returns the key at a place, and lights it.
func (b *board) under(bounds draw.Rect, at draw.Point) (key boardKey, there bool) {
	b.keys(bounds, func(row, column int, r draw.Rect, k boardKey) {
		if at.In(r) {
			b.row, b.column, key, there = row, column, k, true
		}
	})
	return key, there
}

// boardControls and boardMoves are keys for which a pad need not go there.
var (
	boardControls = map[string]boardKey{
		"start": {does: boardDone, key: KeyEnter}, "x": {key: KeyBackspace}, "y": {text: " "}, "back": {does: boardShift},
	}
	boardMoves = map[Nav]boardKey{NavBack: {does: boardDone}, NavPrevious: {key: KeyLeft}, NavNext: {key: KeyRight}}
)

// open shows the board for a field.
func (b *board) open(field ID) { *b = board{field: field, built: true, row: 1} }

// follow takes what is seen in a field now.
func (b *board) follow(field ID, text string, caret int) {
	if b.field == field {
		b.built, b.text, b.caret = true, text, caret
	}
}

// hear takes what happens on the board, and returns what is left for the widgets.
func (b *board) hear(in Input) Input {
	if b.field == 0 {
		return in
	}
	bounds := draw.R(0, 0, float32(in.Size.X)/in.Scale, float32(in.Size.Y)/in.Scale)
	at := in.Mouse.Mul(1 / in.Scale)
	on := in.MouseIn && at.In(boardPlace(bounds))
	if in.Text != "" || in.Press.Key != 0 || in.Lost || in.Pressed != NoButton && !on {
		b.field = 0 // there is a keyboard after all, or something else is meant
		return in
	}
	key, pressed := b.pad(in.Nav, in.Control)
	if on && in.Pressed == LeftButton {
		key, pressed = b.under(bounds, at)
	}
	in.Nav, in.Control = NoNav, ""
	if on {
		in.MouseIn, in.Pressed, in.Released, in.Wheel = false, NoButton, NoButton, draw.Point{}
	}
	if pressed {
		b.press(key, &in)
	}
	return in
}

// pad moves on the board, and returns the key that a pad presses.
func (b *board) pad(nav Nav, control string) (key boardKey, pressed bool) {
	if key, pressed = boardControls[control]; pressed {
		return key, true
	}
	if key, pressed = boardMoves[nav]; pressed {
		return key, true
	}
	rows := b.rows()
	switch nav {
	case NavAccept:
		return rows[b.row][b.column], true
	case NavLeft:
		b.column = (b.column + len(rows[b.row]) - 1) % len(rows[b.row])
	case NavRight:
		b.column = (b.column + 1) % len(rows[b.row])
	case NavUp:
		b.turn(rows[:], len(rows)-1)
	case NavDown:
		b.turn(rows[:], 1)
	}
	return key, false
}

// turn goes on by so many rows, to the key that is above or below.
func (b *board) turn(rows [][]boardKey, by int) {
	x := rows[b.row][b.column].wide / 2
	for _, k := range rows[b.row][:b.column] {
		x += k.wide
	}
	b.row, b.column = (b.row+by)%len(rows), 0
	for right := float32(0); b.column < len(rows[b.row])-1; b.column++ {
		if right += rows[b.row][b.column].wide; x < right {
			return
		}
	}
}

// press does what a key does.
func (b *board) press(k boardKey, in *Input) {
	switch k.does {
	case boardShift:
		b.upper = !b.upper
	case boardPage:
		b.page = (b.page + 1) % len(boardPages)
	case boardDone:
		b.field, in.Press = 0, KeyPress{Key: k.key}
	default:
		in.Text, in.Press = k.text, KeyPress{Key: k.key}
		b.upper = b.upper && k.text == ""
	}
}
