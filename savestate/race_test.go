//go:build race

package savestate

func init() { sparse = 8 }
