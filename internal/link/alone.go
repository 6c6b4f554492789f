package link

import (
	"context"
	"errors"
	"sync"

	"github.com/nettplay/nettplay/internal/seal"
)

// Alone is the link of a machine that plays alone: it has no network, and meets nobody.
func Alone() Link { return &alone{events: make(chan Event)} }

type alone struct {
	close  sync.Once
	events chan Event // nothing ever comes
}

func (*alone) Dial(_ context.Context, addr string) (PeerID, error) {
	return 0, &DialError{Addr: Shown(addr), Why: Unreachable, Err: errors.New("this machine plays alone")}
}

func (*alone) Absent(context.Context, string) bool     { return true }
func (*alone) Vouch(PeerID)                            {}
func (*alone) Introduce(PeerID)                        {}
func (*alone) Send(PeerID, Channel, []byte) error      { return ErrUnknownPeer }
func (*alone) Disconnect(PeerID, string)               {}
func (a *alone) Events() <-chan Event                  { return a.events }
func (*alone) Stats(PeerID) (st Stats, connected bool) { return st, false }
func (*alone) SetRoom(_ seal.Secret, _ bool)           {}
func (*alone) Addr() string                            { return "here" }

// Key is any key: there is nobody to prove it to.
func (*alone) Key() seal.Public { return seal.Public{1} }

func (a *alone) Close() error {
	a.close.Do(func() { close(a.events) })
	return nil
}
