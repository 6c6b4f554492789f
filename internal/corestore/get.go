package corestore

import (
	"context"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/emucore"
)

// Want says which build Get may keep.
type Want struct {
	SHA256 [32]byte // of the library; zero for any
}

// Get fetches an offer, checks it and keeps it. The caller has asked the player. Progress is
// called on this goroutine and may be nil. Errors are a [*Failure], unless ctx has ended;
// then nothing is kept. A build that is kept already, see [Store.Has], is not fetched again.
func (c *Client) Get(ctx context.Context, o Offer, want Want, progress func(Progress)) (Build, error) {
	if progress == nil {
		progress = func(Progress) {}
	}
	if b, ok := c.Store.Has(o); ok && (want == Want{} || want.SHA256 == b.Core.SHA256) && intact(b) {
		return b, nil
	}
	what := fmt.Sprintf("getting %s from %s", o.Label(), o.Host())
	if !isCore(o.Name) {
		return Build{}, &Failure{Reason: NotACore, What: what, Why: "it is not the name of a DS core"}
	}
	w, err := c.Store.open()
	if err != nil {
		return Build{}, diskFailure(what, c.Store.dir, err)
	}
	defer w.close()
	j := &job{client: c, offer: o, want: want, what: what, shop: w, progress: progress}
	return j.run(ctx)
}

func (j *job) run(ctx context.Context) (Build, error) {
	archive, size, err := j.fetch(ctx)
	if err != nil {
		return Build{}, err
	}
	j.progress(Progress{Stage: Checking})
	lib, err := j.unpack(archive, size)
	archive.Close() // before the folder that it lies in is moved, which Windows does not allow with an open file in it
	if err != nil {
		return Build{}, err
	}
	core, err := j.try(ctx, lib)
	if err != nil {
		return Build{}, err
	}
	b := Build{
		Core: core, Name: j.offer.Name, Fetched: j.client.now().UTC(),
		Origin: Origin{Source: j.offer.Source.String(), URL: j.offer.URL, Version: j.offer.Version, Date: j.offer.Date, CRC32: lib.crc},
	}
	b, err = j.client.Store.keep(j.shop, b)
	if err != nil {
		return Build{}, diskFailure(j.what, j.client.Store.dir, err)
	}
	return b, nil
}

// try looks at the library and runs it in a sealed worker.
func (j *job) try(ctx context.Context, lib library) (emucore.Core, error) {
	if j.want.SHA256 != [32]byte{} && lib.sha != j.want.SHA256 {
		return emucore.Core{}, j.fail(OtherBuild, nil, "the source has another build by now: SHA-256 %x, wanted is %x", lib.sha, j.want.SHA256)
	}
	core, err := j.client.probe(ctx, lib.path)
	var notCore *emucore.NotCoreError
	var start *emucore.StartError
	switch {
	case err == nil && core.SHA256 == lib.sha:
		return core, nil
	case err == nil:
		return core, j.fail(NotACore, nil, "its file changed while it was looked at")
	case ctx.Err() != nil:
		return core, fmt.Errorf("%s: %w", j.what, context.Cause(ctx))
	case errors.As(err, &notCore):
		return core, j.fail(NotACore, err, "%s", notCore.Why)
	case errors.As(err, &start):
		return core, j.fail(NotACore, err, "it cannot be loaded on this computer: %s", start.Why)
	case is[*emucore.CrashError](err):
		return core, j.fail(NotACore, err, "it crashes when it is asked its name")
	case is[*emucore.HangError](err):
		return core, j.fail(NotACore, err, "it gives no answer when it is asked its name")
	}
	return core, j.fail(NotTried, err, "it could not be tried on this computer: %v", err)
}
