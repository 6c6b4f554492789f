package emucore

import (
	"errors"
	"time"
)

// errLate says that no reply came in time; errCut that the worker has closed
// its end, so is gone or going.
var (
	errLate = errors.New("no reply in time")
	errCut  = errors.New("worker has hung up")
)

// waitSlice is the longest wait for a reply until its worker is looked at.
const waitSlice = 100 * time.Millisecond
