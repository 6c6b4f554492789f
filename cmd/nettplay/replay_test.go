package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// replayCommands are for scripts about recordings:
//
//	video FILE WIDTH HEIGHT FRAMES    checks a YUV4MPEG2 file
//	cut FILE NEW BYTES                copies a file without its last bytes
//	secret FILE                       puts a password into settings, as earlier versions did
//	bundle NAME VAR                   VAR becomes the only desync report of the player NAME's machine
//	zip FILE NAMES...                 checks what is in a zip file, and that it holds no password
func replayCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"video": cmdVideo, "cut": cmdCut, "secret": cmdSecret, "zip": cmdZip, "bundle": cmdBundle,
	}
}

func cmdVideo(ts *testscript.TestScript, _ bool, args []string) {
	b := []byte(ts.ReadFile(args[0]))
	head, rest, _ := bytes.Cut(b, []byte("\n"))
	want := fmt.Sprintf("YUV4MPEG2 W%s H%s F16756991:280095 Ip A1:1 C444", args[1], args[2])
	if string(head) != want {
		ts.Fatalf("%s begins with %q, not %q", args[0], head, want)
	}
	w, _ := strconv.Atoi(args[1])
	h, _ := strconv.Atoi(args[2])
	n, _ := strconv.Atoi(args[3])
	if one := len("FRAME\n") + 3*w*h; len(rest) != n*one {
		ts.Fatalf("%s has %d bytes of frames, not %d times %d", args[0], len(rest), n, one)
	}
	if luma := rest[len("FRAME\n") : len("FRAME\n")+w*h]; bytes.Count(luma, luma[:1]) == len(luma) {
		ts.Fatalf("%s shows nothing", args[0])
	}
}

func cmdCut(ts *testscript.TestScript, _ bool, args []string) {
	b := ts.ReadFile(args[0])
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b[:len(b)-n]), 0o600))
}

func cmdSecret(ts *testscript.TestScript, _ bool, args []string) {
	b := ts.ReadFile(args[0])
	changed := strings.Replace(b, "[room]\n", "[room]\npassword = \"hunter2\"\n", 1)
	if changed == b {
		ts.Fatalf("%s has no [room]", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(changed), 0o600))
}

func cmdZip(ts *testscript.TestScript, _ bool, args []string) {
	z, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		r, err := f.Open()
		ts.Check(err)
		b, err := io.ReadAll(r)
		ts.Check(err)
		if bytes.Contains(b, []byte("hunter2")) {
			ts.Fatalf("%s: %s has the password", args[0], f.Name)
		}
		if len(b) == 0 {
			ts.Fatalf("%s: %s is empty", args[0], f.Name)
		}
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s has %s, not %s", args[0], got, want)
	}
}

func cmdBundle(ts *testscript.TestScript, _ bool, args []string) {
	list, err := filepath.Glob(ts.MkAbs(filepath.Join("data-"+args[0], "nettplay", "desyncs", "*")))
	ts.Check(err)
	if len(list) != 1 {
		ts.Fatalf("%s has bug reports %v", args[0], list)
	}
	ts.Setenv(args[1], list[0])
}

func TestParseFrame(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "7200": 7200, "90s": 5384, "1:30": 5384, "1:00:00": 215373, "2.5s": 149} {
		if got, err := parseFrame(text); err != nil || got != want {
			t.Errorf("%q is frame %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-1", "noon", "1:2:3:4", "-5s", "1:-2", "99999999999999999999"} {
		if got, err := parseFrame(text); err == nil {
			t.Errorf("%q is frame %d", text, got)
		}
	}
}

func TestQuoted(t *testing.T) {
	t.Setenv("HOME", "/home/ann")
	for path, want := range map[string]string{
		"/x/y.nplog": "/x/y.nplog", "/x/a b.nplog": "'/x/a b.nplog'", "/home/ann/y": "~/y", "/x/it's": `'/x/it'\''s'`,
		"/home/ann/a b": "'/home/ann/a b'", "/home/anna/y": "/home/anna/y",
	} {
		if got := quoted(path); got != want {
			t.Errorf("%q is %s, want %s", path, got, want)
		}
	}
}
