package widgets

import (
	"strings"
	"testing"
)

// field is a screen with one field, which has the focus.
type field struct {
	*bench
	spec  Field
	value string
	last  Edited
}

func newField(t *testing.T, spec Field, value string) *field {
	spec.Name, spec.Focus = "field", true
	f := &field{bench: newBench(t, 640, 480, 1), spec: spec, value: value}
	f.frame(f.build)
	f.key(KeyEnd, 0, f.build)
	return f
}

func (f *field) build(u *UI) {
	u.In(u.Area().Inset(20), func() { f.last = mergeEdited(u, f.last, u.Field(f.spec, &f.value)) })
}

// mergeEdited keeps what was heard while the picture settled, too.
func mergeEdited(u *UI, before, now Edited) Edited {
	if u.Settling() {
		now.Changed, now.Entered, now.Left = now.Changed || before.Changed, now.Entered || before.Entered, now.Left || before.Left
	}
	return now
}

func (f *field) keys(mods Mods, keys ...Key) {
	for _, k := range keys {
		f.key(k, mods, f.build)
	}
}

func (f *field) want(t *testing.T, value string) {
	t.Helper()
	if f.value != value {
		t.Errorf("got %q, want %q", f.value, value)
	}
}

func TestTyping(t *testing.T) {
	f := newField(t, Field{}, "")
	f.write("Bob", f.build)
	f.keys(0, KeyLeft, KeyLeft)
	f.write("l", f.build)
	f.want(t, "Blob")
	f.keys(0, KeyHome, KeyDelete, KeyEnd, KeyBackspace)
	f.want(t, "lo")
	if !f.last.Changed || !f.last.Focused || f.last.Entered {
		t.Errorf("got %+v after a letter was removed", f.last)
	}
	if f.keys(0, KeyEnter); !f.last.Entered || f.last.Changed {
		t.Errorf("got %+v after Enter", f.last)
	}
	f.keys(0, KeyTab)
	f.ui.SetFocus(0)
	if f.frame(f.build); !f.last.Left {
		t.Errorf("got %+v after the focus went away", f.last)
	}
}

// One press of an arrow or Backspace is one letter as a reader sees it.
func TestLettersOfAllScripts(t *testing.T) {
	for _, letter := range []string{"é", "e\u0301", "ぱ", "は\u309a", "漢", "🎮", "👩\u200d🚀", "🇯🇵", "👍🏽", "ก\u0e4d"} {
		f := newField(t, Field{}, "ab")
		f.keys(0, KeyLeft)
		f.write(letter, f.build)
		f.want(t, "a"+letter+"b")
		f.keys(0, KeyBackspace)
		f.want(t, "ab")
		f.write(letter, f.build)
		f.keys(0, KeyLeft)
		f.write("<", f.build)
		f.keys(0, KeyRight)
		f.write(">", f.build)
		f.want(t, "a<"+letter+">b")
	}
}

func TestSelectionAndClipboard(t *testing.T) {
	f := newField(t, Field{}, "host 192.168.0.7 now")
	f.keys(Shift|Ctrl, KeyLeft, KeyLeft)
	f.keys(Ctrl, KeyC)
	if f.clip.text != "7 now" {
		t.Errorf("two words selected: %q", f.clip.text)
	}
	f.keys(0, KeyLeft) // to the beginning of the selection
	f.write("1", f.build)
	f.want(t, "host 192.168.0.17 now")
	f.keys(Ctrl, KeyA, KeyX)
	f.want(t, "")
	f.clip.text = "line 1\nline\t2\x00\x1b"
	f.keys(Ctrl, KeyV)
	f.want(t, "line 1 line 2")
	f.keys(Shift, KeyHome)
	f.write("x", f.build)
	f.want(t, "x")
}

func TestShortcutsByTheUsersLayout(t *testing.T) {
	f := newField(t, Field{}, "abc")
	f.in.Press = KeyPress{Key: KeyA, Sym: 'q', Mods: Ctrl} // French: A is elsewhere
	f.frame(f.build)
	f.write("x", f.build)
	f.want(t, "abcx")
	f.in.Press = KeyPress{Key: KeyA, Sym: 'ф', Mods: Ctrl} // Russian: there is no A
	f.frame(f.build)
	f.write("y", f.build)
	f.want(t, "y")
}

