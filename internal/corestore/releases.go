package corestore

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// GitHub gives the releases of a project as a list of objects, the newest first. Of each
// these fields are read; "digest" is missing in releases of before the middle of 2025:
//
//	[{"tag_name": "v1.2.0", "draft": false, "prerelease": false,
//	  "published_at": "2025-01-05T20:14:05Z",
//	  "assets": [{"name": "melondsds_libretro-linux-x86_64-Release.zip", "size": 4800000,
//	              "digest": "sha256:9f...", "browser_download_url": "https://github.com/..."}]}]
//
// melonDS DS has an archive for each platform and sort of build.

const (
	maxReleases = 8 << 20 // melonDS DS's has some 40 KB for each release
	maxListed   = 100     // releases, and assets of each
)

// release and asset are the fields that are read.
type release struct {
	Tag        string  `json:"tag_name"`
	Draft      bool    `json:"draft"`
	Prerelease bool    `json:"prerelease"`
	Published  string  `json:"published_at"`
	Assets     []asset `json:"assets"`
}

type asset struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	Digest string `json:"digest"`
	URL    string `json:"browser_download_url"`
}

// decodeReleases reads a list of releases and returns the DS cores in it for a platform.
// Drafts and previews are left out.
func decodeReleases(source Source, at Platform, text []byte) (offers []Offer, err error) {
	if len(text) > maxReleases {
		return nil, fmt.Errorf("releases: %d bytes are too many", len(text))
	}
	var list []release
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("releases: %w", err)
	}
	if len(list) > maxListed {
		return nil, fmt.Errorf("releases: %d are too many", len(list))
	}
	for _, r := range list {
		if r.Draft || r.Prerelease {
			continue
		}
		of, err := r.offers(source, at)
		if err != nil {
			return nil, fmt.Errorf("releases: %.40q: %w", r.Tag, err)
		}
		offers = append(offers, of...)
	}
	return offers, nil
}

// offers returns the cores of one release.
func (r release) offers(source Source, at Platform) (offers []Offer, err error) {
	if len(r.Assets) > maxListed {
		return nil, fmt.Errorf("assets: %d are too many", len(r.Assets))
	}
	for _, a := range r.Assets {
		name, ok := at.coreOf(a.Name)
		if !ok {
			continue
		}
		o, err := a.offer()
		if err != nil {
			return nil, fmt.Errorf("asset %s: %w", a.Name, err)
		}
		o.Source, o.Name = source, name
		if o.Version, o.Date, err = r.build(); err != nil {
			return nil, err
		}
		offers = append(offers, o)
	}
	return offers, nil
}

// build returns the version and the day of a release.
func (r release) build() (version string, date time.Time, err error) {
	version = strings.TrimPrefix(r.Tag, "v")
	if err := checkText(version, maxVersion); err != nil || version == "" || strings.ContainsAny(version, " /") {
		return "", date, errors.New("tag_name is not a version")
	}
	if date, err = time.Parse(time.RFC3339, r.Published); err != nil {
		return "", date, errors.New("published_at is not a time")
	}
	return version, date.UTC().Truncate(24 * time.Hour), nil
}

// maxVersion is the limit of a version in letters.
const maxVersion = 40

// offer returns what an asset says of itself.
func (a asset) offer() (o Offer, err error) {
	if a.Size <= 0 || a.Size > MaxArchive {
		return o, fmt.Errorf("size %d is out of range", a.Size)
	}
	u, err := url.Parse(a.URL)
	if err != nil || len(a.URL) > maxText || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return o, errors.New("browser_download_url is not an address that begins with https://")
	}
	o.Size, o.URL = a.Size, a.URL
	if digest, ok := strings.CutPrefix(a.Digest, "sha256:"); ok {
		if o.SHA256, err = parseSHA256(digest); err != nil {
			return o, fmt.Errorf("digest %w", err)
		}
	}
	return o, nil
}

// architectures are the names that sources have for Go's, the one of libretro's folders first.
var architectures = map[string][]string{
	"amd64": {"x86_64"},
	"arm64": {"aarch64", "arm64"},
}

// systems are the names that releases have for Go's, where they differ.
var systems = map[string]string{"windows": "win32"}

// fill puts the platform into an address.
func (p Platform) fill(address string) string {
	arch := p.Arch
	if names := architectures[p.Arch]; names != nil {
		arch = names[0]
	}
	return strings.NewReplacer("{os}", p.OS, "{arch}", arch).Replace(address)
}

// coreOf returns the short name of the core that an asset is for this platform:
// "melondsds_libretro-linux-x86_64-Release.zip" is melondsds. Builds for the authors'
// own use, which end in "-Debug" or "-RelWithDebInfo", are none.
func (p Platform) coreOf(file string) (string, bool) {
	name, rest, ok := strings.Cut(file, "_libretro-")
	if !ok || !isCore(name) {
		return "", false
	}
	if rest, ok = strings.CutPrefix(rest, cmp.Or(systems[p.OS], p.OS)+"-"); !ok {
		return "", false
	}
	arch, ok := strings.CutSuffix(rest, ".zip")
	arch = strings.TrimSuffix(arch, "-Release")
	return name, ok && slices.Contains(architectures[p.Arch], arch)
}
