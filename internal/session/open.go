package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/reach"
	"github.com/nettplay/nettplay/internal/roms"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// How we come into a room, our own or another's.

// open opens the room, or connects to it.
func (s *session) open(ctx context.Context) error {
	if s.cfg.Host != nil {
		return s.openRoom()
	}
	return s.joinRoom(ctx)
}

func (s *session) openRoom() (err error) {
	role := s.cfg.Host
	role.Settings.Core = s.cfg.coreID()
	if role.Continue != nil {
		if role.Settings, err = continuing(role.Settings, role.Continue, role.Open); err != nil {
			return &notice.Failure{Result: notice.ResultCore, Err: err}
		}
	}
	s.host, err = host.NewHost(host.HostConfig{
		Settings: role.Settings, Nickname: s.cfg.Firmware.Nickname, Firmware: s.cfg.Firmware,
		ROM: roms.ID(s.cfg.ROM), LocalPlayers: s.cfg.others(), Password: role.Password, Version: s.cfg.Version, Random: s.cfg.random(),
		Timeouts: host.Timeouts{Reconnect: role.Wait}, Addrs: reach.Own(s.cfg.Link.Addr(), ""), CorePackage: corePackage, Door: role.Door,
		Key: s.cfg.Link.Key(),
	})
	if err != nil {
		return &notice.Failure{Result: notice.ResultLost, Err: fmt.Errorf("opening the room: %w", err)}
	}
	s.room = s.host
	s.notify(notice.Opened{Addr: s.cfg.Link.Addr()})
	s.checkGames(time.Now())
	return nil
}

// corePackage names the Debian package that holds a core.
func corePackage(core string) string { return emucore.ProfileFor(core).Package }

func (s *session) joinRoom(ctx context.Context) (err error) {
	join := host.JoinConfig{
		Nickname: s.cfg.Firmware.Nickname, Password: s.cfg.Join.Password, Core: s.cfg.coreID(),
		Firmware: s.cfg.Firmware, Version: s.cfg.Version, Random: s.cfg.random(),
		Timeouts: host.Timeouts{Reconnect: s.cfg.Join.Wait}, Addrs: reach.Own(s.cfg.Link.Addr(), s.cfg.Join.Addr), CorePackage: corePackage,
	}
	if s.cfg.ROM != nil {
		rom := roms.ID(s.cfg.ROM)
		join.ROM = &rom
	}
	join.LocalPlayers = s.cfg.others()
	if s.client, err = host.NewClient(join); err != nil {
		return &notice.Failure{Result: notice.ResultLost, Err: fmt.Errorf("joining: %w", err)}
	}
	s.room = s.client
	s.notify(notice.Connecting{Addr: link.Shown(s.cfg.Join.Addr)})
	if s.peer, err = s.dialHost(ctx); err != nil {
		return notice.NotReached(err)
	}
	s.client.Connected(time.Now(), s.peer)
	return nil
}

// invitedWait is how long somebody with an invitation tries to get in.
const invitedWait = time.Minute

// dialHost connects to the game host.
func (s *session) dialHost(ctx context.Context) (p link.PeerID, err error) {
	for began := time.Now(); ; {
		p, err = s.cfg.Link.Dial(ctx, s.cfg.Join.Addr)
		var failed *link.DialError
		again := errors.As(err, &failed) && (failed.Why == link.NoAnswer || failed.Why == link.Unsteady)
		if !again || s.cfg.Join.Secret == (seal.Secret{}) || time.Since(began) > invitedWait {
			return p, err
		}
	}
}
