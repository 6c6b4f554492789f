package launch

import (
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// evening is one session with a player called Ben and his local player; it returns what is
// said.
func evening(t *testing.T, key byte) (told []string) {
	t.Helper()
	m := NewMeetings()
	notify := m.Notified(func(text string) { told = append(told, text) }, func(notice.Notice) {})
	r := room.Room{Players: []room.Player{
		{Machine: 0, Nickname: "Ann", Present: true, Key: [32]byte{key, 1}}, // this machine: its key may change
		{Machine: 1, Nickname: "Ben", Present: true, Key: [32]byte{key}},
		{Machine: 1, Nickname: "Ben 2", Local: 1, Present: true, Key: [32]byte{key}},
		{Machine: 2, Nickname: "Cem", Present: true},
	}}
	for range 3 {
		notify(notice.RoomNotice{Room: r, Me: 0})
	}
	m.Close()
	return told
}

// TestAnotherKeyIsSaidOnce: by everybody who met the player before, not again next time, and
// of nobody else.
func TestAnotherKeyIsSaidOnce(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	for i, key := range []byte{1, 1, 2, 2, 1} {
		told := evening(t, key)
		if i == 2 || i == 4 {
			if len(told) != 1 || !strings.HasPrefix(told[0], "Ben has another key than last time") {
				t.Errorf("evening %d: %q", i, told)
			}
		} else if !slices.Equal(told, nil) {
			t.Errorf("evening %d: %q", i, told)
		}
	}
}
