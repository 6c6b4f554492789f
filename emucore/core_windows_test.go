package emucore

import (
	"bytes"
	"os"
	"testing"
)

// TestNoLibrary: what is no core is refused, and no byte that is wrong in a library does harm.
func TestNoLibrary(t *testing.T) {
	for _, text := range []string{"", "MZ", "\x7fELF", "MZ and then nothing of use, for as long as a header is"} {
		if checkLibrary(bytes.NewReader([]byte(text))) == nil {
			t.Errorf("%q is a core", text)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if checkLibrary(f) == nil {
		t.Error("a program is a core")
	}
	head := make([]byte, 4096)
	if _, err := f.ReadAt(head, 0); err != nil {
		t.Fatal(err)
	}
	for i := range head {
		b := bytes.Clone(head)
		b[i] ^= 0xff
		_ = checkLibrary(bytes.NewReader(b))
		_ = checkLibrary(bytes.NewReader(b[:i]))
	}
}

// TestSearchDirsOfWindows: beside the program, then where RetroArch is.
func TestSearchDirsOfWindows(t *testing.T) {
	env := map[string]string{"APPDATA": `C:\Users\a\AppData\Roaming`, "SystemDrive": "C:", "ProgramFiles(x86)": `C:\Program Files (x86)`, "USERPROFILE": "nonsense"}
	got := searchDirs(func(k string) string { return env[k] }, `D:\games\nettplay.exe`)
	want := []string{
		`D:\games\cores`, `C:\Users\a\AppData\Roaming\RetroArch\cores`, `C:\RetroArch-Win64\cores`, `C:\RetroArch\cores`,
		`C:\Program Files (x86)\Steam\steamapps\common\RetroArch\cores`,
	}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}
