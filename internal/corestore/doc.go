// Package corestore answers one question: which cores may this player get, and where are
// they kept?
//
// A [Client] asks the sources of the settings what they offer for this machine, and gets
// one of the offers. A [Store] is the folder of what was got: each build by its SHA-256, so
// that several builds of a core lie side by side and a room's very build is found again.
//
//	store, err := corestore.Default()
//	client, err := corestore.NewClient(settings.Core, store, version)
//	offers, problems := client.List(ctx)
//	offer, ok := corestore.Newest(offers, "melondsds")
//	offer, err = client.Ask(ctx, offer) // host, version and size, which the player is shown
//	build, err := client.Get(ctx, offer, corestore.Want{}, nil)
//
// The package promises:
//
//   - Nothing but lists is fetched before [Client.Get], which a caller calls when the player
//     has said yes to an offer.
//   - A core comes only from an address that a source of this player's own settings gave,
//     by TLS, and by no redirect to a host that does not belong to that source.
//   - What a source sends is hostile: every length is bounded, lists and archives are
//     decoded strictly, sizes and sums that the source told must be right, and the core is
//     looked at and then run in a sealed worker, which must name a DS core, before it is kept.
//   - A build is kept whole or not at all, also when the program is killed, the disk is full, or
//     another process gets the same one at the same time.
//   - Every failure is a [Failure], which says what happened, why, and what to do.
//
// Decoding and choosing are pure (index.go, releases.go, offer.go); fetch.go, job.go,
// archive.go and store.go do the I/O. Package emucore, which runs cores, is the next to read.
package corestore
