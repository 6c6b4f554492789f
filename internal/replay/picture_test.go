package replay

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/wire"
)

// TestShots: the last picture of a game is that of its recording, one that is too large is none, and the game in it is
// the same.
func TestShots(t *testing.T) {
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "game.nplog")})
	r.Shot([]byte("of no game"))
	script := mashers(1, 600)
	must.Succeed(t, r.Begin(beginning(t, 1, []byte("a save"))))
	for f := range int64(600) {
		r.Input(0, f, script(0, f))
		switch f {
		case 100, 300:
			r.Shot(bytes.Repeat([]byte{byte(f / 100)}, MaxShot))
		case 500:
			r.Shot(make([]byte, MaxShot+1))
			r.Shot(nil)
		}
	}
	must.Succeed(t, r.Close())
	l, err := Open(r.Path())
	must.Succeed(t, err)
	defer l.Close()
	if !bytes.Equal(l.Shot, bytes.Repeat([]byte{3}, MaxShot)) {
		t.Errorf("the picture has %d bytes, of %.1v", len(l.Shot), l.Shot)
	}
	if l.Length() != 600 || !l.Ended || l.Cut != "" {
		t.Errorf("%d frames, ended %v, %q", l.Length(), l.Ended, l.Cut)
	}
	cursor := l.From(0)
	for f := range int64(600) {
		if in, ok, err := cursor.Input(0, f); err != nil || !ok || in != script(0, f).Normal() {
			t.Fatalf("frame %d: %v, %v, %v", f, in, ok, err)
		}
	}
	for _, bad := range [][]byte{nil, {1}, {0x80, 0x80, 0x80, 0x01}, append([]byte{0x81, 0x80, 0x04}, make([]byte, MaxShot+1)...)} {
		if err := l.takeShot(wire.Reader(bad)); err == nil {
			t.Errorf("%d bytes are a picture", len(bad))
		}
	}
	if len(l.Shot) != MaxShot {
		t.Error("a bad picture took the place of the good one")
	}
}

// TestFewShots: a recorder takes down a few pictures, however often it is given one.
func TestFewShots(t *testing.T) {
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "game.nplog")})
	must.Succeed(t, r.Begin(beginning(t, 1, []byte("a save"))))
	for i := range 3 * maxShots {
		r.Shot([]byte{byte(i)})
	}
	must.Succeed(t, r.Close())
	l, err := Open(r.Path())
	must.Succeed(t, err)
	defer l.Close()
	if want := byte(maxShots - 1); len(l.Shot) != 1 || l.Shot[0] != want {
		t.Errorf("the picture is %v, not the one numbered %d", l.Shot, want)
	}
}
