//go:build !nettplay_faults

package main

import (
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
)

// This build cannot go wrong on purpose; with -tags nettplay_faults see faults.go.

func testOptions(func(format string, args ...any)) (func(*emucore.Config), error) { return nil, nil }

func fault() (func(ds.Seat, game.Console) game.Console, error) { return nil, nil }
