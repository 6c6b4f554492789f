package cluster

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A NATS server inside the relay's program, for services of one to a few
// machines that run no other NATS.

// NodeConfig says where a node is. The tags are the names in a settings file.
type NodeConfig struct {
	Name     string   `toml:"name"`     // among those of the service
	Listen   string   `toml:"listen"`   // "host:port" for other programs; "" for a free port of this machine alone
	Cluster  string   `toml:"cluster"`  // "host:port" for the other nodes; "" for a node that is alone
	Routes   []string `toml:"routes"`   // "host:port" of the other nodes
	Password string   `toml:"password"` // of nodes and programs, sent as it is; "" for one that nobody knows
	Store    string   `toml:"store"`    // a folder for what nodes agree on; "" for one that is removed at the end
}

const (
	serviceName = "nettplay"
	startWithin = 5 * time.Second
	memoryMost  = 256 << 20 // bytes of what is kept
	storeMost   = 64 << 20
	payloadMost = 64 << 10
	writeWithin = 2 * time.Second
)

// Node is a running server.
type Node struct {
	// URL is where programs of this machine find it, with the password.
	URL string
	// Close ends the node and waits for it. It may be called twice.
	Close func()
}

// StartNode starts a node. It serves at once; with others it agrees within seconds.
func StartNode(cfg NodeConfig) (n *Node, err error) {
	store, remove := cfg.Store, func() {}
	if store == "" {
		if store, err = os.MkdirTemp("", "nettplay-relay-"); err != nil {
			return nil, fmt.Errorf("make a folder for NATS: %w", err)
		}
		remove = func() { _ = os.RemoveAll(store) }
	}
	defer func() {
		if err != nil {
			remove()
		}
	}()
	options, err := cfg.options(store)
	if err != nil {
		return nil, err
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("make a NATS server: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(startWithin) {
		s.Shutdown()
		return nil, errors.New("start a NATS server: it is not ready in time; is its address in use?")
	}
	at, err := url.Parse(s.ClientURL())
	if err != nil {
		s.Shutdown()
		return nil, fmt.Errorf("find the NATS server: %w", err)
	}
	at.User = url.UserPassword(options.Username, options.Password)
	return &Node{at.String(), sync.OnceFunc(func() { s.Shutdown(); s.WaitForShutdown(); remove() })}, nil
}

func (cfg NodeConfig) options(store string) (*server.Options, error) {
	o := &server.Options{
		ServerName: cfg.Name, Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: store, JetStreamMaxMemory: memoryMost, JetStreamMaxStore: storeMost,
		MaxPayload: payloadMost, WriteDeadline: writeWithin, Username: serviceName, Password: cfg.Password, DisableJetStreamBanner: true,
	}
	if o.Password == "" {
		o.Password = rand.Text() // for this program alone
	}
	var err error
	if cfg.Listen != "" {
		if o.Host, o.Port, err = split(cfg.Listen); err != nil {
			return nil, err
		}
	}
	if cfg.Cluster == "" {
		return o, nil
	}
	o.Cluster = server.ClusterOpts{Name: serviceName, Username: serviceName, Password: o.Password, NoAdvertise: true, ConnectRetries: 1 << 20}
	if o.Cluster.Host, o.Cluster.Port, err = split(cfg.Cluster); err != nil {
		return nil, err
	}
	for _, r := range cfg.Routes {
		o.Routes = append(o.Routes, &url.URL{Scheme: "nats-route", Host: r, User: url.UserPassword(serviceName, o.Password)})
	}
	return o, nil
}

func split(at string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(at)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil {
		return "", 0, fmt.Errorf("address %q of NATS: %w", at, err)
	}
	if host == "" {
		host = "0.0.0.0"
	}
	return host, port, nil
}
