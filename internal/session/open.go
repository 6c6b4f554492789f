package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/player"
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
		if role.Settings, err = momentSettings(role.Settings, role.Continue, role.Open); err != nil {
			return &notice.Failure{Result: notice.ResultCore, Err: err}
		}
	}
	s.host, err = host.New(host.Config{
		Config: s.comesWith(role.Password, role.Wait, ""), Settings: role.Settings, ROM: roms.ID(s.cfg.ROM), Door: role.Door, Key: s.cfg.Link.Key(),
	})
	if err != nil {
		return &notice.Failure{Result: notice.ResultLost, Err: fmt.Errorf("opening the room: %w", err)}
	}
	s.room = s.host
	if role.Continue != nil {
		if words := player.OtherBuild(role.Continue.Settings.Core, s.cfg.Core); words != "" {
			s.Say("The kept game goes on with another build of its core. %s", words)
		}
	}
	s.notify(notice.Opened{Addr: s.cfg.Link.Addr(), Door: s.host.Door(), Locked: s.host.Locked()})
	s.checkGames(time.Now())
	return nil
}

// comesWith returns what this machine brings to a room; at is the address of the room, "" for ours.
func (s *session) comesWith(password string, wait time.Duration, at string) membership.Config {
	return membership.Config{
		Nickname: s.cfg.Firmware.Nickname, Firmware: s.cfg.Firmware, LocalPlayers: s.cfg.localPlayers(), Password: password,
		Version: s.cfg.Version, Random: cmp.Or(s.cfg.Random, rand.Reader), CoreSource: s.cfg.Source,
		Cores:    coreFacts,
		Timeouts: membership.Timeouts{Reconnect: wait}, Addrs: link.Own(s.cfg.Link.Addr(), at),
	}
}

func (s *session) joinRoom(ctx context.Context) (err error) {
	role := s.cfg.Join
	join := client.Config{Config: s.comesWith(role.Password, role.Wait, role.Addr), Core: s.cfg.coreID()}
	if s.cfg.ROM != nil {
		join.ROM = new(roms.ID(s.cfg.ROM))
	}
	if s.client, err = client.New(join); err != nil {
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

// For how long somebody with an invitation tries to get in.
const (
	invitedWait = 5 * time.Minute // friends may have to exchange messages
	deafWait    = 8 * time.Second // where no UDP comes through, but a relay may be reached otherwise
)

// tries reports whether somebody who has tried for so long tries on.
func (j *JoinRole) tries(failed link.DialFailure, d time.Duration) bool {
	switch {
	case j.Secret == seal.Secret{}:
		return false
	case failed == link.Deaf:
		return d <= deafWait && link.Relayed(j.Addr)
	}
	return (failed == link.NoAnswer || failed == link.Unsteady) && d <= invitedWait
}

// dialHost connects to the game host. Once all addresses of an invitation have had their tries,
// it tells so and tries on.
func (s *session) dialHost(ctx context.Context) (p link.PeerID, err error) {
	told := false
	for began := time.Now(); ; {
		p, err = s.cfg.Link.Dial(ctx, s.cfg.Join.Addr)
		if to, moved := s.cfg.Join.Moved.Moved(ctx, s.cfg.Join.Addr, err); moved {
			s.cfg.Join.Addr = to
			continue
		}
		var failed *link.DialError
		if !errors.As(err, &failed) || !s.cfg.Join.tries(failed.Why, time.Since(began)) {
			return p, err
		}
		if failed.Why == link.NoAnswer && !told {
			told = true
			s.notify(notice.Unanswered{})
		}
	}
}
