package replay

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/wire"
)

// TestChapters: clips that were kept while a game ran, and what happened to it, are places of its recording; the game in
// it is the same.
func TestChapters(t *testing.T) {
	r := NewRecorder(Config{Path: filepath.Join(t.TempDir(), "game.nplog")})
	if _, ok := r.Clip(); ok {
		t.Error("a clip of no game")
	}
	script := mashers(1, 6000)
	must.Succeed(t, r.Begin(beginning(t, 2, []byte("a save"))))
	if _, ok := r.Clip(); ok {
		t.Error("a clip of no frames")
	}
	var clips []Clip
	for f := range int64(6000) {
		r.Input(0, f, script(0, f))
		r.Input(1, f, script(1, f))
		if f == 999 || f == 4999 {
			c, ok := r.Clip()
			if !ok {
				t.Error("no clip")
			}
			clips = append(clips, c)
		}
	}
	if want := []Clip{{0, 1000}, {5000 - 1795, 5000}}; !slices.Equal(clips, want) {
		t.Errorf("clips %v, not %v", clips, want)
	}
	r.Decided(timeline.Decision{Kind: timeline.Pause, Frame: 2000})
	r.Decided(timeline.Decision{Kind: timeline.Resume, Frame: 2000})
	r.Decided(timeline.Decision{Kind: timeline.Leave, Seat: 1, Frame: 5500})
	must.Succeed(t, r.Close())
	l, err := Open(r.Path())
	must.Succeed(t, err)
	defer l.Close()
	if !slices.Equal(l.Clips, clips) {
		t.Errorf("the file has clips %v", l.Clips)
	}
	want := []Chapter{{}, {Kind: ChapterClip}, {Frame: 2000, Kind: ChapterPaused}, {Frame: 3205, Kind: ChapterClip}, {Frame: 5500, Kind: ChapterLeft, Who: "Ben"}}
	if got := l.Chapters(); !slices.Equal(got, want) {
		t.Errorf("chapters %v, not %v", got, want)
	}
	cursor := l.From(0)
	for f := range int64(6000) {
		in, ok, err := cursor.Input(0, f)
		if err != nil || !ok || in != script(0, f).Normal() {
			t.Fatalf("frame %d: %v, %v, %v", f, in, ok, err)
		}
	}
	for range 2 * maxClips {
		must.Succeed(t, l.scanBlock(kindClip, binary.AppendUvarint(binary.AppendUvarint(nil, 1), 2), 0))
	}
	if len(l.Clips) != maxClips || len(l.Chapters()) > maxChapters {
		t.Errorf("%d clips, %d chapters", len(l.Clips), len(l.Chapters()))
	}
	for _, bad := range [][]byte{nil, {1}, {5, 5}, {9, 2}} {
		if err := l.takeClip(wire.Reader(bad)); err == nil {
			t.Errorf("%v is a clip", bad)
		}
	}
}

// TestRepairsAndJoinsAreChapters: a resync counts where the consoles differed, and who came in with one is named.
func TestRepairsAndJoinsAreChapters(t *testing.T) {
	b := beginning(t, 3, nil)
	l := &Log{Head: b.Head}
	l.Restarts = []Restart{{Frame: 100}, {Frame: 200}, {Frame: 300, Seats: []Seat{{Plan: b.Seats[2].Plan, From: 300}}}}
	l.Decisions = []timeline.Decision{{Kind: timeline.Resync, Frame: 100}, {Kind: timeline.Resync, Frame: 200, Alike: true}, {Kind: timeline.Resync, Frame: 300}}
	want := []Chapter{{}, {Frame: 100, Kind: ChapterRepaired}, {Frame: 300, Kind: ChapterJoined, Who: "Carla"}}
	if got := l.Chapters(); !slices.Equal(got, want) {
		t.Errorf("chapters %v, not %v", got, want)
	}
}
