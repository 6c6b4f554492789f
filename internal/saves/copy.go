package saves

import "errors"

// OpenOrCopy is Open for a game that is to be played in any case: while another process
// has the saves open, there is no store, but a copy of what is current to play with (nil
// for none), and the *InUseError to tell.
func OpenOrCopy(dir string, g Game, o Options) (store *Store, sram []byte, err error) {
	store, err = Open(dir, g, o)
	var inUse *InUseError
	if !errors.As(err, &inUse) {
		return store, nil, err
	}
	kept, lookErr := Look(dir, g, o)
	if lookErr != nil || kept == nil || kept.Current() == nil {
		return nil, nil, err
	}
	sram, readErr := kept.Read(kept.Current().Number)
	return nil, sram, errors.Join(err, readErr)
}
