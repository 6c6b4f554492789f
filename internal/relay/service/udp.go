package service

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/sockets"
)

// A relay with many rooms reads its socket once a gather and not as often as a datagram comes,
// as network cards do: to be woken costs as much as to carry several datagrams. That delays each
// by at most this time. One with fewer than crowd datagrams in a span reads each as it comes.
const (
	gather = time.Millisecond // less is no less: Go's poller counts in milliseconds
	span   = 20 * time.Millisecond
	crowd  = 20 * int(span/gather)
)

// pace knows whether a socket is crowded.
type pace struct {
	began   time.Time // of this span
	n       int       // datagrams in it so far
	crowded bool      // by the span before
}

// wait is how long the socket is left alone after n datagrams were read at now. It is nothing
// where more may be waiting than one call could read.
func (p *pace) wait(n int, now time.Time) time.Duration {
	p.n += n
	if took := now.Sub(p.began); took >= span {
		p.crowded = p.n >= crowd && took < 2*span
		p.began, p.n = now, 0
	}
	if p.crowded && n < atOnce {
		return gather
	}
	return 0
}

// serveUDP serves the socket until ctx ends, and closes it.
func (s *service) serveUDP(ctx context.Context) error {
	defer s.udp.close()
	defer context.AfterFunc(ctx, s.udp.interrupt)()
	var pace pace
	for {
		n, err := s.udp.read()
		if errors.Is(err, net.ErrClosed) {
			return err
		}
		if err != nil { // some systems report what happened to an earlier send
			time.Sleep(time.Millisecond)
			continue
		}
		s.receiveAll(n)
		s.udp.flush()
		if wait := pace.wait(n, time.Now()); wait > 0 {
			time.Sleep(wait)
		}
	}
}

// receiveAll has the relay act on the n datagrams that were read. The answers share their memory.
func (s *service) receiveAll(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Since(s.began)
	for i := range n {
		b, from := s.udp.datagram(i)
		out, to := s.server.Receive(b, from, now)
		if through := s.tunnels[to]; out != nil && through != nil {
			through.Send(out)
		} else if out != nil && to.Addr().Zone() != tunnelZone {
			s.udp.put(out, to)
		}
	}
}

// prepare sets a socket's options.
func prepare(conn *net.UDPConn) {
	// As much as the system grants: a burst must survive until we are scheduled.
	_, _ = conn.SetReadBuffer(8<<20), conn.SetWriteBuffer(4<<20)
	relay.InOnePiece(conn)
	sockets.Lasting(conn)
}
