package relay

import (
	"testing"
	"time"
)

// TestTunnelWhereUDPIsBlocked: a machine whose datagrams do not arrive asks for a tunnel, is
// reached through it, and leaves it when UDP gets through again.
func TestTunnelWhereUDPIsBlocked(t *testing.T) {
	w := newWorld(t, Limits{})
	w.join(hostBox, hostAddr)
	kid := w.join(kidBox, kidAddr)
	w.blocked = kidAddr
	w.pass(time.Second)
	if got := kid.Blocked(); len(got) != 1 || got[0] != 1 || len(kid.Blocked()) != 0 {
		t.Fatalf("tunnels are wanted to %v", got)
	}
	kid.NoTunnel(1)
	if len(kid.Blocked()) != 1 || !kid.Tunnel(1) {
		t.Fatal("after one that failed, none is wanted")
	}
	w.pass(time.Second)
	if st := kid.Status()[0]; !st.Held || !st.Tunnel || st.Seen.IsValid() {
		t.Fatalf("with a tunnel: %+v", st)
	}
	if got, _ := w.send(kidAddr, hostBox.At(1), "hello"); got != "hello" {
		t.Errorf("the host gets %q", got)
	}
	if got, at := w.send(hostAddr, kidBox.At(1), "welcome"); got != "welcome" || at != hostBox.At(1) {
		t.Errorf("the friend gets %q from %v", got, at)
	}
	w.pass(2 * claimAgain)
	if !kid.Status()[0].Tunnel {
		t.Fatal("the tunnel is left while UDP is blocked")
	}
	w.blocked = relayAddr
	w.pass(2 * claimAgain)
	if st := kid.Status()[0]; !st.Held || st.Tunnel || st.Seen != kidAddr {
		t.Errorf("with UDP again: %+v", st)
	}
	if got, _ := w.send(hostAddr, kidBox.At(1), "still there"); got != "still there" {
		t.Errorf("after it the friend gets %q", got)
	}
}

// TestABrokenTunnelIsOpenedAgain: and datagrams that come by none are not the relay's.
func TestABrokenTunnelIsOpenedAgain(t *testing.T) {
	w := newWorld(t, Limits{})
	kid := w.join(kidBox, kidAddr)
	w.blocked = kidAddr
	w.pass(time.Second)
	_ = kid.Blocked()
	forged := message{kind: kindHeld, mailbox: kidBox, life: Lease, seen: kidAddr}.append(nil)
	if kid.Unwrap(forged, TunnelAt(1), w.clock()); kid.Status()[0].Held {
		t.Error("a tunnel that is not open has brought something")
	}
	kid.Tunnel(1)
	w.pass(time.Second)
	kid.NoTunnel(1)
	if kid.Status()[0].Held || IsTunnel(kid.relays[0].addr) {
		t.Error("a mailbox is held through a tunnel that is broken")
	}
	w.pass(2 * time.Second)
	if len(kid.Blocked()) != 1 {
		t.Error("no other one is wanted")
	}
}
