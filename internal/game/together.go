package game

import (
	"cmp"
	"sync"
)

// Together does something for each of a list, side by side, and returns the first error
// in the order of the list.
func Together[T any](list []T, do func(i int, v T) error) error {
	errs := make([]error, len(list))
	var wait sync.WaitGroup
	for i, v := range list {
		wait.Go(func() { errs[i] = do(i, v) })
	}
	wait.Wait()
	return cmp.Or(errs...)
}
