package udp

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/impair"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// soon is within which a guest is to know.
const soon = 2 * time.Second

// Who has an invitation to a room that its machine has left for another one knows it within two seconds, also where
// other addresses of the invitation say nothing; and with the right one comes in.
func TestOutdatedInvitation(t *testing.T) {
	t.Parallel()
	host := listenIn(t, seal.NewSecret())
	far, err := badline.Start(badline.Config{Target: host.Addr(), Impairment: impair.Impairment{Delay: 100 * time.Millisecond}})
	must.Succeed(t, err)
	defer far.Close()
	silent := loopback(t)
	for name, addrs := range map[string][]string{
		"near":                  {host.Addr()},
		"far":                   {far.Addr()},
		"among silent ones":     {silent.LocalAddr().String(), host.Addr()},
		"and another machine's": {listenIn(t, seal.NewSecret()).Addr(), host.Addr()},
	} {
		guest := listenIn(t, seal.NewSecret())
		began := time.Now()
		_, err := guest.Dial(t.Context(), link.Target(host.Key(), addrs...))
		if took := time.Since(began); !isDialError(err, link.Outdated) || took > soon {
			t.Errorf("%s: %v, after %v", name, err, took)
		}
		if words, hint := link.NotReached(err).Error(), link.Hint(err); !strings.Contains(words, "the invitation is outdated") || !strings.Contains(hint, "Ask for a new invitation") {
			t.Errorf("%s: the guest reads %q, %q", name, words, hint)
		}
	}
	guest := listenIn(t, host.room().secret)
	dialOK(t, guest, link.Target(host.Key(), silent.LocalAddr().String(), far.Addr()))
}

// A guest whose invitation is right is never told that it is outdated, however bad the line.
func TestBadLineIsNotOutdated(t *testing.T) {
	t.Parallel()
	host := listenIn(t, seal.NewSecret())
	for seed, imp := range []impair.Impairment{
		{Loss: 0.7},
		{Delay: 900 * time.Millisecond, Jitter: 400 * time.Millisecond, Duplicate: 0.5},
		{Loss: 1},
	} {
		line, err := badline.Start(badline.Config{Target: host.Addr(), Impairment: imp, Seed: uint64(seed)})
		must.Succeed(t, err)
		guest := listenIn(t, host.room().secret)
		ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
		_, err = guest.Dial(ctx, link.Target(host.Key(), line.Addr()))
		stop()
		if err != nil && !isDialError(err, link.Aborted) && !isDialError(err, link.NoAnswer) && !isDialError(err, link.Unsteady) {
			t.Errorf("%+v: %v", imp, err)
		}
		_ = line.Close()
	}
}

// Strangers, who do not know the key, get no answer to the question; those who do get one that is shorter. Nobody but
// the machine says that an invitation is outdated.
func TestOnlyTheInvitedAreToldAndOnlyByTheMachine(t *testing.T) {
	t.Parallel()
	host := listenIn(t, seal.NewSecret())
	conn := loopback(t)
	other := seal.NewSecret()
	ask := func(by *seal.Greeter, room seal.Secret) (answer []byte) {
		t.Helper()
		b := by.Append(still(7, newRoom(room, false).greeter).append(nil))
		_, err := conn.WriteTo(b, host.conn.LocalAddr())
		must.Succeed(t, err)
		must.Succeed(t, conn.SetReadDeadline(time.Now().Add(300*time.Millisecond)))
		answer = make([]byte, 1000)
		n, _, err := conn.ReadFrom(answer)
		if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
			return nil
		}
		must.Succeed(t, err)
		if n >= len(b) {
			t.Errorf("%d bytes answer %d", n, len(b))
		}
		return answer[:n]
	}
	if a := ask(testKey(t).Public().Greeter(), other); a != nil {
		t.Errorf("a stranger is told %x", a)
	}
	if a := ask(host.Key().Greeter(), host.room().secret); a != nil {
		t.Errorf("a guest with the right secret is told %x", a)
	}
	answer := ask(host.Key().Greeter(), other)
	g, err := decodeGreeting(answer[:max(0, len(answer)-seal.TagSize)])
	if err != nil || g.kind != kindRefuse || g.code != refuseSecret {
		t.Fatalf("%x: %+v, %v", answer, g, err)
	}
	guest := listenIn(t, other)
	d, err := guest.newDial()
	must.Succeed(t, err)
	defer guest.endDial(d)
	guest.meant(d, host.Key())
	for name, by := range map[string]*seal.Greeter{"another machine": testKey(t).Public().Greeter(), "the room": guest.room().greeter, "the machine": host.Key().Greeter()} {
		no := greeting{kind: kindRefuse, version: wireVersion, nonce: d.nonce, code: refuseSecret}
		guest.outdated(by.Append(no.append(nil)), conn.LocalAddr().(*net.UDPAddr).AddrPort())
		if n := len(d.answers); (n == 1) != (name == "the machine") {
			t.Errorf("%s: %d answers", name, n)
		}
		for len(d.answers) > 0 {
			<-d.answers
		}
	}
}

// A guest who has a relay alone is told within two seconds that no such room is there: its secret is the place at the relay.
// With the right one the guest comes in, also where the game host comes to the relay a moment later.
func TestOutdatedInvitationAtARelay(t *testing.T) {
	t.Parallel()
	by, _ := fixture.RunRelay(t, service.Config{})
	right, wrong := seal.NewSecret(), seal.NewSecret()
	host := listenIn(t, right)
	guest := listenIn(t, wrong)
	began := time.Now()
	_, err := guest.Dial(t.Context(), link.Target(host.Key(), relay.Place(by, wrong.Mailbox(host.Key()))))
	if took := time.Since(began); !isDialError(err, link.NoRoom) || took > soon {
		t.Errorf("%v, after %v", err, took)
	}
	if words, hint := link.NotReached(err).Error(), link.Hint(err); !strings.Contains(words, "the relay knows no such room") || !strings.Contains(hint, "Ask for a new invitation") {
		t.Errorf("the guest reads %q, %q", words, hint)
	}
	silent := loopback(t)
	began = time.Now()
	_, err = guest.Dial(t.Context(), link.Target(host.Key(), silent.LocalAddr().String(), relay.Place(by, wrong.Mailbox(host.Key()))))
	if took := time.Since(began); !isDialError(err, link.NoRoom) || took < soon {
		t.Errorf("with an address that may answer yet: %v, after %v", err, took)
	}
	box := right.Mailbox(host.Key())
	time.AfterFunc(500*time.Millisecond, func() { host.SetMailbox(box, []string{by}) })
	dialOK(t, listenIn(t, right), link.Target(host.Key(), relay.Place(by, box)))
}
