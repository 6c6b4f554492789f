package film

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

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
	must.Succeed(t, err)
	for range 60 {
		must.Succeed(t, w.add(make([]int16, 735*2)))
		w.frames++
	}
	must.Succeed(t, w.close())
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
	must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
	t.Setenv("PATH", dir)
	return dir
}

// filmed makes an .mp4 of ten frames, the last of which is shown twice.
func filmed(t *testing.T, path string) error {
	t.Helper()
	f, err := Start(t.Context(), Config{Path: path, Seats: []ds.Seat{0}, Length: func(ds.Seat) int64 { return 10 }, Failed: func() {}})
	must.Succeed(t, err)
	v := emucore.Video{Width: 64, Height: 32, Pitch: 256, Format: emucore.XRGB8888, Pix: make([]byte, 64*32*4)}
	for _, n := range []int64{0, 1, 2, 3, 4, 5, 6, 4, 5, 6, 7, 8, 9} {
		f.Add(0, emucore.Frame{Number: n, Video: v, Audio: make([]int16, 735*2)})
	}
	return f.Close(true)
}

// ffmpeg gets the pictures first, and then, once their rate is known, the sounds.
func TestFilmThroughFFmpeg(t *testing.T) {
	must.HaveLinux(t, "a script in place of ffmpeg")
	t.Setenv("PATH", t.TempDir())
	if _, err := Start(t.Context(), Config{Path: filepath.Join(t.TempDir(), "a.mp4"), Seats: []ds.Seat{0}}); !errors.Is(err, ErrNoFFmpeg) {
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
	must.Succeed(t, filmed(t, path))
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

// A player who comes into the running game is in the film from then on, beside the others.
func TestFilmWithALateSeat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.y4m")
	synctest.Test(t, func(t *testing.T) {
		f, err := Start(t.Context(), Config{
			Path: path, Seats: []ds.Seat{0, 1}, Length: func(ds.Seat) int64 { return 12 }, Failed: func() {},
			Begin: func(seat ds.Seat) int64 { return int64(seat) * 8 },
		})
		must.Succeed(t, err)
		v := emucore.Video{Width: 2, Height: 1, Pitch: 8, Format: emucore.XRGB8888, Pix: bytes.Repeat([]byte{255}, 8)}
		for n := range int64(12) {
			for seat := range ds.Seat(2) {
				if n >= int64(seat)*8 {
					f.Add(seat, emucore.Frame{Number: n, Video: v})
				}
			}
		}
		must.Succeed(t, f.Close(true))
	})
	b, err := os.ReadFile(path)
	frames := strings.Split(string(b), "FRAME\n")
	if err != nil || len(frames) != 13 || !strings.Contains(frames[0], "W4 H1") {
		t.Fatalf("%v: %q", err, b)
	}
	if before, after := frames[8][:4], frames[9][:4]; before != "\xeb\xeb\x10\x10" || after != "\xeb\xeb\xeb\xeb" {
		t.Errorf("the luma is %q before and %q after", before, after)
	}
}

// An ffmpeg that fails leaves nothing, and what it said is told.
func TestFFmpegFails(t *testing.T) {
	must.HaveLinux(t, "a script in place of ffmpeg")
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
	must.Succeed(t, filmed(t, path))
	out, _ := exec.Command("ffmpeg", "-hide_banner", "-i", path).CombinedOutput()
	if !strings.Contains(string(out), "Video: h264") || !strings.Contains(string(out), "Audio: aac") {
		t.Errorf("it has\n%s", out)
	}
}
