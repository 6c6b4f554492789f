package launch

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/seal"
)

// PortError tells that a room's UDP port is in use.
type PortError struct {
	Port int   // that is in use
	Free int   // one that is not; 0 if none was found
	Err  error // wraps [link.ErrPortInUse]
}

func (e *PortError) Error() string { return e.Err.Error() }
func (e *PortError) Unwrap() error { return e.Err }

// listen returns an untyped nil Link on error, and for a port in use a [*PortError].
func listen(cfg udp.Config) (link.Link, error) {
	l, err := udp.Listen(cfg)
	if errors.Is(err, link.ErrPortInUse) {
		return nil, &PortError{Port: cfg.Port, Free: freePort(cfg), Err: err}
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// freePort is the next port above a room's that is free and not the one that rooms are
// announced on.
func freePort(cfg udp.Config) int {
	ip := net.ParseIP(cfg.Bind)
	for port := cfg.Port + 1; port <= min(cfg.Port+50, 65535); port++ {
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

// target returns the address to dial for an address, an invitation or a code, and the room's secret.
func (m Machine) target(ctx context.Context, address string) (secret seal.Secret, dial string, err error) {
	if address, err = m.find(ctx, address); err != nil {
		return secret, "", err
	}
	v, found, err := invite.Find(address)
	switch {
	case err != nil || !found:
		return secret, address, err
	case v.Answer:
		return secret, "", invite.ErrAnswer
	case len(v.Addresses)+len(v.Relays) == 0:
		return secret, "", errors.New("the invitation has no address: the game host was on no network")
	}
	return v.Secret, v.Target(), nil
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

// LocalAddresses are this machine's own IPv4 addresses in its local networks.
func LocalAddresses() (list []string) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			list = append(list, n.IP.String())
		}
	}
	return list
}
