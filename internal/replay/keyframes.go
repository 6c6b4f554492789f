package replay

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Keyframes are those of one log, played with one core, in a folder of their own
// within a cache. A keyframe is a file, so any of them may be removed at any time,
// by anybody. Safe for concurrent use.
type Keyframes struct {
	cache string
	dir   string
	limit int64 // bytes of the whole cache

	mu   sync.Mutex
	kept []keptKey      // by rising frame
	bad  map[int64]bool // that are not made again
}

// keptKey is a keyframe in the folder.
type keptKey struct{ frame, size int64 } // the size in bytes

// DefaultKeyframeLimit bounds the bytes that all keyframes together take of the disk. A state shrinks
// to 30 to 700 KB, and there is one for each console every 2 to 20 seconds: an hour of two consoles
// takes 30 to 300 MB. See [Keyframes.Spacing] for more consoles.
const DefaultKeyframeLimit = 1 << 30

// OpenKeyframes finds the keyframes of a log, when it is played with this build of
// its core, in a cache that may not be there yet. A limit of 0 is
// [DefaultKeyframeLimit]. Those of other logs are removed, the longest unused
// first, when room is needed.
func OpenKeyframes(cache string, l *Log, core [32]byte, limit int64) (*Keyframes, error) {
	if limit <= 0 {
		limit = DefaultKeyframeLimit
	}
	id, err := l.id(core)
	if err != nil {
		return nil, err
	}
	k := &Keyframes{cache: cache, dir: filepath.Join(cache, id), limit: limit}
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a folder for keyframes: %w", err)
	}
	now := time.Now()
	_ = os.Chtimes(k.dir, now, now) // it is used
	files, err := os.ReadDir(k.dir)
	if err != nil {
		return nil, fmt.Errorf("looking for keyframes: %w", err)
	}
	for _, f := range files {
		number, isKey := strings.CutSuffix(f.Name(), keyExtension)
		frame, err := strconv.ParseInt(number, 10, 64)
		info, statErr := f.Info()
		if !isKey || err != nil || statErr != nil || frame <= 0 {
			continue
		}
		k.note(frame, info.Size())
	}
	return k, nil
}

// KeyframeFolder is the folder for keyframes in the user's cache, empty where there can
// be none.
func KeyframeFolder() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "nettplay", "keyframes")
}

// KeyframesIn are those of a log in a folder, nil where there can be none: without them
// it only takes longer to get somewhere.
func KeyframesIn(folder string, l *Log, core [32]byte) *Keyframes {
	if folder == "" {
		return nil
	}
	k, err := OpenKeyframes(folder, l, core, 0)
	if err != nil {
		return nil
	}
	return k
}

// id names the log, by its head, which says which players began which game in which second,
// the core, and the format of keyframes.
func (l *Log) id(core [32]byte) (string, error) {
	b := make([]byte, l.headed)
	if _, err := l.file.ReadAt(b, 0); err != nil {
		return "", fmt.Errorf("recording %s: %w", l.Path, err)
	}
	sum := sha256.Sum256(append(append(b, core[:]...), keyMagic...))
	return hex.EncodeToString(sum[:12]), nil
}

// at is the place of a frame's keyframe in the list. The caller holds mu.
func (k *Keyframes) at(frame int64) (i int, found bool) {
	return slices.BinarySearchFunc(k.kept, frame, func(x keptKey, frame int64) int { return cmp.Compare(x.frame, frame) })
}

// note puts a keyframe into the list. The caller holds mu.
func (k *Keyframes) note(frame, size int64) {
	i, found := k.at(frame)
	if !found {
		k.kept = slices.Insert(k.kept, i, keptKey{frame: frame})
	}
	k.kept[i].size = size
}

// Frames are the frames of all keyframes, rising.
func (k *Keyframes) Frames() (list []int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, x := range k.kept {
		list = append(list, x.frame)
	}
	return list
}

// Before is the newest keyframe at or before a frame.
func (k *Keyframes) Before(frame int64) (int64, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	i, found := k.at(frame)
	if found {
		return frame, true
	}
	if i == 0 {
		return 0, false
	}
	return k.kept[i-1].frame, true
}

func (k *Keyframes) path(frame int64) string {
	return filepath.Join(k.dir, strconv.FormatInt(frame, 10)+keyExtension)
}

