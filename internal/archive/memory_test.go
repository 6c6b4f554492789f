package archive

import "runtime"

// allocated is how much memory was ever taken.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
