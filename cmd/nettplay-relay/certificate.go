package main

import (
	"crypto/tls"
	"fmt"
	"sync"
	"time"
)

// certificateAge is after how long the files are read again: they are renewed while the relay
// runs.
const certificateAge = time.Hour

// certificate is read from two files.
type certificate struct {
	cert, key string

	mu   sync.Mutex // guards what follows
	last *tls.Certificate
	read time.Time
}

// get returns the certificate, that of before where the files cannot be read now.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && time.Since(c.read) < certificateAge {
		return c.last, nil
	}
	c.read = time.Now()
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	switch {
	case err == nil:
		c.last = &pair
	case c.last == nil:
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	return c.last, nil
}
