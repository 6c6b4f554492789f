package launch

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

func TestMain(m *testing.M) { os.Exit(testcore.Main(m)) }

func settings() config.Config {
	cfg := config.Defaults()
	cfg.Player.Nickname, cfg.Player.MAC = "Ann", "00:09:bf:00:00:fe"
	cfg.Net.Bind = "127.0.0.1"
	cfg.Recording.Enabled = false
	return cfg
}

func nothing(int, int64) inputdelay.Input { return inputdelay.Input{} }

// play makes a session, whose link it closes.
func play(t *testing.T, cfg config.Config, p Play) Session {
	t.Helper()
	p.Input = nothing
	s, err := Machine{Settings: cfg}.Play(t.Context(), p)
	must.Succeed(t, err)
	s.Config.Link.Close()
	return s
}

// Local players have names, addresses and colours of their own, wherever they play.
func TestLocalPlayersDiffer(t *testing.T) {
	for name, p := range map[string]Play{
		"solo": {Solo: &Solo{Consoles: 16}},
		"room": {Host: &Host{}, LocalPlayers: RoomNames(settings().Player, 16)},
		"join": {Join: &Join{}, LocalPlayers: RoomNames(settings().Player, 16)},
	} {
		s := play(t, settings(), p)
		seen := map[any]bool{s.Config.Firmware.Nickname: true, s.Config.Firmware.MAC: true, s.Config.Firmware.Colour: true}
		if len(s.Config.LocalPlayers) != 15 {
			t.Fatalf("%s: %d local players after the first", name, len(s.Config.LocalPlayers))
		}
		for i, l := range s.Config.LocalPlayers {
			f := l.Firmware
			for _, v := range []any{f.Nickname, f.MAC, f.Colour} {
				if seen[v] {
					t.Errorf("%s: player %d has %v, which another has", name, i+2, v)
				}
				seen[v] = true
			}
			if f.Colour >= uint8(len(config.Colours())) || len([]rune(f.Nickname)) > config.MaxNickname {
				t.Errorf("%s: player %d is %+v", name, i+2, f)
			}
		}
	}
	names := RoomNames(settings().Player, 3)
	if solo := RoomNames(soloPlayer, 3); names[0] != "Ann 2" || names[1] != "Ann 3" || solo[0] != "Player 2" {
		t.Errorf("the names are %q, and alone %q", names, solo)
	}
}

// Each console gets the input of its own player.
func TestInputIsOfItsConsole(t *testing.T) {
	s, err := Machine{Settings: settings()}.Play(t.Context(), Play{Solo: &Solo{Consoles: 3}, Input: func(console int, frame int64) inputdelay.Input {
		return inputdelay.Input{X: uint8(console), Y: uint8(frame)}
	}})
	must.Succeed(t, err)
	for i, input := range []func(int64) inputdelay.Input{s.Config.Input, s.Config.LocalPlayers[0].Input, s.Config.LocalPlayers[1].Input} {
		if in := input(7); int(in.X) != i || in.Y != 7 {
			t.Errorf("console %d gets %+v", i, in)
		}
	}
}

// Alone there is no room: exactly the consoles, no delay that was not asked for, nobody
// who watches, no password.
func TestSoloIsForNobodyElse(t *testing.T) {
	cfg := settings()
	cfg.Room.Seats, cfg.Room.Spectators, cfg.Room.Delay = 8, 5, 9
	for consoles, seats := range map[int]int{1: 2, 3: 3} {
		h := play(t, cfg, Play{Solo: &Solo{Consoles: consoles}}).Config.Host
		if s := h.Settings; s.Seats != seats || s.MinPlayers != consoles || h.AutoStart != consoles || s.Spectators != 0 || s.Delay != 0 || h.Password != "" {
			t.Errorf("%d consoles: %+v", consoles, h)
		}
	}
}

// A room has the settings, and seats for all players of this machine and all that are
// waited for.
func TestRoomHasItsSettings(t *testing.T) {
	cfg := settings()
	cfg.Room.Seats, cfg.Room.Delay, cfg.Room.KeepConsoles, cfg.Room.LateJoin = 2, 9, true, false
	cfg.Room.Spectators, cfg.Room.SpectateDelay = 3, 1700*time.Millisecond
	cfg.Core.Options = map[string]string{"b": "2", "a": "1"}
	h := play(t, cfg, Play{Host: &Host{Password: "pw"}, LocalPlayers: []string{"Amy", "Ada"}, Frames: 60, Wait: time.Second}).Config.Host
	s := h.Settings
	if s.Seats != 3 || s.MinPlayers != 2 || h.AutoStart != 0 || s.Delay != 9 || h.Password != "pw" || !s.KeepConsoles || !s.NoLateJoin ||
		s.Spectators != 3 || s.SpectateDelay != 2 || s.Frames != 60 || h.Wait != time.Second || s.Room != "Ann's room" {
		t.Errorf("%+v", h)
	}
	if len(s.Options) != 2 || s.Options[0] != (room.Option{Key: "a", Value: "1"}) {
		t.Errorf("the options are %v", s.Options)
	}
	if h := play(t, cfg, Play{Host: &Host{Players: 5}}).Config.Host; h.Settings.Seats != 5 || h.Settings.MinPlayers != 5 || h.AutoStart != 5 {
		t.Errorf("with five players: %+v", h)
	}
}

