package pads

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// taught teaches a controller's buttons, and returns the mapping.
func taught(t *testing.T, axes []int16, do func(l *lesson)) string {
	t.Helper()
	l := newLesson(1, Hardware{Name: "Odd, stick"}, strings.Repeat("0", 32), axes, 12, 1)
	do(l)
	for !l.over() {
		l.skip()
	}
	text, why := l.mapping("Linux")
	if why != "" {
		t.Fatal(why)
	}
	if here, why := checkMapping(text, "Linux"); !here || why != "" {
		t.Errorf("%s: %s", text, why)
	}
	return text
}

func click(l *lesson, n int) {
	l.button(n, true)
	l.button(n, false)
}

// Buttons, a hat, sticks either way round, and triggers at rest at one end become a mapping.
func TestLesson(t *testing.T) {
	got := taught(t, []int16{0, 100, 0, -32768, 32767}, func(l *lesson) {
		for _, n := range []int{1, 2, 0, 3} {
			click(l, n)
		}
		for _, way := range []uint8{1, 4, 8, 2} {
			l.hat(0, way)
			l.hat(0, way|3) // over a corner
			l.hat(0, 0)
		}
		click(l, 9)
		l.skip() // no Select
		click(l, 4)
		click(l, 5)
		l.move(3, -20000) // it trembles
		l.move(3, 32767)
		l.button(6, true) // the same trigger as a button
		l.button(6, false)
		l.move(3, -32768)
		l.move(4, -32768)
		l.move(4, 32767)
		l.button(10, true) // a stick that clicks is not pushed
		l.button(10, false)
		l.move(0, 32767)
		l.move(0, 0)
		l.move(1, -32768)
		l.move(1, 0)
		l.skip()
	})
	want := strings.Repeat("0", 32) + ",Odd  stick,b:b1,a:b2,y:b0,x:b3,dpup:h0.1,dpdown:h0.4,dpleft:h0.8,dpright:h0.2,start:b9," +
		"leftshoulder:b4,rightshoulder:b5,lefttrigger:a3,righttrigger:a4~,leftx:a0,lefty:a1~,platform:Linux,"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A cross of axes, as old controllers have it, and a press that counts once only.
func TestLessonOfOldController(t *testing.T) {
	got := taught(t, []int16{0, 0}, func(l *lesson) {
		click(l, 1)
		click(l, 1)
		if l.note != "That is already the right one of the four buttons. Press another one, or choose “It has none”." || l.at != 1 {
			t.Errorf("a button for two: %q at %d", l.note, l.at)
		}
		l.button(2, true)
		l.button(3, true) // while the other one is held
		l.button(3, false)
		l.button(2, false)
		l.skip()
		l.back()
		l.skip()
		l.skip()
		for _, m := range []struct {
			axis  int
			value int16
		}{{1, -32768}, {1, 32767}, {0, -32768}, {0, 32767}} {
			l.move(m.axis, m.value)
			l.move(m.axis, 0)
		}
		l.button(99, true)
		l.move(99, 32767)
		l.hat(99, 1)
		l.button(-1, true)
	})
	if want := strings.Repeat("0", 32) + ",Odd  stick,b:b1,a:b2,dpup:-a1,dpdown:+a1,dpleft:-a0,dpright:+a0,platform:Linux,"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	l := newLesson(1, Hardware{}, strings.Repeat("0", 32), nil, 4, 0)
	click(l, 0)
	click(l, 1)
	for !l.over() {
		l.skip()
	}
	l.skip()
	click(l, 2)
	if _, why := l.mapping("Linux"); why == "" {
		t.Error("a controller without a cross is enough")
	}
	if l.view().At != len(steps)+1 {
		t.Error("a lesson that is over goes on")
	}
}

// The player's own mappings are kept beside what else is in their file, one of each model; the database is only read.
func TestMappingFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "settings")
	model := func(c string) string { return strings.Repeat(c, 32) }
	for _, m := range []string{model("1") + ",One,a:b0,", model("2") + ",Two,a:b0,platform:Linux,", model("1") + ",One,a:b1,"} {
		must.Succeed(t, KeepMapping(dir, m))
	}
	path := filepath.Join(dir, OwnFile)
	got, err := readMappings(path, "Linux")
	must.Succeed(t, err)
	if want := model("2") + ",Two,a:b0,platform:Linux," + "|" + model("1") + ",One,a:b1,"; strings.Join(got, "|") != want {
		t.Errorf("kept are %q", got)
	}
	if text, _ := os.ReadFile(path); !strings.HasPrefix(string(text), "# ") {
		t.Errorf("the file does not say what it is:\n%s", text)
	}
	must.Succeed(t, os.WriteFile(path, []byte("\ufeff# me\r\n\r\n"+model("3")+",Three,a:b0,platform:Windows,\r\n"+model("4")+",Four,a:x0,\n"+model("5")+",Five,a:b0,hint:SDL_GAMECONTROLLER_USE_BUTTON_LABELS:=1,platform:Linux,\nnonsense\n"), 0o600))
	got, err = readMappings(path, "Linux")
	if len(got) != 1 || !strings.Contains(got[0], "Five") || err == nil || !strings.HasSuffix(err.Error(), `line 4: a: "x0" is no button, hat or axis`) {
		t.Errorf("%q, %v", got, err)
	}
	must.Succeed(t, os.WriteFile(path, make([]byte, maxDatabase+1), 0o600))
	if _, err := readMappings(path, "Linux"); err == nil {
		t.Error("a file without end is read")
	}
	if KeepMapping(dir, model("1")+",One,a:b1,") == nil {
		t.Error("a file that cannot be read is replaced")
	}
	if got, err := readMappings(filepath.Join(dir, "none"), "Linux"); got != nil || err != nil {
		t.Errorf("without a file: %q, %v", got, err)
	}
}

func FuzzCheckMapping(f *testing.F) {
	f.Add(strings.Repeat("0", 32) + ",Odd,a:b0,leftx:a0~,+lefty:+a1,dpup:h0.1,platform:Linux,")
	f.Add("030000005e0400008e02000010010000,X360,a:b0,crc:1234,hint:!SDL_X:=1")
	f.Fuzz(func(t *testing.T, line string) {
		here, why := checkMapping(line, "Linux")
		if why == "" && (len(line) > maxMapping || !guid.MatchString(line[:32])) || here && why != "" {
			t.Errorf("%q: %t, %q", line, here, why)
		}
	})
}
