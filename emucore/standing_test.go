package emucore

import (
	"encoding/hex"
	"testing"
)

// TestStanding: a version counts for what was measured of it, and a file that was measured for
// more than its version.
func TestStanding(t *testing.T) {
	sum, err := hex.DecodeString(desmumeProfile().known.files[0])
	if err != nil || len(sum) != 32 {
		t.Fatalf("%v, %v", sum, err)
	}
	for _, tt := range []struct {
		core Core
		want Standing
	}{
		{Core{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte(sum)}, Proven},
		{Core{Name: "DeSmuME", Version: "SVN"}, Untried}, // every build calls itself that
		{Core{Name: "melonDS DS", Version: "1.2.0"}, Measured},
		{Core{Name: "melonDS DS", Version: "1.3.0"}, Likely},
		{Core{Name: "melonDS DS", Version: " v1.3.2 (RelWithDebInfo)"}, Likely},
		{Core{Name: "melonDS DS", Version: "1.30"}, Untried},
		{Core{Name: "melonDS DS", Version: "1.4.0"}, Untried},
		{Core{Name: "melonDS DS", Version: "1.1.8"}, Untried},
		{Core{Name: "melonDS DS"}, Untried},
		{Core{Name: "nobody's", Version: "1.2.0"}, Untried},
	} {
		if got := tt.core.Standing(); got != tt.want {
			t.Errorf("%s %q: %v, want %v", tt.core.Name, tt.core.Version, got, tt.want)
		}
	}
}
