package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// TunnelPath is where relays take WebSockets.
const TunnelPath = "/nettplay"

const (
	tunnelQueued  = 128 // datagrams that wait to be sent
	tunnelIdle    = Lease
	tunnelWriting = 10 * time.Second // of one datagram
)

// Tunnel brings the datagrams between a machine and a relay through WebSocket, where a network lets no UDP through. Each
// message is one datagram. TCP repeats what is lost, and holds back all that comes after it: a datagram that finds no room in
// the queue is lost instead, so nothing grows old in it. Send and Close may be called from any goroutine.
type Tunnel struct {
	ws     *websocket.Conn
	out    chan []byte
	life   context.Context
	end    context.CancelFunc
	writer sync.WaitGroup

	queues *TunnelQueues
	mu     sync.Mutex // guards ended, and sends to out
	ended  bool       // nothing is queued any more
}

// TunnelQueues bounds what waits in the queues of many tunnels together: most of their other ends may read nothing.
type TunnelQueues struct {
	Most int64 // bytes; 0 for no bound
	used atomic.Int64
}

func (q *TunnelQueues) take(n int) bool {
	if q.used.Add(int64(n)) > q.Most && q.Most > 0 {
		q.used.Add(int64(-n))
		return false
	}
	return true
}

func (q *TunnelQueues) give(n int) { q.used.Add(int64(-n)) }

// DialTunnel opens a tunnel to a relay, "host:port", at one of these addresses of it. It tries at once an
// encrypted connection to the usual port of the web and a plain one to the relay's own port; the datagrams
// are sealed anyway. Nothing is sent anywhere else: no redirect is followed. Where the environment names
// a proxy, that is asked.
func DialTunnel(ctx context.Context, name string, addrs []netip.Addr) (*Tunnel, error) {
	host, _, err := net.SplitHostPort(name)
	if err != nil {
		return nil, fmt.Errorf("dial a relay: %w", err)
	}
	urls := []string{"wss://" + net.JoinHostPort(host, "443") + TunnelPath, "ws://" + name + TunnelPath}
	return raceTunnels(ctx, urls, tunnelClient(host, addrs))
}

// tunnelClient makes requests of a relay alone.
func tunnelClient(host string, addrs []netip.Addr) *http.Client {
	only := func(ctx context.Context, network, addr string) (conn net.Conn, err error) {
		var dialer net.Dialer
		name, port, err := net.SplitHostPort(addr)
		if err != nil || name != host { // the proxy
			return dialer.DialContext(ctx, network, addr)
		}
		err = errors.New("the relay has no address that may be used")
		for _, at := range addrs {
			if conn, err = dialer.DialContext(ctx, network, net.JoinHostPort(at.String(), port)); err == nil {
				break
			}
		}
		return conn, err
	}
	return &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: only, MaxResponseHeaderBytes: 16 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("it redirects to somewhere else") },
	}
}

// raceTunnels takes the first connection that opens.
func raceTunnels(ctx context.Context, urls []string, by *http.Client) (*Tunnel, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type opened struct {
		ws  *websocket.Conn
		err error
	}
	all := make(chan opened)
	for _, url := range urls {
		go func() {
			ws, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPClient: by})
			all <- opened{ws, err}
		}()
	}
	var first *Tunnel
	var errs []error
	for range urls {
		switch o := <-all; {
		case o.err != nil:
			errs = append(errs, o.err)
		case first != nil:
			_ = o.ws.CloseNow()
		default:
			first = newTunnel(o.ws, new(TunnelQueues))
			cancel() // an open connection is not bound to it
		}
	}
	if first == nil {
		return nil, fmt.Errorf("dial a relay by WebSocket: %w", errors.Join(errs...))
	}
	return first, nil
}

// AcceptTunnel makes a tunnel of a request, one of those that share q. It has answered the request if that fails.
func AcceptTunnel(w http.ResponseWriter, r *http.Request, q *TunnelQueues) (*Tunnel, error) {
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return nil, err
	}
	return newTunnel(ws, q), nil
}

func newTunnel(ws *websocket.Conn, q *TunnelQueues) *Tunnel {
	ws.SetReadLimit(MaxDatagram)
	c := &Tunnel{ws: ws, out: make(chan []byte, tunnelQueued), queues: q}
	c.life, c.end = context.WithCancel(context.Background())
	c.writer.Go(c.write)
	return c
}

// Send queues a copy of a datagram. Where there is no room it is lost.
func (c *Tunnel) Send(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended && len(c.out) < cap(c.out) && c.queues.take(len(b)) {
		c.out <- bytes.Clone(b)
	}
}

func (c *Tunnel) write() {
	defer c.empty()
	defer c.end()
	for {
		select {
		case b := <-c.out:
			c.queues.give(len(b))
			ctx, cancel := context.WithTimeout(c.life, tunnelWriting)
			err := c.ws.Write(ctx, websocket.MessageBinary, b)
			cancel()
			if err != nil {
				return
			}
		case <-c.life.Done():
			return
		}
	}
}

// empty gives back what the queue took.
func (c *Tunnel) empty() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	for len(c.out) > 0 {
		c.queues.give(len(<-c.out))
	}
}

// Receive reads a datagram. It fails when the tunnel is closed, nothing has come for longer than a
// mailbox is held, or something came that is no datagram of a relay's. One goroutine may call it.
func (c *Tunnel) Receive() ([]byte, error) {
	ctx, cancel := context.WithTimeout(c.life, tunnelIdle)
	defer cancel()
	kind, b, err := c.ws.Read(ctx)
	if err == nil && kind != websocket.MessageBinary {
		err = errors.New("text, where datagrams are wanted")
	}
	return b, err
}

// Close ends the tunnel and waits until nothing of it runs.
func (c *Tunnel) Close() error {
	c.end()
	err := c.ws.CloseNow()
	c.writer.Wait()
	return err
}
