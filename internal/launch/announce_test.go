package launch

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// A browser of rooms hears of a room in a terminal once that hosts it, of its changes, and that it is gone.
func TestHeadlessRoomIsAnnounced(t *testing.T) {
	news := make(chan struct{}, 100)
	b, err := lan.Browse(lan.BrowseConfig{Listen: netip.MustParseAddrPort("127.0.0.1:0"), Changed: func() { news <- struct{}{} }})
	must.Succeed(t, err)
	defer b.Close()
	l, err := udp.Listen(udp.Config{Bind: "127.0.0.1"})
	must.Succeed(t, err)
	defer l.Close()
	heard := 0
	cfg := session.Config{
		Link: l, ROM: &emucore.ROM{SHA256: [32]byte{1, 2, 3}}, Host: &session.HostRole{Password: "x"}, Version: "1",
		Core: emucore.Core{Name: "DeSmuME"}, Notify: func(notice.Notice) { heard++ },
	}
	cfg.ROM, cfg.Host = nil, nil // it is told what the room is by its notices
	stop := Announce(&cfg, netip.MustParseAddrPort(b.Addr().String()))
	until := func(what string, ok func([]lan.Found) bool) {
		t.Helper()
		for late := time.After(time.Minute); !ok(b.Rooms()); {
			select {
			case <-news:
			case <-late:
				t.Fatalf("%s is not heard: %+v", what, b.Rooms())
			}
		}
	}
	r := room.Room{Settings: room.Settings{Room: "Friday", Seats: 4}, Phase: room.PhaseLobby, Players: []room.Player{
		{Nickname: "Ann", Present: true, ROM: room.ROMID{Title: "Kart", SHA256: [32]byte{1, 2, 3}}}, {Nickname: "Amy", Local: 1, Seat: 1, Present: true},
	}}
	cfg.Notify(notice.RoomNotice{Room: r}) // while somebody else hosts it
	cfg.Notify(notice.Opened{Locked: true})
	cfg.Notify(notice.RoomNotice{Room: r})
	_, port, _ := net.SplitHostPort(l.Addr())
	until("the room", func(list []lan.Found) bool {
		if len(list) != 1 {
			return false
		}
		f := list[0]
		if f.Room != "Friday" || f.Host != "Ann" || f.Game != "Kart" || f.Players != 2 || f.Seats != 4 || !f.Password || f.Playing || f.ROM != [8]byte{1, 2, 3} {
			t.Errorf("heard is %+v", f.Beacon)
		}
		if f.Addr.String() != net.JoinHostPort("127.0.0.1", port) {
			t.Errorf("it is to be joined at %v, and listens at %s", f.Addr, l.Addr())
		}
		return true
	})
	r.Phase = room.PhasePlaying
	cfg.Notify(notice.RoomNotice{Room: r})
	until("the game", func(list []lan.Found) bool { return len(list) == 1 && list[0].Playing })
	stop()
	until("the end", func(list []lan.Found) bool { return len(list) == 0 })
	if heard != 4 {
		t.Errorf("%d notices were passed on", heard)
	}
}
