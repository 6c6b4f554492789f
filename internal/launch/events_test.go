package launch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestEvents: an evening, as a file tells it: who came and left, games, chat, pauses, and no secret. It adds to what is
// there, and each notice goes on to whom it is for.
func TestEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	must.Succeed(t, os.WriteFile(path, []byte("{\"event\":\"earlier\"}\n"), 0o600))
	e, err := OpenEvents(path)
	must.Succeed(t, err)
	told := 0
	notify := e.Notified(func(notice.Notice) { told++ })
	of := func(names ...string) room.Room {
		r := room.Room{Settings: room.Settings{Room: "Ann's room"}}
		for i, name := range names {
			r.Players = append(r.Players, room.Player{Machine: i, Present: name != "-", Nickname: name, ROM: room.ROMID{Title: "Racer"}})
		}
		return r
	}
	all := []notice.Notice{
		notice.RoomNotice{Room: of("Ann")},
		notice.RoomNotice{Room: of("Ann")},
		notice.RoomNotice{Room: of("Ann", "Bob")},
		notice.Message{From: "Bob", Text: "I am at 203.0.113.7:21204, or 7K3P-9W0M-D2FA-X4GT"},
		notice.Message{Text: "All consoles are alike again."},
		notice.Playing{Room: of("Ann", "Bob")},
		notice.Paused{Paused: true},
		notice.Paused{},
		notice.Waiting{For: []string{"Bob"}},
		notice.Waiting{},
		notice.Clipped{},
		notice.Clipped{Kept: true},
		notice.Figures{FPS: 60},
		notice.GameOver{Why: "Ann ended the game"},
		notice.RoomNotice{Room: of("Ann", "-")},
	}
	for _, n := range all {
		notify(n)
	}
	e.Close()
	f, err := os.Open(path)
	must.Succeed(t, err)
	defer f.Close()
	var got []string
	for s := bufio.NewScanner(f); s.Scan(); {
		var x Event
		must.Succeed(t, json.Unmarshal(s.Bytes(), &x))
		if old := x.Event == "earlier"; !old && time.Since(x.At) > time.Hour {
			t.Errorf("%s has no time", s.Text())
		}
		if strings.Contains(s.Text(), "203.0") || strings.Contains(s.Text(), "7K3P") {
			t.Errorf("a secret: %s", s.Text())
		}
		got = append(got, strings.TrimSpace(x.Event+" "+x.Who+" "+strings.Join(append(x.Players, x.For...), "+")+" "+x.Game))
	}
	want := []string{"earlier", "room  Ann Racer", "joined Bob Ann+Bob Racer", "chat Bob", "note", "started  Ann+Bob Racer", "paused", "resumed", "waiting  Bob", "waiting", "clip", "over", "left Bob Ann Racer"}
	if !reflect.DeepEqual(got, want) || told != len(all) {
		t.Errorf("%d told; the file has\n%q, want\n%q", told, got, want)
	}
	var none *Events
	none.Notified(func(notice.Notice) { told = -1 })(notice.Paused{})
	none.Close()
	if told != -1 {
		t.Error("without a file nobody is told")
	}
}

// Notices stand in the log, and the player gets them all the same.
func TestLogged(t *testing.T) {
	var out bytes.Buffer
	log, err := diagnostics.Logger(&out, "info")
	must.Succeed(t, err)
	told := 0
	notify := Logged(log, func(notice.Notice) { told++ })
	for _, n := range []notice.Notice{
		notice.Opened{Addr: "here:1"},
		notice.Message{From: "Ann", Text: "hi all"},
		notice.Figures{Frame: 3},
		notice.GameOver{Err: errors.New("it broke")},
	} {
		notify(n)
	}
	for _, want := range []string{`msg="room opened" address=here:1`, `text="hi all"`, `error="it broke"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "figures") || told != 4 {
		t.Errorf("told %d, logged\n%s", told, out.String())
	}
	Logged(nil, func(notice.Notice) { told++ })(notice.Opened{})
	if told != 5 {
		t.Error("without a log nobody is told")
	}
}
