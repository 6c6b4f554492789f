package message

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sum is a hash that is easy to see in a dump.
func sum(b byte) (s [32]byte) {
	for i := range s {
		s[i] = b
	}
	return s
}

// sign is a signature that is easy to see in a dump.
func sign(b byte) (s [64]byte) {
	for i := range s {
		s[i] = b
	}
	return s
}

var (
	testCore = room.CoreID{Name: "DeSmuME", Version: "0.9.11", SHA256: [32]byte{0xc0, 0xde}}
	testROM  = room.ROMID{SHA256: [32]byte{0xaa, 0xbb, 0xcc, 0xdd}, Title: "Kart", Size: 1 << 20}
)

func testSettings() room.Settings {
	return room.Settings{
		Room: "Friday", Seats: 16, MinPlayers: 2, Delay: 4, AutoDelay: autodelay.Party, RTC: room.MinRTC, HashEvery: 60, Skew: 1,
		Core: testCore, Options: []room.Option{{Key: "b", Value: "2"}, {Key: "a", Value: "1"}}, Frames: 600,
	}
}

func testFirmware(n byte) ds.Firmware {
	return ds.Firmware{Nickname: "DS", MAC: [6]byte{0, 9, 0xbf, 1, 2, n}, Language: 1, BirthMonth: 2, BirthDay: 29}
}

func sampleRoom() room.Room {
	set, _ := testSettings().Checked()
	set.BIOS = []room.BIOSHash{{Name: "bios7.bin", SHA256: sum(0x77)}}
	set.Spectators, set.SpectateDelay = 4, 600
	set.Continues = room.Kept{Name: "the boss", Frames: 1 << 33, Seats: []room.KeptSeat{{Seat: 5, Nickname: "Bob", Firmware: testFirmware(1), ROM: testROM, SRAM: sum(0x58), Open: true}}}
	set.Cheats = room.Cheats{Game: testROM.SHA256, List: []cheat.Cheat{{Name: "coins", Code: []uint32{0x02001234, 99}}, {Name: "コイン", Code: []uint32{0x92001234, 1, 0x12001236, 5, 0xd2000000, 0}}}}
	return room.Room{
		Settings: set, Phase: room.PhasePreparing, Round: 3, Revision: 300, Host: 2, Epoch: 257, Voters: 5,
		Spectators: []room.Spectator{{Number: 0, Nickname: "Uma", Program: "1.0"}, {Number: 15, Nickname: "Vic", Program: ""}},
		Players: []room.Player{
			{Machine: 0, Seat: 0, Nickname: "Ann", Firmware: testFirmware(0), ROM: testROM, Ready: true, Program: "1.0", Present: true},
			{
				Machine: 2, Seat: 5, Local: 1, Nickname: "ボブ", Firmware: testFirmware(1), ROM: room.ROMID{SHA256: sum(1), Title: "Zelda", Size: 1 << 27, Edition: room.Edition{Code: "ABCE", Revision: 255}}, OwnROM: true,
				Problem: "no", Cause: room.CauseGame, Note: "note", Program: "1.1",
				Beat: room.Beat{
					Ping: 81 * time.Millisecond, Jitter: 3 * time.Microsecond, Loss: 12, Repeated: 7, Depth: room.DepthOf(3), OwnDelay: autodelay.ChoiceNamed("2"),
					Up: room.Progress{Done: 1, Total: 2}, Down: room.Progress{Done: 3, Total: 1 << 33},
				},
				Sign: sum(0x71), Key: sum(0x73), Addrs: []string{"192.0.2.1:7000"},
			},
		},
	}
}

