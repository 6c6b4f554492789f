package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/nettplay/nettplay/internal/relay"
)

const (
	bucketName   = "nettplay-relays"
	bucketBytes  = 128 << 20
	bucketWithin = 5 * time.Second
	lease        = relay.HeardLease // of what is in the bucket
	connectAgain = 500 * time.Millisecond
)

// keepBucket makes sure that there is a bucket, and hands on what is in it. It tells how that
// stands: nil for a bucket that is there. Later words are heard without it.
func (c *Cluster) keepBucket(ctx context.Context, nc *nats.Conn, stored chan<- jetstream.KeyValueEntry, tell chan<- error) {
	for ctx.Err() == nil {
		err := c.readBucket(ctx, nc, stored)
		select {
		case tell <- err:
		case <-ctx.Done():
		}
		if err == nil {
			return
		}
		select {
		case <-time.After(connectAgain):
		case <-ctx.Done():
		}
	}
}

func (c *Cluster) readBucket(ctx context.Context, nc *nats.Conn, stored chan<- jetstream.KeyValueEntry) error {
	ctx, cancel := context.WithTimeout(ctx, bucketWithin)
	defer cancel()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("use JetStream: %w", err)
	}
	kv, err := c.bucket(ctx, js)
	if err != nil {
		return fmt.Errorf("make the bucket %s with %d copies: %w", bucketName, c.cfg.Copies, err)
	}
	watch, err := kv.WatchAll(ctx)
	if err != nil {
		return fmt.Errorf("read the bucket %s: %w", bucketName, err)
	}
	defer func() { _ = watch.Stop() }()
	for {
		select {
		case e := <-watch.Updates():
			if e == nil {
				return nil // that was all
			}
			select {
			case stored <- e:
			case <-ctx.Done():
				return ctx.Err()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// bucket opens the bucket, or makes it.
func (c *Cluster) bucket(ctx context.Context, js jetstream.JetStream) (jetstream.KeyValue, error) {
	kv, err := js.KeyValue(ctx, bucketName)
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return kv, err
	}
	return js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: bucketName, Description: "The entries of relays, and where relays are.", Storage: jetstream.MemoryStorage,
		Replicas: c.cfg.Copies, TTL: lease, History: 1, MaxBytes: bucketBytes, MaxValueSize: int32(maxWord),
	})
}
