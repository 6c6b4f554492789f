package widgets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// onBoard is a screen with a field and a button, for somebody with nothing but a pad.
type onBoard struct {
	*bench
	spec    Field
	value   string
	pressed int
	entered int
	back    int
	gone    bool // the field is
}

func newOnBoard(t *testing.T, spec Field) *onBoard {
	spec.Name = "name"
	s := &onBoard{bench: newBench(t, 640, 480, 1), spec: spec}
	s.nav(NavAccept) // the first widget has the focus
	s.nav(NavAccept) // the board is open
	return s
}

func (s *onBoard) build(u *UI) {
	u.In(u.Area().Inset(20), func() {
		if !s.gone && u.Field(s.spec, &s.value).Entered && !u.Settling() {
			s.entered++
		}
		if u.Button(Button{Text: "Next"}) {
			s.pressed++
		}
	})
	if u.Back() {
		s.back++
	}
}

func (s *onBoard) nav(n Nav) {
	in := s.in
	in.Nav = n
	s.ui.Frame(in, s.build)
}

func (s *onBoard) control(name string) {
	in := s.in
	in.Control = name
	if name == "start" {
		in.Nav = NavAccept
	}
	s.ui.Frame(in, s.build)
}

// find goes to a key by the pad's cross and presses it with A.
func (s *onBoard) find(t *testing.T, name string) {
	t.Helper()
	rows := s.ui.board.rows()
	for row := range rows {
		for column, k := range rows[row] {
			if k.name != name {
				continue
			}
			for s.ui.board.row != row {
				s.nav(NavDown)
			}
			for s.ui.board.column != column {
				s.nav(NavRight)
			}
			s.nav(NavAccept)
			return
		}
	}
	t.Fatalf("there is no key %q: %v", name, rows)
}

// A player with nothing but a pad writes a name with capitals, digits and accents, corrects it,
// and goes on to the button.
func TestWriteByPad(t *testing.T) {
	s := newOnBoard(t, Field{Max: 8})
	for _, key := range []string{"shift", "Z", "o", "space", "1", "#+=", "!", "äéñ", "é", "é", "é", "delete"} {
		s.find(t, key)
	}
	if s.value != "Zo 1!éé" {
		t.Errorf("written is %q", s.value)
	}
	s.control("leftshoulder") // does nothing by itself: the mapper makes a move of it
	s.nav(NavPrevious)
	s.nav(NavPrevious)
	s.control("x")
	s.control("y")
	if s.value != "Zo 1 éé" {
		t.Errorf("after a correction in the middle: %q", s.value)
	}
	s.find(t, "enter")
	if s.entered != 1 || !s.ui.Busy() {
		t.Errorf("Enter was heard %d times", s.entered)
	}
	s.control("start")
	s.nav(NavDown)
	s.nav(NavAccept)
	if s.pressed != 1 || s.back != 0 {
		t.Errorf("the button was pressed %d times, Back %d times", s.pressed, s.back)
	}
}

// The board goes by B, which is no Back for the screen; when its field goes; when the player
// types after all, or clicks elsewhere. A click on it presses a key, and nothing below it.
func TestBoardGoes(t *testing.T) {
	s := newOnBoard(t, Field{})
	s.nav(NavBack)
	if s.ui.board.field != 0 || s.back != 0 {
		t.Errorf("after B the board is there: %v, Back was heard %d times", s.ui.board.field != 0, s.back)
	}
	s.nav(NavAccept)
	s.write("x", s.build)
	if s.ui.board.field != 0 || s.value != "x" {
		t.Errorf("after a key of a keyboard the text is %q", s.value)
	}
	s.nav(NavAccept)
	s.gone = true
	s.nav(NoNav)
	if s.ui.board.field != 0 {
		t.Error("the board is there without its field")
	}
	s = newOnBoard(t, Field{})
	click := func(at draw.Point) {
		in := s.in
		in.MouseIn, in.Mouse, in.Pressed, in.Held, in.Clicks = true, at, LeftButton, Buttons(0).With(LeftButton), 1
		s.ui.Frame(in, s.build)
		in.Pressed, in.Released, in.Held = NoButton, LeftButton, 0
		s.ui.Frame(in, s.build)
	}
	s.ui.board.keys(s.ui.Canvas().Bounds(), func(_, _ int, r draw.Rect, k boardKey) {
		if k.name == "q" {
			click(r.Center())
		}
	})
	if s.value != "q" {
		t.Errorf("after a click on a key: %q", s.value)
	}
	click(draw.Pt(320, 30))
	if s.ui.board.field != 0 {
		t.Error("the board stays after a click elsewhere")
	}
}