// A port that is in use is named, with one that is not.
func TestPortInUse(t *testing.T) {
	used, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	defer used.Close()
	port := used.LocalAddr().(*net.UDPAddr).Port
	s, err := Machine{Settings: settings()}.Play(t.Context(), Play{Host: &Host{}, Port: port, Input: nothing})
	var in *PortError
	if !errors.As(err, &in) || !errors.Is(err, link.ErrPortInUse) || in.Port != port || in.Free <= port || s.Config.Link != nil {
		t.Errorf("%v, %+v", err, in)
	}
}

// A recordings folder that cannot be is no reason not to play.
func TestNotRecorded(t *testing.T) {
	for _, home := range []string{"HOME", "XDG_DATA_HOME", "USERPROFILE", "APPDATA"} {
		t.Setenv(home, "")
	}
	cfg := settings()
	cfg.Recording.Enabled = true
	if s := play(t, cfg, Play{Solo: &Solo{Consoles: 1}}); s.NotRecorded == nil || s.Recorder != nil || s.Config.Recorder != nil {
		t.Errorf("%+v", s)
	}
	for _, r := range []Record{{Off: true}, {File: "/tmp/x.nplog"}} {
		if s := play(t, cfg, Play{Solo: &Solo{Consoles: 1}, Record: r}); s.NotRecorded != nil || (s.Recorder != nil) != (r.File != "") {
			t.Errorf("%+v: %+v", r, s)
		}
	}
}

// Somebody whose settings cannot be written plays all the same, with an address that no
// other machine has.
func TestAddressThatCannotBeKept(t *testing.T) {
	dir := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	path := filepath.Join(dir, "file", "config.toml")
	var macs [2]string
	for i := range macs {
		cfg := config.Defaults()
		err := KeepAddress(path, &cfg)
		if macs[i] = cfg.Player.MAC; err == nil || cfg.Validate() != nil || macs[i] == "" {
			t.Errorf("%v, address %q", err, macs[i])
		}
	}
	if macs[0] == macs[1] {
		t.Errorf("two machines have the address %s", macs[0])
	}
	cfg := settings()
	if err := KeepAddress(path, &cfg); err != nil || cfg.Player.MAC != "00:09:bf:00:00:fe" {
		t.Errorf("an address that is there: %v, %q", err, cfg.Player.MAC)
	}
}

// A recording is played with the very build that made it, whatever the settings name, and
// else with one of that name.
func TestRecordingCore(t *testing.T) {
	now := model.Core(t, testcore.Wireless(t))
	b := must.Read(t, now.Path)
	path := filepath.Join(t.TempDir(), "melonds_libretro"+filepath.Ext(now.Path))
	if err := os.WriteFile(path, append(b, 0), 0o755); err != nil { // another build of it
		t.Fatal(err)
	}
	before := model.Core(t, path)
	log := &replay.Log{}
	log.Settings.Core = room.CoreID{Name: before.Name, SHA256: before.SHA256}
	cfg := config.Core{Name: now.Path, Folders: []string{filepath.Dir(now.Path), filepath.Dir(path)}}
	if got := recordingCore(t.Context(), cfg, Replay{Log: log}); got.SHA256 != before.SHA256 {
		t.Errorf("it is played with %v", got)
	}
	if got := recordingCore(t.Context(), cfg, Replay{Log: log, Core: now.Path}); got.SHA256 != now.SHA256 {
		t.Errorf("with --core it is played with %v", got)
	}
	if got := recordingCore(t.Context(), cfg, Replay{Log: log, Core: "nosuchcore"}); got.Name != "" {
		t.Errorf("with a core that is not there it is played with %v", got)
	}
	log.Settings.Core = room.CoreID{Name: "elsewhere"}
	if got := recordingCore(t.Context(), cfg, Replay{Log: log}); got.SHA256 != now.SHA256 {
		t.Errorf("another machine's recording is played with %v", got)
	}
}

func TestAddress(t *testing.T) {
	for typed, want := range map[string]string{
		"": "", " friend.example ": "friend.example:21204", "friend.example:": "friend.example:21204", "  ": "", "10.0.0.1": "10.0.0.1:21204",
		"203.0.113.7:4000": "203.0.113.7:4000", "::1": "[::1]:21204", "[::1]": "[::1]:21204", "[::1]:5": "[::1]:5",
	} {
		if got := Address(typed); got != want {
			t.Errorf("%q becomes %q, want %q", typed, got, want)
		}
	}
}

