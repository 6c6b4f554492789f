package launch

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
)

// PortError tells that a room's UDP port is in use.
type PortError struct {
	Port int   // that is in use
	Free int   // one that is not; 0 if none was found
	Err  error // wraps [link.ErrPortInUse]
}

func (e *PortError) Error() string { return e.Err.Error() }
func (e *PortError) Unwrap() error { return e.Err }

// listen opens the network at a UDP port, 0 for any. It returns an untyped nil Link on error, and for a
// port in use a [*PortError].
func (m Machine) listen(port int, door room.Door) (link.Link, error) {
	l, err := udp.Listen(udp.Config{
		Port: port, Bind: m.Settings.Net.Bind, Silence: m.Settings.Net.Silence,
		Key: key(), Relays: m.ownRelays(), Here: m.Helping.Here, Room: door.Secret, Neighbours: door.Neighbours,
	})
	if errors.Is(err, link.ErrPortInUse) {
		return nil, &PortError{Port: port, Free: freePort(m.Settings.Net.Bind, port), Err: err}
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// freePort is the next port above a room's that is free and not the one that rooms are
// announced on.
func freePort(bind string, used int) int {
	ip := net.ParseIP(bind)
	for port := used + 1; port <= min(used+50, 65535); port++ {
		if port == lan.Port {
			continue
		}
		c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: ip, Port: port})
		if err == nil {
			_ = c.Close()
			return port
		}
	}
	return 0
}

// target returns the address to dial for an address, an invitation or a code, with the invitation, if it is one.
func (m Machine) target(ctx context.Context, address string) (dial string, v invite.Invitation, err error) {
	if address, err = m.find(ctx, address); err != nil {
		return "", v, err
	}
	v, found, err := invite.Find(address)
	switch {
	case err != nil || !found:
		return address, invite.Invitation{}, err
	case v.Answer:
		return "", v, invite.ErrAnswer
	case len(v.Addresses)+len(v.Relays) == 0:
		return "", v, errors.New("the invitation has no address: the game host was on no network")
	}
	return v.Target(), v, nil
}

// Address adds the usual port to a game host's address that has none, and takes an
// invitation or a code out of the text around it; "" stays "".
func Address(typed string) string {
	typed = strings.TrimSpace(typed)
	if v, found, err := invite.Find(typed); found {
		if err != nil {
			return typed // joining says what is wrong with it
		}
		return v.Text()
	}
	if c, found, err := invite.FindCode(typed); found {
		if err != nil {
			return typed
		}
		return c.String()
	}
	if _, port, err := net.SplitHostPort(typed); typed == "" || err == nil && port != "" {
		return typed
	}
	name := strings.Trim(typed, "[]")
	if strings.Count(name, ":") == 1 {
		name = strings.TrimSuffix(name, ":")
	}
	return net.JoinHostPort(name, strconv.Itoa(config.DefaultPort))
}

// LocalAddresses are this machine's own addresses that others on its networks join by: its network's machines come
// in from there without an invitation.
func LocalAddresses() (list []string) {
	for _, ip := range link.Local() {
		if ip.Is4() || ip.IsPrivate() {
			list = append(list, ip.String())
		}
	}
	return list
}

// LineTime is the longest measurement of a line: the game host removes those who say nothing for
// five seconds.
const LineTime = 4 * time.Second

// Line measures the line to the game host of an invitation, or of a room on this network, for
// so long.
func (m Machine) Line(ctx context.Context, address string, span time.Duration) (link.Stats, error) {
	to, v, err := m.target(ctx, Address(address))
	if err != nil {
		return link.Stats{}, err
	}
	l, err := m.listen(0, room.Door{Secret: v.Secret})
	if err != nil {
		return link.Stats{}, err
	}
	defer l.Close()
	go func() {
		for range l.Events() { // somebody must read them
		}
	}()
	peer, err := l.Dial(ctx, to)
	if err != nil {
		return link.Stats{}, err
	}
	defer l.Disconnect(peer, "the connection was measured")
	select {
	case <-time.After(span):
	case <-ctx.Done():
		return link.Stats{}, ctx.Err()
	}
	stats, connected := l.Stats(peer)
	if !connected || stats.RTT == 0 {
		return stats, errors.New("the connection broke while it was measured")
	}
	return stats, nil
}
