package udp

import (
	"net"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestFreePort: the port is free, and none that the system itself gives away, or a session takes.
func TestFreePort(t *testing.T) {
	for range 50 {
		port, err := FreePort()
		must.Succeed(t, err)
		if port < 1024 || port >= firstHost {
			t.Fatalf("port %d may be given to another program", port)
		}
		taken, host, err := newHost()
		must.Succeed(t, err)
		host.Destroy()
		if taken < firstHost || taken >= 32768 {
			t.Fatalf("a session takes port %d, which may be somebody else's", taken)
		}
		c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
		must.Succeed(t, err)
		if bindable(port) == nil {
			t.Errorf("port %d counts as free while it is in use", port)
		}
		c.Close()
	}
}
