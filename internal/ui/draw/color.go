package draw

// Color is a colour with its opacity, not premultiplied, 8 bits each.
type Color struct{ R, G, B, A uint8 }

// White and Black are opaque.
var (
	White = Color{255, 255, 255, 255}
	Black = Color{0, 0, 0, 255}
)

// RGB makes an opaque colour of 0xrrggbb.
func RGB(hex uint32) Color {
	return Color{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// Fade returns c with its opacity multiplied by a, which is 0 to 1.
func (c Color) Fade(a float32) Color {
	c.A = uint8(clamp(float32(c.A)*a+0.5, 0, 255))
	return c
}

// Mix returns the colour that lies between c and d: c for t = 0, d for t = 1.
func (c Color) Mix(d Color, t float32) Color {
	t = clamp(t, 0, 1)
	mix := func(a, b uint8) uint8 { return uint8(float32(a) + (float32(b)-float32(a))*t + 0.5) }
	return Color{mix(c.R, d.R), mix(c.G, d.G), mix(c.B, d.B), mix(c.A, d.A)}
}
