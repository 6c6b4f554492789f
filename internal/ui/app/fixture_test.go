package app

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
)

// fakeControl writes down what the player wants of a session.
type fakeControl struct {
	said     []string
	settings hostroom.Settings
}

func (c *fakeControl) say(format string, args ...any) {
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

func (c *fakeControl) Keep(name string) { c.say("keep %s", name) }

func (c *fakeControl) OpenSeat(seat ds.Seat, open bool) { c.say("open seat %v: %v", seat, open) }

func (c *fakeControl) SetAside() { c.say("set aside") }

func (c *fakeControl) WithoutSave() { c.say("without save") }

func (c *fakeControl) SavesChanged() { c.say("saves changed") }

func (c *fakeControl) Ready(r bool) { c.say("ready %v", r) }

func (c *fakeControl) Chat(text string) { c.say("chat %s", text) }

func (c *fakeControl) Start() { c.say("start") }

func (c *fakeControl) CallOff() { c.say("call off") }

func (c *fakeControl) Kick(seat ds.Seat, why string, ban bool) {
	c.say("kick %d%s", seat, map[bool]string{true: " for good"}[ban])
}

func (c *fakeControl) KickSpectator(n int, why string, ban bool) {
	c.say("kick spectator %d%s", n, map[bool]string{true: " for good"}[ban])
}
func (c *fakeControl) Pardon(key [32]byte) { c.say("pardon %d", key[0]) }

func (c *fakeControl) Clip()        { c.say("clip") }
func (c *fakeControl) Pause(p bool) { c.say("pause %v", p) }

func (c *fakeControl) SwitchOn() { c.say("switch on") }

func (c *fakeControl) Delay(frames int) { c.say("delay %d", frames) }

func (c *fakeControl) AutoDelay(p autodelay.Preset) { c.say("delay %v", p) }

func (c *fakeControl) OwnDelay(d autodelay.Choice) { c.say("own delay %v", d) }

func (c *fakeControl) EndGame(why string) { c.say("end") }

func (c *fakeControl) LocalPlayers(names []string) { c.say("local %s", strings.Join(names, ",")) }

func (c *fakeControl) ROM(r *emucore.ROM) { c.say("rom %x", r.SHA256[0]) }

func (c *fakeControl) MaxSpeed(on bool) { c.say("fast %v", on) }

func (c *fakeControl) LetIn(answer string) error {
	c.say("let in %s", answer)
	return nil
}
func (c *fakeControl) GoOnWithout(machine int) { c.say("without %d", machine) }

func (c *fakeControl) Settings(f func(hostroom.Settings) hostroom.Settings) {
	c.settings = f(c.settings)
	c.say("settings")
}

var now = time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)

func testGame(title string, n byte) library.Game {
	return library.Game{ROM: &emucore.ROM{Path: "/roms/" + title + ".nds", SHA256: [32]byte{n}, Size: 1 << 20}, Title: title, More: "Nettplay"}
}

// fonts are those of all tests that draw, with the store of their pages: a letter is rasterised once for all of them.
// Such tests do not run side by side.
var fonts = sync.OnceValues(func() (*draw.Fonts, *draw.Store) {
	store := &draw.Store{}
	f, err := draw.NewFonts(store, []string{})
	if err != nil {
		panic(err)
	}
	return f, store
})

// fontStore is the store to make a Shell with that is going to be drawn.
func fontStore() *draw.Store {
	_, store := fonts()
	return store
}

// fontsIn returns fonts that keep their pages in a store.
func fontsIn(t testing.TB, store *draw.Store) *draw.Fonts {
	t.Helper()
	if f, s := fonts(); s == store {
		return f
	}
	f, err := draw.NewFonts(store, []string{})
	must.Succeed(t, err)
	return f
}

// homeShell is a program whose first steps are done, with a core and two games.
func homeShell(t testing.TB) *Shell {
	t.Helper()
	cfg := config.Defaults()
	cfg.Player.Nickname, cfg.Player.MAC = "Ann", "00:09:bf:00:00:01"
	m := newShell(cfg, memory.Memory{Welcomed: true, KeysTold: true}, "test", fontStore())
	m.Key = "7K3P-9QXM-D2FA"
	m.Tick(now)
	calls(m)
	m.CoreFound(screen.Core{Found: true, Core: emucore.Core{Name: "DeSmuME", Version: "1", Wireless: false}})
	m.Games = library.List{Games: []library.Game{testGame("Pad test", 1), testGame("Zebra", 2)}}
	return m
}

func playerIn(seat ds.Seat, machine int, name string, ready bool) hostroom.Player {
	p := hostroom.Player{
		Seat: ds.Seat(seat), Machine: machine, Nickname: name, Ready: ready, Present: true,
		ROM: hostroom.ROMID{SHA256: [32]byte{1}, Title: "Pad test", Size: 1 << 20},
	}
	p.Firmware.MAC = [6]byte{0, 9, 0xbf, 0, 0, byte(machine + 1)}
	p.Key = [32]byte{byte(machine + 1)}
	if machine > 0 {
		p.Ping, p.Jitter = 48*time.Millisecond, 3*time.Millisecond
	}
	return p
}

func testRoom(phase hostroom.Phase, players ...hostroom.Player) hostroom.Room {
	return hostroom.Room{
		Phase: phase, Players: players,
		Settings: hostroom.Settings{Room: "Ann's room", Seats: 4, MinPlayers: 2, Delay: 4, RTC: 1256409000, HashEvery: 60},
	}
}

func at(t *testing.T, m *Shell, want screen.ID) {
	t.Helper()
	if m.Current != want {
		t.Fatalf("the screen is %v, want %v", m.Current, want)
	}
}

// hosted is a room that was opened, with two players in it.
func hosted(t *testing.T) (*Shell, *fakeControl) {
	t.Helper()
	m := homeShell(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	at(t, m, screen.Host)
	m.host.OpenRoom()
	c := &fakeControl{}
	m.session.Opened(c)
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", false))})
	at(t, m, screen.Lobby)
	return m, c
}
