package emucore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// fallbackCore is the core that Search.Find picks by default if there is none with local wireless.
const fallbackCore = "DeSmuME"

// ErrNoCore is matched by errors of a Search when there is no such core.
var ErrNoCore = errors.New("no DS core found")

// NoCoreError says where a core was looked for. It matches ErrNoCore.
type NoCoreError struct {
	Name     string   // what was asked for; "" for any
	Searched []string // folders, in order; some do not exist
	Found    []string // names of the cores that are there
	Problems []error  // files that look like DS cores but cannot be used
	AptLine  string   // what to type to get it; "" where Debian does not have it
}

func (e *NoCoreError) Error() string {
	s := ErrNoCore.Error()
	if e.Name != "" {
		s = fmt.Sprintf("no DS core %q found", e.Name)
	}
	s += fmt.Sprintf(" in %d folders", len(e.Searched))
	if len(e.Found) > 0 {
		s += ", only " + strings.Join(e.Found, ", ")
	}
	for _, p := range e.Problems {
		s += "; " + p.Error()
	}
	return s
}

// Is makes the error match ErrNoCore.
func (e *NoCoreError) Is(target error) bool { return target == ErrNoCore }

// Unwrap gives the problems for matching.
func (e *NoCoreError) Unwrap() []error { return e.Problems }

// A Search finds DS cores.
type Search struct {
	Folders []string // that are searched before SearchDirs
	// MayRun reports whether a core that was only looked at may be run to ask for its name; nil: all may. Others are
	// returned with [Core.Unopened] set.
	MayRun func(Core) bool
}

// All looks for DS cores in all folders, each of them once, and
// runs each that may in a worker to ask it its name. Cores with local wireless come
// first, then by name, then in the order of the folders. The errors are those of
// files that look like DS cores but cannot be used.
func (s Search) All(ctx context.Context) ([]Core, []error) { return s.in(ctx, allDirs(s.Folders)) }

// open inspects the core at a path, and asks for its name if it may be run.
func (s Search) open(ctx context.Context, path string) (Core, error) {
	c, err := LookAt(path)
	if err != nil || s.MayRun != nil && !s.MayRun(c) {
		return c, err
	}
	return c.ask(ctx)
}

// in is All for the given folders only.
func (s Search) in(ctx context.Context, dirs []string) ([]Core, []error) {
	var cores []Core
	var problems []error
	seen := map[string]bool{} // by path without links
	for _, dir := range dirs {
		paths, err := candidates(dir)
		if err != nil {
			problems = append(problems, fmt.Errorf("looking for cores: %w", err))
		}
		for _, path := range paths {
			real, err := filepath.EvalSymlinks(path)
			if err != nil || seen[real] {
				continue
			}
			seen[real] = true
			c, err := s.open(ctx, path)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			cores = append(cores, c)
		}
	}
	slices.SortStableFunc(cores, func(a, b Core) int {
		return cmp.Or(cmp.Compare(bit[uint8](b.Wireless), bit[uint8](a.Wireless)), strings.Compare(a.Name, b.Name))
	})
	return cores, problems
}

// Find returns the core a user means: a path, or a name in any case and
// spelling ("melonds", "DeSmuME", "desmume_libretro.so") of a core in one of the
// folders. "" is the default: the first core with local wireless, which is melonDS DS, or where none is
// there DeSmuME, or else the first of All. Without such a core it gives a *NoCoreError, but what is wrong where
// this machine could not run the cores to ask them.
func (s Search) Find(ctx context.Context, nameOrPath string) (Core, error) {
	if isPath(nameOrPath) {
		return s.open(ctx, nameOrPath)
	}
	all, problems := s.All(ctx)
	return s.Among(ctx, nameOrPath, all, problems)
}

// Among is Find for callers that already have the results of All, so that each core is run only once.
func (s Search) Among(ctx context.Context, nameOrPath string, all []Core, problems []error) (Core, error) {
	if isPath(nameOrPath) {
		return s.open(ctx, nameOrPath)
	}
	if err := ctx.Err(); err != nil {
		return Core{}, fmt.Errorf("looking for cores: %w", err)
	}
	if c, ok := pickCore(all, nameOrPath); ok {
		return c, nil
	}
	for _, p := range problems {
		if _, machine := errors.AsType[*machineError](p); machine {
			return Core{}, fmt.Errorf("looking for cores: %w", p)
		}
	}
	e := &NoCoreError{Name: nameOrPath, Searched: allDirs(s.Folders), Problems: problems, AptLine: aptLineFor(nameOrPath)}
	for _, c := range all {
		e.Found = append(e.Found, c.Name)
	}
	return Core{}, e
}

// ByHash returns the core with the given SHA-256 among the files that All would find.
// It runs only that one, if it may. If there is none, the error is a *NoCoreError.
func (s Search) ByHash(ctx context.Context, sha [32]byte) (Core, error) {
	where := allDirs(s.Folders)
	for _, path := range coreFiles(where) {
		if sum, _, err := inspectCore(path); err == nil && sum == sha {
			return s.open(ctx, path)
		}
		if err := ctx.Err(); err != nil {
			return Core{}, fmt.Errorf("looking for core %x: %w", sha[:4], err)
		}
	}
	return Core{}, &NoCoreError{Name: fmt.Sprintf("with SHA-256 %x", sha), Searched: where}
}

// aptLineFor returns the command that installs the core meant by a name, or "".
func aptLineFor(name string) string {
	if name == "" || matchCore(Core{Name: fallbackCore}, name) > 0 {
		return AptLine
	}
	return ""
}

// isPath reports whether s is a path and not a name: it contains a slash, or exists.
func isPath(s string) bool {
	if strings.ContainsRune(s, os.PathSeparator) {
		return true
	}
	st, err := os.Stat(s)
	return s != "" && err == nil && !st.IsDir()
}

// pickCore picks the best match of a name; of equal ones the first.
func pickCore(cores []Core, name string) (best Core, ok bool) {
	if name == "" {
		if i := slices.IndexFunc(cores, func(c Core) bool { return c.Wireless }); i >= 0 {
			return cores[i], true
		}
		if best, ok = pickCore(cores, fallbackCore); !ok && len(cores) > 0 {
			best, ok = cores[0], true
		}
		return best, ok
	}
	score := 0
	for _, c := range cores {
		if s := matchCore(c, name); s > score {
			best, score = c, s
		}
	}
	return best, score > 0
}

// matchCore says how well a name means a core: 0 not at all. A core that begins with
// the name counts more when it has local wireless, so that "melonds" is melonDS
// DS even where the older core melonDS, which has none, is there too.
func matchCore(c Core, name string) int {
	want := letters(strings.TrimSuffix(strings.ToLower(name), CoreSuffix))
	file := letters(strings.TrimSuffix(strings.ToLower(filepath.Base(c.Path)), CoreSuffix))
	lib := letters(c.Name)
	switch {
	case want == "":
		return 0
	case strings.HasSuffix(strings.ToLower(name), filepath.Ext(CoreSuffix)) && file == want:
		return 4
	case (strings.HasPrefix(lib, want) || strings.HasPrefix(file, want)) && c.Wireless:
		return 3
	case lib == want || file == want:
		return 2
	case strings.HasPrefix(lib, want) || strings.HasPrefix(file, want):
		return 1
	}
	return 0
}

// letters keeps the letters and digits of s, in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