func TestLimits(t *testing.T) {
	f := newField(t, Field{Max: 4}, "")
	f.write("12", f.build)
	f.clip.text = "345678"
	f.keys(Ctrl, KeyV)
	f.want(t, "1234")
	f.keys(Ctrl, KeyA)
	f.write("9", f.build)
	f.want(t, "9")
}

func TestSecretStaysSecret(t *testing.T) {
	f := newField(t, Field{Secret: true}, "pass")
	f.write("ウ", f.build)
	f.keys(Ctrl, KeyA, KeyC, KeyX)
	f.want(t, "passウ")
	if f.clip.text != "" {
		t.Errorf("the password is in the clipboard: %q", f.clip.text)
	}
	f.click(33+7, 38, f.build) // between the first and the second dot, or beside
	f.write("-", f.build)
	if got := strings.Replace(f.value, "-", "", 1); got != "passウ" || f.value == "passウ" {
		t.Errorf("got %q", f.value)
	}
}

func TestMouseInField(t *testing.T) {
	f := newField(t, Field{}, "alpha beta gamma")
	x := func(s string) float32 { return 31 + f.ui.Canvas().Width(StyleBody, s) }
	f.click(x("alpha be"), 38, f.build)
	f.write("|", f.build)
	f.want(t, "alpha be|ta gamma")
	f.keys(0, KeyBackspace)
	f.press(x("alpha "), 38, 1, f.build)
	f.move(x("alpha beta"), 38, f.build)
	f.release(x("alpha beta"), 38, f.build)
	f.keys(Ctrl, KeyC)
	if f.clip.text != "beta" {
		t.Errorf("dragged over %q", f.clip.text)
	}
	f.press(x("alpha beta gam"), 38, 2, f.build)
	f.release(x("alpha beta gam"), 38, f.build)
	f.write("x", f.build)
	f.want(t, "alpha beta x")
	f.press(60, 38, 3, f.build)
	f.release(60, 38, f.build)
	f.keys(0, KeyDelete)
	f.want(t, "")
}

// While an input method composes, the keys are its own.
func TestInputMethod(t *testing.T) {
	f := newField(t, Field{}, "a")
	f.in.Compose = Composition{Text: "かな", Caret: 2}
	f.keys(0, KeyBackspace, KeyEnter)
	f.want(t, "a")
	if f.last.Entered {
		t.Error("Enter went to the field")
	}
	out := f.frame(f.build)
	caret := 31 + int(f.ui.Canvas().Width(StyleBody, "aかな"))
	if !out.Typing || out.Caret.Min.X < caret-1 || out.Caret.Min.X > caret+1 {
		t.Errorf("typing %t, caret at %v, want x %d", out.Typing, out.Caret, caret)
	}
	f.in.Compose = Composition{}
	f.write("仮名", f.build)
	f.want(t, "a仮名")
}

// A text that is changed from outside does not leave the caret in the middle of
// a letter, or behind the end.
func TestValueChangedOutside(t *testing.T) {
	f := newField(t, Field{}, "abcdef")
	f.value = "漢字"
	f.keys(0, KeyLeft)
	f.write("x", f.build)
	f.want(t, "漢x字")
	f.value = ""
	f.keys(0, KeyBackspace)
	f.want(t, "")
}

func FuzzEditor(f *testing.F) {
	f.Add("e\u0301", "👩\u200d🚀", []byte{0, 1, 2, 3, 4, 5})
	f.Add("\xff\u0301", "🇯🇵🇯", []byte{9, 8, 7, 2, 2, 2})
	f.Fuzz(func(t *testing.T, text, typed string, keys []byte) {
		e := editor{text: clean(text, 50), max: 100}
		for _, k := range keys[:min(len(keys), 200)] {
			if k%9 == 0 {
				e.insert(typed)
				continue
			}
			order := []Key{KeyLeft, KeyRight, KeyHome, KeyEnd, KeyBackspace, KeyDelete}
			e.key(KeyPress{Key: order[int(k)%len(order)], Mods: Mods(k>>5) & (Shift | Ctrl)})
			if boundary(e.text, e.caret) != e.caret || boundary(e.text, e.anchor) != e.anchor {
				t.Fatalf("caret %d, anchor %d in %q", e.caret, e.anchor, e.text)
			}
		}
		if n := len([]rune(e.text)); n > 100 {
			t.Errorf("%d runes in a field of 100", n)
		}
	})
}
