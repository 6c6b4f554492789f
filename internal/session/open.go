package session

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/roms"
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
	s.host, err = host.NewHost(host.HostConfig{
		Settings: role.Settings, Nickname: s.cfg.Firmware.Nickname, Firmware: s.cfg.Firmware,
		ROM: roms.ID(s.cfg.ROM), LocalPlayers: s.cfg.others(), Password: role.Password, Version: s.cfg.Version, Random: s.cfg.random(),
		Timeouts: host.Timeouts{Reconnect: role.Wait}, Addrs: s.addrs(""), CorePackage: corePackage,
	})
	if err != nil {
		return &Failure{Result: ResultLost, Err: fmt.Errorf("opening the room: %w", err)}
	}
	s.room = s.host
	s.notify(Opened{s.cfg.Link.Addr()})
	s.checkGames(time.Now())
	return nil
}

// corePackage names the Debian package that holds a core.
func corePackage(core string) string { return emucore.ProfileFor(core).Package }

func (s *session) joinRoom(ctx context.Context) (err error) {
	join := host.JoinConfig{
		Nickname: s.cfg.Firmware.Nickname, Password: s.cfg.Join.Password, Core: s.cfg.coreID(),
		Firmware: s.cfg.Firmware, Version: s.cfg.Version, Random: s.cfg.random(),
		Timeouts: host.Timeouts{Reconnect: s.cfg.Join.Wait}, Addrs: s.addrs(s.cfg.Join.Addr), CorePackage: corePackage,
	}
	if s.cfg.ROM != nil {
		rom := roms.ID(s.cfg.ROM)
		join.ROM = &rom
	}
	join.LocalPlayers = s.cfg.others()
	if s.client, err = host.NewClient(join); err != nil {
		return &Failure{Result: ResultLost, Err: fmt.Errorf("joining: %w", err)}
	}
	s.room = s.client
	s.notify(Connecting{s.cfg.Join.Addr})
	if s.peer, err = s.cfg.Link.Dial(ctx, s.cfg.Join.Addr); err != nil {
		return &Failure{Result: ResultLost, Err: dialFailure(err), Hint: dialHint(err)}
	}
	s.client.Connected(time.Now(), s.peer)
	return nil
}

// dialFailure is a connection that was not made, in a player's words.
func dialFailure(err error) error {
	var dial *link.DialError
	if !errors.As(err, &dial) {
		return err
	}
	words := dial.Why.String()
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		words = fmt.Sprintf("there is no machine called %q", dns.Name)
	case dial.Err != nil && (dial.Why == link.Unresolved || dial.Why == link.Rejected):
		words = fmt.Sprintf("%v: %v", dial.Why, dial.Err)
	}
	return fmt.Errorf("could not connect to %s: %s", dial.Addr, words)
}

// dialHint is what a player can do about a connection that was not made.
func dialHint(err error) string {
	var dial *link.DialError
	if !errors.As(err, &dial) {
		return ""
	}
	_, port, splitErr := net.SplitHostPort(dial.Addr)
	if _, err := strconv.Atoi(port); err != nil || splitErr != nil {
		port = "the room's"
	}
	switch dial.Why {
	case link.Unresolved:
		return "Check the address for typing mistakes: it is the game host's IP address or name, and :PORT if it is not the usual one."
	case link.Refused:
		return "Is the room open? The game host must have started nettplay with that port."
	case link.Unsteady:
		return "The game host's machine was heard, so the address is right. The line may lose much, or many try to connect. Try again; if it happens often, use a cable instead of a wireless network, or another line."
	case link.NoAnswer, link.Unreachable:
		return fmt.Sprintf("Is the room open, and the address right? From outside the game host's network, its router must forward UDP port %s to the game host's machine, and its firewall must let it in.", port)
	}
	return ""
}