// Up and down lead to the key that is above or below, also in the row of wide keys, and every
// key of every page can be reached.
func TestBoardTurns(t *testing.T) {
	b := &board{row: 3, column: 9}
	turn := func(nav Nav) string {
		b.pad(nav, "")
		return b.rows()[b.row][b.column].name
	}
	got := []string{turn(NavDown), turn(NavUp), turn(NavDown), turn(NavLeft), turn(NavLeft), turn(NavLeft), turn(NavUp), turn(NavDown), turn(NavDown), turn(NavRight)}
	if s := fmt.Sprint(got); s != "[done _ done enter delete space b space 5 6]" {
		t.Errorf("the way is %s", s)
	}
	for page := range boardPages {
		b.page = page
		for i, row := range b.rows() {
			wide := float32(0)
			for _, k := range row {
				wide += k.wide
			}
			if wide != boardColumns {
				t.Errorf("page %d, row %d is %v columns wide", page, i, wide)
			}
		}
	}
}

// TestBoardPictures: with a long text, a secret, in a small window, at 2x.
func TestBoardPictures(t *testing.T) {
	for name, scene := range map[string]struct {
		w, h  int
		scale float32
		spec  Field
		text  string
	}{
		"board-1x":      {640, 480, 1, Field{}, "/home/ann/Games/Nintendo DS/Everything that I have ever bought/Eur"},
		"board-2x":      {1280, 960, 2, Field{Secret: true}, "swordfish"},
		"board-small":   {640, 480, 2, Field{}, "Ann"},
		"board-accents": {640, 480, 1, Field{}, "Ann"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &onBoard{bench: newBench(t, scene.w, scene.h, scene.scale), spec: scene.spec, value: scene.text}
			s.spec.Name = "name"
			s.nav(NavAccept)
			s.write("pe", s.build)
			s.nav(NavAccept)
			s.find(t, "shift")
			if name == "board-accents" {
				s.find(t, "#+=")
				s.find(t, "äéñ")
			}
			out := s.ui.Frame(s.in, s.build)
			golden(t, name, s.picture(out))
			if strings.Contains(s.ui.board.text, "sword") {
				t.Error("the board shows a password")
			}
		})
	}
}

// TestFingerOpensBoard: players with nothing but a touch screen can write, too; a mouse at a
// desk has a keyboard beside it.
func TestFingerOpensBoard(t *testing.T) {
	for _, finger := range []bool{false, true} {
		s := &onBoard{bench: newBench(t, 640, 480, 1), spec: Field{Name: "name"}}
		s.ui.Frame(s.in, s.build)
		in := s.in
		in.Mouse, in.MouseIn, in.Touch = draw.Pt(60, 40), true, finger
		in.Pressed, in.Held = LeftButton, Buttons(0).With(LeftButton)
		s.ui.Frame(in, s.build)
		in.Pressed, in.Released, in.Held = NoButton, LeftButton, 0
		s.ui.Frame(in, s.build)
		if open := s.ui.board.field != 0; open != finger {
			t.Errorf("by a finger: %t, the board is open: %t", finger, open)
		}
		if finger {
			s.find(t, "w")
			if s.value != "w" {
				t.Errorf("written: %q", s.value)
			}
		}
	}
}
