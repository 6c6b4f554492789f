package cluster

import (
	"net"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestAddressInUse: a node that cannot listen says so, and does not wait for ever.
func TestAddressInUse(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	at := taken.Addr().String()
	for name, cfg := range map[string]NodeConfig{
		"listen": {Name: "one", Listen: at, Password: "secret"}, "cluster": {Name: "two", Cluster: at, Routes: []string{at}, Password: "secret"},
		"no port": {Name: "three", Listen: "nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if n, err := StartNode(cfg); err == nil {
				n.Close()
				t.Error("it has started")
			} else {
				t.Log(err)
			}
		})
	}
}
