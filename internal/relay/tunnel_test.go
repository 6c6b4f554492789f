package relay

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// Whoever reads nothing has others' datagrams wait, for all tunnels together within a bound; what waited is given back when the
// tunnel ends.
func TestQueuesAreBounded(t *testing.T) {
	const size, most = 1300, 100 * 1300
	q := &TunnelQueues{Most: most}
	accepted := make(chan *Tunnel)
	var serving sync.WaitGroup
	end := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Add(1)
		defer serving.Done()
		c, err := AcceptTunnel(w, r, q)
		if err != nil {
			t.Error(err)
			return
		}
		accepted <- c
		<-end
	}))
	defer server.Close()
	var all []*Tunnel
	for range 8 {
		ws, _, err := websocket.Dial(t.Context(), "ws"+server.URL[len("http"):]+TunnelPath, nil)
		must.Succeed(t, err)
		defer func() { _ = ws.CloseNow() }()
		all = append(all, <-accepted)
	}
	full := 0
	for late := time.Now().Add(time.Minute); full < 1000; {
		for _, c := range all {
			c.Send(make([]byte, size))
		}
		switch used := q.used.Load(); {
		case used > most:
			t.Fatalf("%d bytes wait", used)
		case used > most-size:
			full++
		case time.Now().After(late):
			t.Fatalf("%d bytes wait of those who read nothing", used)
		}
	}
	for _, c := range all {
		_ = c.Close()
		c.Send(make([]byte, size))
	}
	if used := q.used.Load(); used != 0 {
		t.Errorf("%d bytes wait for nobody", used)
	}
	close(end)
	serving.Wait()
}
