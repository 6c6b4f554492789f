package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/rogpeppe/go-internal/testscript"
)

// replayCommands are for scripts about recordings:
//
//	video FILE WIDTH HEIGHT FRAMES    checks a YUV4MPEG2 file
//	cut FILE NEW BYTES                copies a file without its last bytes
//	secret FILE                       puts a password into settings
//	bundle NAME VAR                   VAR becomes the only bug report that the player NAME's machine has kept
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
	changed := strings.Replace(b, `password = ""`, `password = "hunter2"`, 1)
	if changed == b {
		ts.Fatalf("%s has no empty password", args[0])
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

// A pure red, a grey and their places in the planes.
func TestConvert(t *testing.T) {
	v := emucore.Video{Width: 2, Height: 1, Pitch: 8, Format: emucore.XRGB8888, Pix: []byte{0, 0, 255, 0, 128, 128, 128, 0}}
	s := convert(v)
	got := [6]byte{s.yuv[0][0], s.yuv[1][0], s.yuv[2][0], s.yuv[0][1], s.yuv[1][1], s.yuv[2][1]}
	if got != [6]byte{82, 90, 240, 126, 128, 128} {
		t.Errorf("%v", got)
	}
}

// The sound is as long as the pictures.
func TestWaveRate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.wav")
	w, err := newWave(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		if err := w.add(make([]int16, 735*2)); err != nil {
			t.Fatal(err)
		}
		w.frames++
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil || len(b) != waveHeader+60*735*4 || string(b[:4]) != "RIFF" || string(b[36:40]) != "data" {
		t.Fatalf("%v, %d bytes", err, len(b))
	}
	if rate := int(b[24]) | int(b[25])<<8 | int(b[26])<<16; rate != 43972 {
		t.Errorf("%d samples a second", rate)
	}
}

// fakeTool puts a program that does what the script says into an otherwise empty
// PATH.
func fakeTool(t *testing.T, name, script string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	return dir
}

// filmed makes an .mp4 of ten frames, the last of which is shown twice.
func filmed(t *testing.T, path string) error {
	t.Helper()
	f, err := startFilm(t.Context(), path, []int{0}, 0, 0, func(int) int64 { return 10 }, func() {})
	if err != nil {
		t.Fatal(err)
	}
	v := emucore.Video{Width: 64, Height: 32, Pitch: 256, Format: emucore.XRGB8888, Pix: make([]byte, 64*32*4)}
	for _, n := range []int64{0, 1, 2, 3, 4, 5, 6, 4, 5, 6, 7, 8, 9} {
		f.add(0, emucore.Frame{Number: n, Video: v, Audio: make([]int16, 735*2)})
	}
	return f.close(true)
}

// ffmpeg gets the pictures first, and then, once their rate is known, the sounds.
func TestFilmThroughFFmpeg(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := startFilm(t.Context(), filepath.Join(t.TempDir(), "a.mp4"), []int{0}, 0, 0, nil, nil); err == nil || !strings.Contains(err.Error(), "ffmpeg") {
		t.Errorf("without ffmpeg: %v", err)
	}
	log := filepath.Join(t.TempDir(), "calls")
	fakeTool(t, "ffmpeg", `echo "$*" >>`+log+`
for out; do :; done
case "$*" in
*"-i -"*) exec /bin/cat >"$out" ;;
*) /bin/cat "$5" "$9" >"$out" ;;
esac
`)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.mp4")
	if err := filmed(t, path); err != nil {
		t.Fatal(err)
	}
	calls, err := os.ReadFile(log)
	want := "-y -loglevel error -f yuv4mpegpipe -i - -c:v libx264 -preset veryfast -crf 16 -pix_fmt yuv420p a.mp4.part.mp4\n" +
		"-y -loglevel error -i a.mp4.part.mp4 -f wav -i a.mp4.part.wav -map 0:v -map 1:a -c:v copy -c:a aac -b:a 160k -movflags +faststart a.mp4.part2.mp4\n"
	if got := strings.ReplaceAll(string(calls), dir+"/", ""); err != nil || got != want {
		t.Errorf("%v: ffmpeg was called with\n%s", err, got)
	}
	b, err := os.ReadFile(path)
	sound := b[max(0, len(b)-waveHeader-10*735*4):]
	if err != nil || bytes.Count(b, []byte("FRAME\n")) != 10 || string(sound[:4]) != "RIFF" {
		t.Errorf("%v: %d bytes", err, len(b))
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) != 1 {
		t.Errorf("left are %v", names)
	}
}

// An ffmpeg that fails leaves nothing, and what it said is told.
func TestFFmpegFails(t *testing.T) {
	for name, script := range map[string]string{
		"pictures": "echo no such codec >&2; /bin/cat >/dev/null; exit 1",
		"sound":    "for out; do :; done\ncase \"$*\" in *\"-i -\"*) exec /bin/cat >\"$out\" ;; esac\necho no such codec >&2; exit 1",
	} {
		t.Run(name, func(t *testing.T) {
			fakeTool(t, "ffmpeg", script)
			dir := t.TempDir()
			if err := filmed(t, filepath.Join(dir, "a.mp4")); err == nil || !strings.Contains(err.Error(), "no such codec") {
				t.Errorf("the error is %v", err)
			}
			if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) != 0 {
				t.Errorf("left are %v", names)
			}
		})
	}
}

// A true ffmpeg makes a file with a stream of pictures and one of sound.
func TestFilmWithSound(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("NO FFMPEG, NOT TESTED: ", err)
	}
	path := filepath.Join(t.TempDir(), "a.mp4")
	if err := filmed(t, path); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command("ffmpeg", "-hide_banner", "-i", path).CombinedOutput()
	if !strings.Contains(string(out), "Video: h264") || !strings.Contains(string(out), "Audio: aac") {
		t.Errorf("it has\n%s", out)
	}
}
