package service

import (
	"fmt"
	"net/http"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
)

// status has /metrics for Prometheus and /healthz for whoever starts relays and ends them.
// There is no address in them.
func (s *service) status() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		s.mu.Lock()
		f, tunnels := s.server.Figures(), len(s.tunnels)
		s.mu.Unlock()
		for _, m := range []struct {
			name, kind, help string
			value            int64
		}{
			{"mailboxes", "gauge", "Machines that hold a mailbox.", int64(f.Mailboxes)},
			{"networks", "gauge", "IPv4 addresses and IPv6 networks of 64 bits that they come from.", int64(f.Networks)},
			{"codes", "gauge", "Short codes that are published.", int64(f.Codes)},
			{"rooms", "gauge", "Open rooms that are listed.", int64(f.Rooms)},
			{"friends", "gauge", "Sealed words from one friend to another.", int64(f.Friends)},
			{"heard", "gauge", "Of codes, rooms and words, those that other relays publish.", int64(f.Heard)},
			{"unheard_total", "counter", "Those of other relays for which there was no room.", f.Unheard},
			{"tunnels", "gauge", "Machines that come by WebSocket.", int64(tunnels)},
			{"carried_datagrams_total", "counter", "Datagrams from one machine to another.", f.Carried},
			{"carried_bytes_total", "counter", "Bytes of them.", f.Bytes},
			{"refused_datagrams_total", "counter", "Datagrams beyond the rate of a mailbox or a network.", f.Refused},
			{"refused_pair_datagrams_total", "counter", "Datagrams beyond the rate of one machine to another one, or of the relay in all.", f.Crowded},
			{"refused_claims_total", "counter", "Machines for which there was no room.", f.Full},
			{"forged_datagrams_total", "counter", "Questions from a machine's address without what shows that they are its own.", f.Forged},
			{"malformed_datagrams_total", "counter", "Datagrams that are none of this protocol.", f.Malformed},
			{"uptime_seconds", "gauge", "Seconds since the relay was started.", int64(time.Since(s.began).Seconds())},
		} {
			fmt.Fprintf(w, "# HELP nettplay_relay_%[1]s %[2]s\n# TYPE nettplay_relay_%[1]s %[3]s\nnettplay_relay_%[1]s %[4]d\n", m.name, m.help, m.kind, m.value)
		}
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if ask(s, (*relay.Server).Leaving) {
			http.Error(w, "about to stop", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
		if s.cfg.Health != nil {
			fmt.Fprintln(w, s.cfg.Health())
		}
	})
	return mux
}
