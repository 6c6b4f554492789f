// Package diagnostics shows the inside of a running program: a log at a level that the user picks, the
// profiles of net/http/pprof on this machine alone, and a file with the times of a game's frames.
//
// The program's edge makes both from flags. Libraries get a *slog.Logger in their
// configuration; nobody logs by slog's default logger.
package diagnostics

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// Flags are the values of --log and --pprof. The zero value asks for nothing.
type Flags struct {
	Log   string // least level that is logged: debug, info, warn or error; "" for no log
	Pprof string // address to serve profiles on, as in "127.0.0.1:6060"; "" for none
}

// Register adds both flags by a function such as [flag.FlagSet.StringVar].
func (f *Flags) Register(stringVar func(p *string, name, value, usage string)) {
	stringVar(&f.Log, "log", "", "log what happens to stderr: `level` debug, info, warn or error")
	stringVar(&f.Pprof, "pprof", "", "serve profiles of this program at `address`, on this computer only, such as 127.0.0.1:6060")
}

// Start starts what the flags ask for. The logger is never nil; without --log it drops
// everything. stop ends the profile server and waits for it; it may be called once, and
// is not nil unless there is an error. Errors name the flag.
func (f Flags) Start(stderr io.Writer) (log *slog.Logger, stop func(), err error) {
	log, err = Logger(stderr, f.Log)
	if err != nil {
		return nil, nil, err
	}
	if f.Pprof == "" {
		return log, func() {}, nil
	}
	addr, stop, err := Profile(f.Pprof)
	if err != nil {
		return nil, nil, err
	}
	log.Info("profiles", "address", "http://"+addr+"/debug/pprof/")
	return log, stop, nil
}

// Logger writes lines of key=value to w, from a level on; "" for none at all.
func Logger(w io.Writer, level string) (*slog.Logger, error) {
	if level == "" {
		return slog.New(slog.DiscardHandler), nil
	}
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	least, ok := levels[strings.ToLower(level)]
	if !ok {
		return nil, fmt.Errorf("--log is %q, but must be debug, info, warn or error", level)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: least})), nil
}

// Profile serves net/http/pprof at an address, "host:port" with a loopback address or
// localhost as host; port 0 takes a free one. Any other host is refused: profiles show
// the program's memory, and they have no password. It returns where they are served, as
// "host:port"; stop ends the server at once, with the requests that it answers.
func Profile(address string) (addr string, stop func(), err error) {
	at, err := loopback(address)
	if err != nil {
		return "", nil, fmt.Errorf("--pprof %s: %w", address, err)
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		return "", nil, fmt.Errorf("--pprof %s: %w", address, err)
	}
	server := http.Server{Handler: local(handler()), ReadHeaderTimeout: 10 * time.Second}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(l) }) // it returns when the server is closed, or its listener has failed
	return l.Addr().String(), func() {
		_ = server.Close()
		serving.Wait()
	}, nil
}

var errNotLocal = errors.New("profiles are served on this computer only: the address must begin with 127.0.0.1, [::1] or localhost, as in 127.0.0.1:6060")

// loopback returns the address to listen at, with a number for localhost: a resolver
// could answer anything.
func loopback(address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", errNotLocal
	}
	if strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.Unmap().IsLoopback() {
		return "", errNotLocal
	}
	return net.JoinHostPort(ip.String(), port), nil
}

// handler has the handlers of net/http/pprof without its entries in the default mux.
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// local refuses requests that name another host: a web page may make a browser on this
// machine ask for a name that resolves to it.
func local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if _, err := loopback(net.JoinHostPort(strings.Trim(host, "[]"), "0")); err != nil {
			http.Error(w, errNotLocal.Error(), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