// core.jit becomes the core's own option in a room's settings, but where core.options says it.
func TestJITOfARoom(t *testing.T) {
	interpreter := room.Option{Key: "desmume_cpu_mode", Value: "interpreter"}
	for _, c := range []struct {
		jit     string
		options map[string]string
		core    string
		want    []room.Option
	}{
		{config.JITAuto, nil, "DeSmuME", nil},
		{config.JITOff, nil, "DeSmuME", []room.Option{interpreter}},
		{config.JITOff, map[string]string{"a": "1"}, "DeSmuME", []room.Option{{Key: "a", Value: "1"}, interpreter}},
		{config.JITOn, map[string]string{interpreter.Key: interpreter.Value}, "DeSmuME", []room.Option{interpreter}},
		{config.JITOff, nil, "melonDS DS", []room.Option{{Key: "melonds_jit_enable", Value: "disabled"}}},
		{config.JITOff, nil, "nobody's", nil},
		{config.JITOn, nil, "nobody's", nil},
	} {
		profile := emucore.ProfileFor(c.core)
		of := config.Core{JIT: c.jit, Options: c.options}
		if got := coreOptions(of, profile); !slices.Equal(got, c.want) {
			t.Errorf("%s, core.jit %s, %v: the room has %v, want %v", c.core, c.jit, c.options, got, c.want)
		}
		if on, choice := JIT(of, profile); choice && on != profile.Compiles(c.want) {
			t.Errorf("%s, core.jit %s: the JIT is said to be %v", c.core, c.jit, on)
		}
	}
}

// TestChooseCheats: by whole names or a part that one has alone, from the game's folder, the player's and further files; and
// what is the matter is said.
func TestChooseCheats(t *testing.T) {
	rom := model.ROM(t, romstest.Pad)
	beside := strings.TrimSuffix(rom.Path, filepath.Ext(rom.Path)) + ".mch"
	must.Succeed(t, os.WriteFile(beside, []byte("CAT 1 Speed\nCODE 1 Slow\n02000000 00000001\nCODE 0 Fast\n02000000 00000002\nROOT\nCODE 0 Coins\n02000004 00000063\nCODE 0 Coins and lives\n02000004 00000063\n02000008 00000009\nCODE 0 Odd\nC4000000 00000000\n"), 0o600))
	file := filepath.Join(t.TempDir(), "more.dct")
	must.Succeed(t, os.WriteFile(file, []byte("AR 1 0200000C00000001 ;More\nAR 0 0200001000000001 ;Off\n"), 0o600))
	own := t.TempDir()
	m := Machine{Core: emucore.Core{Name: "DeSmuME"}, Places: config.Places{Cheats: own}}
	for _, c := range []struct {
		names, files []string
		want, err    string
	}{
		{},
		{names: []string{"coins"}, want: "Coins"}, // its whole name
		{names: []string{"lives"}, want: "Coins and lives"},
		{names: []string{"slow", "speed: fast"}, want: "Speed: Fast"}, // one at a time
		{names: []string{"Coins", "More"}, files: []string{file}, want: "Coins, More"},
		{files: []string{file}, want: "Speed: Slow, More"},
		{names: []string{"speed"}, err: `2 cheats go by "speed": Speed: Slow; Speed: Fast`},
		{names: []string{"wings"}, err: `no cheat of this game is called "wings"; there are: Speed: Slow; Speed: Fast; Coins`},
		{names: []string{"odd"}, err: `the cheat "Odd" cannot be used: line 1, C4000000`},
		{files: []string{file + "x"}, err: filepath.Base(file) + "x: "},
	} {
		got, err := m.ChooseCheats(rom, Cheats{Names: c.names, Files: c.files})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v of %v: %v, want %q", c.names, c.files, err, c.err)
			}
		case err != nil || got.Words() != c.want || c.want != "" && got.Game != rom.SHA256:
			t.Errorf("%v of %v: %q, %v, want %q", c.names, c.files, got.Words(), err, c.want)
		}
	}
	must.Succeed(t, os.Rename(beside, filepath.Join(own, filepath.Base(beside))))
	if got, err := m.ChooseCheats(rom, Cheats{Names: []string{"fast"}}); err != nil || got.Words() != "Speed: Fast" {
		t.Errorf("of the player's folder: %q, %v", got.Words(), err)
	}
	must.Succeed(t, os.Remove(filepath.Join(own, filepath.Base(beside))))
	if _, err := m.ChooseCheats(rom, Cheats{Names: []string{"fast"}}); err == nil || !strings.Contains(err.Error(), "no cheats of this game are on this computer") {
		t.Error(err)
	}
}