// Forget removes a keyframe that turned out to be useless. It is not kept again by
// these Keyframes.
func (k *Keyframes) Forget(frame int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.remove(frame)
	if k.bad == nil {
		k.bad = make(map[int64]bool)
	}
	k.bad[frame] = true
}

// Clear removes all of them.
func (k *Keyframes) Clear() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = nil
	return os.RemoveAll(k.dir)
}

// size returns the bytes that they take of the disk. The caller holds mu.
func (k *Keyframes) size() (n int64) {
	for _, x := range k.kept {
		n += x.size
	}
	return n
}

// Spacing returns the distance in frames at which keyframes of a log of some length have room, by the
// size of those that are there; 0 while there are none.
func (k *Keyframes) Spacing(length int64) int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.kept) == 0 || length <= 0 {
		return 0
	}
	size := k.size()/int64(len(k.kept)) + 1
	room := max(k.limit-k.limit/5, 1) // sizes vary
	return length * size / room
}

func (k *Keyframes) remove(frame int64) {
	if i, found := k.at(frame); found {
		k.kept = slices.Delete(k.kept, i, i+1)
	}
	_ = os.Remove(k.path(frame))
}

// Add keeps a keyframe, packed. It takes some 15 ms a state. Nothing is synced: a
// damaged one is noticed when it is read.
func (k *Keyframes) Add(key Keyframe) error {
	whole, err := key.encode()
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bad[key.Frame] {
		return nil
	}
	if err := k.makeRoom(int64(len(whole))); err != nil {
		return err
	}
	if err := writeWhole(k.path(key.Frame), whole); err != nil {
		return fmt.Errorf("keeping a keyframe: %w", err)
	}
	k.note(key.Frame, int64(len(whole)))
	return nil
}

func writeWhole(path string, b []byte) error {
	temp := path + ".part"
	err := os.WriteFile(temp, b, 0o600)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// makeRoom makes room in the cache: first other logs lose their keyframes, the longest
// unused first; then this one loses some of its own, where they stand closest.
func (k *Keyframes) makeRoom(size int64) error {
	used, others := k.used()
	own := k.size()
	for _, o := range others {
		if used+own+size <= k.limit {
			return nil
		}
		if err := os.RemoveAll(o.path); err != nil {
			return fmt.Errorf("making space for keyframes: %w", err)
		}
		used -= o.size
	}
	for own+size > k.limit {
		if len(k.kept) < 2 {
			return errors.New("no space for a keyframe")
		}
		x := k.dispensable()
		own -= x.size
		k.remove(x.frame)
	}
	return nil
}

// dispensable is the keyframe, but not the last one, that leaves the smallest gap.
func (k *Keyframes) dispensable() (best keptKey) {
	gap, before := int64(-1), int64(0)
	for i, x := range k.kept[:len(k.kept)-1] {
		if g := k.kept[i+1].frame - before; gap < 0 || g < gap {
			best, gap = x, g
		}
		before = x.frame
	}
	return best
}

type folder struct {
	path string
	size int64
	used time.Time
}

// used looks at what other logs' keyframes take, the longest unused first.
func (k *Keyframes) used() (total int64, others []folder) {
	dirs, _ := os.ReadDir(k.cache)
	for _, d := range dirs {
		path := filepath.Join(k.cache, d.Name())
		info, err := d.Info()
		if err != nil || !d.IsDir() || path == k.dir || len(d.Name()) != 24 {
			continue
		}
		f := folder{path: path, used: info.ModTime()}
		_ = filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				if info, err := e.Info(); err == nil {
					f.size += info.Size()
				}
			}
			return nil
		})
		total += f.size
		others = append(others, f)
	}
	slices.SortFunc(others, func(a, b folder) int { return a.used.Compare(b.used) })
	return total, others
}

// Load reads a keyframe.
func (k *Keyframes) Load(frame int64) (Keyframe, error) {
	b, err := os.ReadFile(k.path(frame))
	if err == nil {
		var key Keyframe
		if key, err = decodeKeyframe(b); err == nil && key.Frame != frame {
			err = fmt.Errorf("it is of frame %d", key.Frame)
		}
		if err == nil {
			return key, nil
		}
	}
	return Keyframe{}, fmt.Errorf("keyframe %s: %w", k.path(frame), err)
}
