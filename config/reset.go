package config

import "reflect"

// Changed returns the settings that are not as by default: their defaults as the file writes them, by
// their keys.
func (c Config) Changed() map[string]string {
	changed := map[string]string{}
	for _, f := range fields(schema(&c)) {
		if usual := format(f.usual); usual != format(f.ptr) {
			changed[f.key] = usual
		}
	}
	return changed
}

// Reset gives settings their defaults, by their keys: those for which key reports true. The address of the
// console stays, since games tie their saves to it.
func (c *Config) Reset(key func(string) bool) {
	for _, f := range fields(schema(c)) {
		if f.ptr != any(&c.Player.MAC) && key(f.key) {
			f.reset()
		}
	}
}

// Equal reports whether two settings are the same.
func (c Config) Equal(other Config) bool { return reflect.DeepEqual(c, other) }
