package config

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// The kinds of sources of cores.
const (
	GitHubReleases = "github-releases" // a project's list of releases, as GitHub's API gives it
	LibretroIndex  = "libretro-index"  // a folder with a file .index-extended, as libretro's build server has it
)

// The real addresses, all of them.
const (
	melonDSDSReleases = "https://api.github.com/repos/JesseTG/melonds-ds/releases"
	libretroNightly   = "https://buildbot.libretro.com/nightly/{os}/{arch}/latest/"
)

// maxSource is the limit of a source in letters.
const maxSource = 512

// A CoreSource is a place where cores can be got.
type CoreSource struct {
	Kind    string // GitHubReleases or LibretroIndex
	Address string // begins with https://; {os} and {arch} stand for a machine's
}

// String returns the source as the settings have it.
func (s CoreSource) String() string { return s.Kind + " " + s.Address }

// Name returns a short name of the source, without its address, by which players tell each
// other where a core is from. A source that is none of the defaults is named by a sum of what
// the settings say, so that it has the same name only for players who have the same source.
func (s CoreSource) Name() string {
	switch s.Address {
	case melonDSDSReleases:
		return "melonds-ds"
	case libretroNightly:
		return "libretro"
	}
	sum := sha256.Sum256([]byte(s.String()))
	return fmt.Sprintf("%s-%x", s.Kind, sum[:4])
}

// ParseCoreSource reads what [CoreSource.String] writes.
func ParseCoreSource(text string) (CoreSource, error) {
	if why := whyCoreSource(text); why != "" {
		return CoreSource{}, fmt.Errorf("core.sources: %s", why)
	}
	kind, address, _ := strings.Cut(text, " ")
	return CoreSource{Kind: kind, Address: address}, nil
}

// defaultCoreSources are where players get cores unless they say otherwise: the core with
// local wireless from its authors, who tell versions, before libretro's builds of all cores.
func defaultCoreSources() []string {
	return []string{
		CoreSource{GitHubReleases, melonDSDSReleases}.String(),
		CoreSource{LibretroIndex, libretroNightly}.String(),
	}
}

func whyCoreSource(text string) string {
	if why := printable(1, maxSource)(text); why != "" {
		return why
	}
	kind, address, two := strings.Cut(text, " ")
	kinds := []string{GitHubReleases, LibretroIndex}
	switch u, err := url.Parse(address); {
	case !two || strings.Contains(address, " "):
		return fmt.Sprintf("%q is not a kind and an address", text)
	case !slices.Contains(kinds, kind):
		return fmt.Sprintf("%q is not a kind of source%s", kind, DidYouMean(kind, kinds))
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Sprintf("%q is not the address of a list of cores", address)
	case u.Scheme != "https":
		return fmt.Sprintf("%q does not begin with https://, and without TLS anybody on the way could send another core", address)
	}
	return ""
}