// samples has every kind of message at least once, with every field set.
func samples() []Message {
	r := sampleRoom()
	hashes := []room.SeatHash{{Seat: 0, Hash: ds.Hash{RAM: 1, Video: 2, SRAM: 3}, Air: 4}, {Seat: 15, Hash: ds.Hash{RAM: 1 << 63, Video: 0xfedcba9876543210}, Air: 0}}
	stats := Stats{Stalls: 5, StallTime: time.Second, Sent: 6, Received: 1 << 40, StepP50: time.Millisecond, StepP99: 2 * time.Millisecond}
	return []Message{
		&Hello{room.Speaker{Protocol: Protocol, Program: "1.0"}, sum(0x11)},
		&Refused{room.Speaker{Protocol: Protocol, Program: "1.0"}, room.Refusal{Code: room.CodeFull, Sentence: "the room is full", Hint: "wait"}},
		&Refused{room.Speaker{Protocol: Protocol, Program: "1.0"}, room.Refusal{
			Code: room.CodeCore, Sentence: "another core", Hint: "update",
			Core: room.UsedCore{CoreID: testCore, Source: room.CoreSource{Name: "nightly", Version: "2026-11-02"}},
		}},
		&Challenge{room.Speaker{Protocol: Protocol, Program: "1.0"}, "Friday", true, sum(0x22), [16]byte{0x33}},
		&Join{"Bob", testFirmware(1), testCore, []room.BIOSHash{{Name: "bios9.bin", SHA256: sum(0x99)}}, &room.ROMID{SHA256: sum(0x44), Title: "Kart", Size: 1 << 24}, nil, sum(0x54), []string{"192.0.2.1:7000", "10.0.0.1:7000"}, sum(0x55)},
		&Join{Nickname: "Bob", Firmware: testFirmware(1), Core: testCore, LocalPlayers: []room.LocalPlayer{{Nickname: "Eve", Firmware: testFirmware(2), ROM: nil}, {Nickname: "Dora", Firmware: testFirmware(3), ROM: &room.ROMID{SHA256: sum(0x45), Title: "Kart", Size: 1 << 24}}}},
		&LocalPlayers{[]room.LocalPlayer{{Nickname: "Eve", Firmware: testFirmware(2), ROM: nil}}},
		&LocalPlayers{},
		&LateJoin{5, r.Settings, []room.SeatPlan{{Seat: 3, Machine: 2, Nickname: "Eve", Firmware: testFirmware(2), ROM: testROM}}},
		&Decision{5, 3, timeline.Decision{Kind: timeline.Enter, Frame: 900, Plan: room.SeatPlan{Seat: 3, Machine: 2, Nickname: "Eve", Firmware: testFirmware(2), ROM: testROM}, Why: "Eve comes"}},
		&Spectate{"Uma", testCore, []room.BIOSHash{{Name: "bios9.bin", SHA256: sum(0x99)}}, sum(0x56)},
		&Banned{[]room.Banned{{Key: sum(0x74), Nickname: "Mallory"}, {Key: sum(0x75), Nickname: ""}}},
		&Admitted{15, sum(0x57), r},
		&Join{Nickname: "Bob", Firmware: testFirmware(1), Core: testCore},
		&Welcome{15, 15, sum(0x66), room.Door{Secret: [16]byte{0x6f}, Neighbours: true, Listed: true, Relays: []string{"relay.example:21206"}}, r},
		&Room{r},
		&Heartbeat{[]Beat{{}, {15, room.Beat{Ping: time.Second, Jitter: time.Millisecond, Loss: 1000, Repeated: 600, Depth: room.MaxDepth, OwnDelay: autodelay.MaxChoice, Way: "by a relay", Paths: []room.Path{{Machine: 3, RTT: time.Second, Way: "by Bob"}}, Up: room.Progress{Done: 1, Total: 2}, Down: room.Progress{Done: 3, Total: 4}}}}, 1260},
		&Status{room.Status{Revision: 300, Ready: true, Problem: "no", Cause: room.CauseOptions, Missing: [][32]byte{sum(1), sum(2)}, Near: []room.Near{{Of: sum(1), Game: room.ROMID{SHA256: sum(3), Title: "Zelda", Size: 1 << 26, Edition: room.Edition{Code: "ABCP", Revision: 1, Encrypted: true, Patched: true}}}}, Up: room.Progress{Done: 1, Total: 2}, Down: room.Progress{Done: 3, Total: 4}, Depth: room.DepthOf(1), OwnDelay: autodelay.ChoiceNamed("3")}},
		&Game{&room.ROMID{SHA256: sum(1), Title: "Zelda", Size: 5}},
		&Game{},
		&Chat{"hello, world"},
		&ChatLine{-1, "", "Bob joined"},
		&ChatLine{15, "Bob", "hi"},
		&Prepare{3, r.Settings, []room.SeatPlan{{Seat: 0, Machine: 0, Nickname: "Ann", Firmware: testFirmware(0), ROM: testROM}, {Seat: 5, Machine: 2, Nickname: "Bob", Firmware: testFirmware(1), ROM: testROM}}},
		&Installed{3, hashes},
		&Failed{3, room.CauseCore, "the core crashed"},
		&StartFailed{3, room.CauseLate, "Bob is late", []int{2, 15}},
		&Begin{3, 28, []timeline.Decision{{Kind: timeline.Start}, {Kind: timeline.End, Frame: 600, Why: "played"}}},
		&Decision{3, 2, timeline.Decision{Kind: timeline.SetDelay, Frame: 100, Delay: 30}},
		&Decision{3, 2, timeline.Decision{Kind: timeline.SeatDelay, Frame: 110, Seat: 5, Delay: 9, Offset: 4}},
		&Decision{3, 2, timeline.Decision{Kind: timeline.AutoDelay, Frame: 120, Auto: autodelay.Racing}},
		&Decision{3, 3, timeline.Decision{Kind: timeline.Leave, Frame: 200, Seat: 5, InputEnd: 190, Why: "bus"}},
		&Decision{3, 4, timeline.Decision{Kind: timeline.Idle, Frame: 220, Seat: 6, InputEnd: 200, Why: "bus"}},
		&Decision{1<<32 - 1, timeline.MaxDecisions - 1, timeline.Decision{Kind: timeline.End, Frame: ds.MaxFrame}},
		&Hashes{3, 60, []room.SeatHash{{Seat: 0, Hash: ds.Hash{RAM: 1, Video: 2, SRAM: 3}, Air: 4}, {Seat: 15, Hash: ds.Hash{RAM: 1<<32 - 1, Video: 0xfedcba98}, Air: 0}}},
		&Finished{3, 600, hashes, stats},
		&Ended{3, OutcomeFinished, "played", nil, []Result{{0, "Ann", true, "", 600, hashes, stats}, {2, "Bob", false, "lost", 0, nil, Stats{}}}},
		&Ended{3, OutcomeDesync, "differs", &Desync{120, 90, 5, 2, "main RAM", "differs"}, nil},
		&DesyncFound{3, Desync{120, -1, 5, 2, "main RAM", "differs"}},
		&Rerun{3, 5, 90, []TraceHash{{1, 2, 3, 4}, {1<<32 - 1, 0, 0, 0x80000000}}},
		&Leave{"dinner"},
		&Closed{ClosedKicked, "no manners"},
		&Pause{3, true},
		&SwitchOn{3, 15},
		&Decision{3, 8, timeline.Decision{Kind: timeline.SwitchOn, Frame: 500, Seat: 15}},
		&ResyncRequest{3, "the core crashed"},
		&Reconnect{15, 3, 7, sum(0x67), 640, sign(0x68)},
		&Reconnected{sign(0x69), r},
		&SaveOrder{3, 600, true},
		&SaveAnswer{3, 600, false, "the disk is full"},
		&SaveAnswer{3, 600, true, ""},
		&Arrivals{3, []SeatArrival{{Seat: 0, Arrival: autodelay.Arrival{Inputs: 3600, Late: 1, Need: 22, Recent: 20, Newest: 18, Middle: 14, Spread: 3}}, {Seat: 15}}},
		&PeerStatus{Machine: 15, Round: 3, Epoch: 300, HostLost: true, Sign: sign(0x71)},
		&Candidacy{Round: 3, Epoch: 512, Decisions: 7, Digest: sum(0x6a), Vote: Ballot{Machine: 2, Sign: sign(0x6b)}},
		&Vote{
			Round: 3, Epoch: 512,
			Vote:     Ballot{Machine: 5, Sign: sign(0x6c)},
			Promised: 640, First: 7,
			Tail:   []timeline.Decision{{Kind: timeline.Pause, Frame: 600, Why: "tea"}},
			Saves:  SavePoint{Frame: 600, Commit: true},
			Inputs: [][]byte{{1, 2, 3}, {4}},
			Sign:   sign(0x72),
		},
		&LeaderProof{Round: 3, Machine: 5, Epoch: 513, Votes: []Ballot{{Machine: 2, Sign: sign(0x6d)}, {Machine: 5, Sign: sign(0x6e)}}, Handovers: []SignedHandover{{From: 2, To: 5, Epoch: 513, Serial: 2, Sign: sign(0x6f)}}, With: 3},
		&Successor{Handover: SignedHandover{From: 5, To: 2, Epoch: 514, Serial: 7, Sign: sign(0x73)}},
		&Handover{Handover: SignedHandover{From: 0, To: 2, Epoch: 1, Sign: sign(0x70)}, Promised: 640, Inputs: [][]byte{{1, 2, 3}}, Why: "dinner"},
		&Remade{3, 2, hashes},
		&Decision{3, 6, timeline.Decision{Kind: timeline.Resync, Frame: 400, Machine: 2, Alike: true, Keep: true, Why: "the boss"}},
		&Decision{3, 7, timeline.Decision{Kind: timeline.Resynced, Frame: 400}},
		&Decision{3, 7, timeline.Decision{Kind: timeline.GiveUp, Frame: 400, Why: "this moment is not kept"}},
		&Decision{3, 4, timeline.Decision{Kind: timeline.Pause, Frame: 300, Why: "tea"}},
		&Decision{3, 5, timeline.Decision{Kind: timeline.Resume, Frame: 300}},
	}
}

