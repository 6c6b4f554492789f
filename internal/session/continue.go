package session

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/moment"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/savestate"
)

// A game goes on from a kept moment by a start whose consoles all come from the game host, as
// they do from the donor of a resync. Machines that have the moment themselves fetch nothing.

// OpenSeat lets anybody play a console of the kept moment that is to go on, or only its own
// player again; for the game host, in the lobby.
func (c *Control) OpenSeat(seat ds.Seat, open bool) {
	c.asHost(func(s *session, now time.Time) error { return s.host.OpenSeat(now, seat, open) })
}

// continued is the purpose of the assembly of such a start.
type continued struct {
	roundStart
	kept room.Kept
}

// Giver is the game host for all consoles.
func (p continued) Giver(room.SeatPlan) int { return p.s.gameHost }

// Describe has the moment's consoles ready: on the game host for all others, elsewhere for the
// case that this machine has the same. Before, saves that are others than then are set aside.
func (p continued) Describe(a *assembly.Assembly) {
	s := p.s
	a.Hold()
	own, store := s.cartridgesOf(a.Plan.Settings, s.room.Room().Players), s.assembler.Store()
	cfg, hosts := s.cfg, s.host != nil
	s.Background(func() (func(), func()) {
		said, err := moment.SetAside(own, cfg.OpenSaves, cfg.Unwritten, cfg.SetAside)
		var manifests []savestate.Manifest
		switch {
		case err != nil:
		case hosts:
			manifests, err = moment.Offer(cfg.Host.Continue, a.Plan.Settings.Cheats, store)
		default:
			moment.Expect(cfg.Moments, a.Plan.Settings.Continues, store)
		}
		return func() {
			for _, c := range own {
				s.saves.SetPlace(c.Console, c.Place)
			}
			for _, line := range said {
				s.Say("%s", line)
			}
			for i := 0; i < len(manifests) && err == nil && a.Current(); i++ {
				err = a.Know(s.me(), manifests[i])
			}
			if err != nil && a.Current() {
				a.GiveUp(err)
			}
			a.Described()
		}, nil
	})
}

// Radio makes the air of the moment.
func (p continued) Radio(a *assembly.Assembly) (*game.Radio, error) { return p.s.savedRadio(a) }

// Assembled makes sure, on the game host, that the consoles come out as they were.
func (p continued) Assembled(a *assembly.Assembly, hashes []room.SeatHash) error {
	if p.s.host != nil {
		for _, seat := range p.s.cfg.Host.Continue.Seats {
			if h, here := a.Hash(seat.Plan.Seat); here && replay.HashOf(h) != seat.Hash {
				return fmt.Errorf("the console of seat %v does not come out of the kept moment as it was", seat.Plan.Seat)
			}
		}
	}
	return p.roundStart.Assembled(a, hashes)
}

// Agrees compares a manifest with what the room was told of the moment.
func (p continued) Agrees(m savestate.Manifest) error { return moment.Agrees(m, p.kept) }