func TestRoundTrip(t *testing.T) {
	seen := map[Kind]bool{}
	for _, m := range samples() {
		seen[KindOf(m)] = true
		b, err := Encode(m)
		must.Succeed(t, err)
		got, err := Decode(b)
		if err != nil {
			t.Fatalf("%v: %v", KindOf(m), err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("%v came back as\n%+v, was\n%+v", KindOf(m), got, m)
		}
	}
	for k := range kinds {
		if !seen[k] {
			t.Errorf("no sample of %v", k)
		}
	}
}

// The bytes on the connection are as they were when the protocol got its number.
// TestSeatsRise: no list of consoles has one seat twice, or is out of order, whatever message it is in.
func TestSeatsRise(t *testing.T) {
	set, _ := testSettings().Checked()
	plan := func(seats ...ds.Seat) (list []room.SeatPlan) {
		for _, s := range seats {
			list = append(list, room.SeatPlan{Seat: s, Machine: int(s), Nickname: "Eve", Firmware: testFirmware(2), ROM: testROM})
		}
		return list
	}
	for _, wrong := range [][]room.SeatPlan{plan(1, 1), plan(2, 1), plan(0, 3, 3)} {
		for _, m := range []Message{&Prepare{Round: 1, Settings: set, Seats: wrong}, &LateJoin{1, set, wrong}} {
			b, err := Encode(m)
			must.Succeed(t, err)
			if _, err := Decode(b); err == nil || !strings.Contains(err.Error(), "after seat") {
				t.Errorf("%T with %v is read: %v", m, wrong, err)
			}
		}
	}
}

func TestGolden(t *testing.T) {
	var lines []string
	for _, m := range samples() {
		b, err := Encode(m)
		must.Succeed(t, err)
		lines = append(lines, fmt.Sprintf("%v: %s", KindOf(m), hex.EncodeToString(b)))
	}
	got := strings.Join(lines, "\n") + "\n"
	file := filepath.Join("testdata", fmt.Sprintf("protocol%d.golden", Protocol))
	if *update {
		must.Succeed(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want := must.Read(t, file)
	if got != string(want) {
		for i, line := range strings.Split(string(want), "\n") {
			if i >= len(lines) || lines[i] != line {
				t.Fatalf("message %d is not what it was:\n%s\nwas\n%s", i, lines[min(i, len(lines)-1)], line)
			}
		}
		t.Fatal("there are more messages than before")
	}
}

// Every message that ends too early or too late is refused with its name.
func TestTruncatedAndLong(t *testing.T) {
	for _, m := range samples() {
		b, err := Encode(m)
		must.Succeed(t, err)
		for n := 1; n < len(b); n++ {
			if _, err := Decode(b[:n]); err == nil || !strings.HasPrefix(err.Error(), KindOf(m).String()+": ") {
				t.Fatalf("the first %d of %d bytes of %v: error %v", n, len(b), KindOf(m), err)
			}
		}
		if _, err := Decode(append(b, 0)); err == nil || !strings.Contains(err.Error(), "too many") {
			t.Errorf("%v with a byte too many: error %v", KindOf(m), err)
		}
	}
	if _, err := Decode(make([]byte, MaxMessage+1)); err == nil {
		t.Error("a message that is too long was read")
	}
}

// Lengths are bounded by what is there, before memory is taken.
func TestHostileLengths(t *testing.T) {
	for name, b := range map[string][]byte{
		"chat: text: the number is not in 0..600":                 append([]byte{byte(KindOf(new(Chat)))}, 0xff, 0xff, 0xff, 0x7f),
		"chat: text: the number is larger":                        append([]byte{byte(KindOf(new(Chat)))}, bytes.Repeat([]byte{0xff}, 11)...),
		"chat: text: the number is not in its short":              {byte(KindOf(new(Chat))), 0x80, 0x00},
		"chat: text: the message ends within":                     {byte(KindOf(new(Chat))), 0x80},
		"chat: text: 3 bytes are missing":                         {byte(KindOf(new(Chat))), 5, 'h', 'i'},
		"installed: hashes: the number is not":                    {byte(KindOf(new(Installed))), 1, 17},
		"installed: seat: 1 after 1":                              append(append([]byte{byte(KindOf(new(Installed))), 1, 2, 0}, make([]byte, 24)...), make([]byte, 25)...),
		"begin: decision: kind 15 is not known":                   {byte(KindOf(new(Begin))), 1, 0, 1, 14, 0, 0},
		"game: own game: the number is not in 0..1":               {byte(KindOf(new(Game))), 2},
		"rerun: frames: the number is not in 0..1024":             {byte(KindOf(new(Rerun))), 1, 0, 0, 0x81, 0x08},
		"closed: reason: the number is not in 1..4":               {byte(KindOf(new(Closed))), 4, 0},
		"a message of kind 200, which is not known":               {200},
		"an empty message":                                        {},
		`hello: magic: "NETT", not "nett"`:                        []byte("\x01NETT\x00\x00"),
		"leave: why: the number is not in 0..200":                 append([]byte{byte(KindOf(new(Leave))), 201, 1}, make([]byte, 201)...),
		"status: cause: the number is not in 0..14":               {byte(KindOf(new(Status))), 0, 0, 0, 15},
		"status: missing games: the number is not":                {byte(KindOf(new(Status))), 0, 0, 0, 0, 17},
		"finished: frames: the number is not in":                  append([]byte{byte(KindOf(new(Finished))), 1}, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01),
		"join: firmware: nickname: the number is not":             {byte(KindOf(new(Join))), 0, 41},
		"join: firmware: firmware birthday: no day 1 in month 13": append([]byte{byte(KindOf(new(Join))), 0, 0}, 0, 9, 0xbf, 0, 0, 0, 1, 0, 13, 1),
	} {
		if _, err := Decode(b); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// The largest room that can be fits into a message with room to spare.
func TestLargestMessages(t *testing.T) {
	wide := func(n int) string { return strings.Repeat("x", n) }
	r := room.Room{Settings: testSettings(), Phase: room.PhaseLobby, Round: 1<<32 - 1, Revision: 1<<32 - 1}
	r.Settings.Options, r.Settings.Room = nil, wide(room.MaxName)
	for i := range room.MaxOptions {
		r.Settings.Options = append(r.Settings.Options, room.Option{Key: fmt.Sprintf("%02d", i) + wide(room.MaxKey-2), Value: wide(room.MaxKey)})
	}
	for i := range room.MaxBIOS {
		r.Settings.BIOS = append(r.Settings.BIOS, room.BIOSHash{Name: fmt.Sprint(i) + wide(room.MaxName-1)})
	}
	for i := range cheat.MaxAgreed {
		c := cheat.Cheat{Name: fmt.Sprintf("%02d", i) + wide(cheat.MaxName-2)}
		for range cheat.MaxLines / cheat.MaxAgreed {
			c.Code = append(c.Code, 0x02000000, 1)
		}
		r.Settings.Cheats.List = append(r.Settings.Cheats.List, c)
	}
	ended := Ended{Outcome: OutcomeDesync, Why: wide(room.MaxSentence), Desync: &Desync{Frame: ds.MaxFrame, Region: wide(room.MaxName), Words: wide(room.MaxSentence)}}
	var hashes []room.SeatHash
	for i := range ds.MaxSeats {
		hashes = append(hashes, room.SeatHash{Seat: ds.Seat(i)})
	}
	for i := range ds.MaxSeats {
		r.Players = append(r.Players, room.Player{
			Machine: i, Seat: ds.Seat(i), Nickname: wide(room.MaxName), Firmware: testFirmware(1), ROM: room.ROMID{Title: wide(room.MaxName), Size: room.MaxROM},
			Problem: wide(room.MaxSentence), Note: wide(room.MaxSentence), Program: wide(room.MaxProgram),
			Beat: room.Beat{
				Ping: wire.MaxDuration, Jitter: wire.MaxDuration,
				Up: room.Progress{Done: room.MaxBytes, Total: room.MaxBytes}, Down: room.Progress{Done: room.MaxBytes, Total: room.MaxBytes},
			},
		})
		ended.Results = append(ended.Results, Result{Machine: i, Nickname: wide(room.MaxName), Why: wide(room.MaxSentence), Frames: ds.MaxFrame, Hashes: hashes, Stats: Stats{
			Stalls: ds.MaxFrame, StallTime: wire.MaxDuration, Sent: 1 << 50, Received: 1 << 50, StepP50: wire.MaxDuration, StepP99: wire.MaxDuration,
		}})
	}
	for _, m := range []Message{&Welcome{Machine: 1, Room: r}, &ended} {
		b, err := Encode(m)
		must.Succeed(t, err)
		if len(b) > MaxMessage*3/4 {
			t.Errorf("%v can have %d bytes of %d", KindOf(m), len(b), MaxMessage)
		}
		if _, err := Decode(b); err != nil {
			t.Error(err)
		}
	}
}

// Every text of a peer comes out clean.
func TestTextIsCleanAfterDecoding(t *testing.T) {
	c := wire.Writer([]byte{byte(KindOf(new(Chat)))})
	s := "\x1b]0;pwned\x07\u202eevil\u2066\xff\r\n  two\x00"
	c.Raw("text", &s, room.MaxChat)
	m, err := Decode(c.Bytes())
	must.Succeed(t, err)
	if got := m.(*Chat).Text; got != "]0;pwnedevil two" {
		t.Errorf("got %q", got)
	}
	f := testFirmware(1)
	f.Nickname = "a\x1bb"
	if _, err := Encode(&Join{Firmware: f}); err == nil {
		t.Error("a console's nickname with an escape was sent")
	}
}

func FuzzDecode(f *testing.F) {
	for _, m := range samples() {
		b, err := Encode(m)
		must.Succeed(f, err)
		f.Add(b)
	}
	f.Add([]byte("\x01nett\x02\x00"))
	f.Fuzz(func(t *testing.T, b []byte) { looksAtMessage(t, b) })
}

func looksAtMessage(t *testing.T, b []byte) (well bool) {
	m, err := Decode(b)
	if err != nil {
		return false
	}
	again, err := Encode(m)
	if err != nil {
		t.Fatalf("%v was read but cannot be written: %v", KindOf(m), err)
	}
	back, err := Decode(again)
	if err != nil || !reflect.DeepEqual(m, back) {
		t.Fatalf("%+v\ncame back as\n%+v (%v)", m, back, err)
	}
	if third, _ := Encode(back); !bytes.Equal(again, third) {
		t.Fatalf("%v has two encodings", KindOf(m))
	}
	if slices.ContainsFunc([]rune(fmt.Sprintf("%+v", m)), func(r rune) bool { return wire.IsHidden(r) }) {
		t.Fatalf("%v has hidden characters: %+q", KindOf(m), fmt.Sprintf("%+v", m))
	}
	return true
}

// TestManyInputs is the fuzz target of messages with ten million inputs.
func TestManyInputs(t *testing.T) {
	var seeds [][]byte
	for _, m := range samples() {
		b, err := Encode(m)
		must.Succeed(t, err)
		if len(b) < 2000 {
			seeds = append(seeds, b)
		}
	}
	must.SurviveInputs(t, seeds, looksAtMessage)
}
