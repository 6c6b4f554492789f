package report

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/nettplay/nettplay/internal/measuring/netbench"
)

// contender is one of those that a picture compares.
type contender struct {
	name  string
	color color.RGBA
	side  func(r *netbench.Row) *netbench.Side
}

var contenders = []contender{
	{"nettplay", color.RGBA{0xc0, 0x39, 0x2b, 0xff}, func(r *netbench.Row) *netbench.Side { return &r.New }},
	{"bare ENet", color.RGBA{0x1f, 0x61, 0x8d, 0xff}, func(r *netbench.Row) *netbench.Side { return &r.Floor }},
	{"ideal", color.RGBA{0x7f, 0x8c, 0x8d, 0xff}, func(r *netbench.Row) *netbench.Side { return &r.Ideal }},
	{"other build", color.RGBA{0xd6, 0x89, 0x10, 0xff}, func(r *netbench.Row) *netbench.Side { return r.Old }},
}

// measured are the figures of a contender in a row, nil for none.
func (c *contender) measured(r *netbench.Row) *netbench.Side {
	if s := c.side(r); r.Err == nil && s != nil && s.Lates.Inputs > 0 {
		return s
	}
	return nil
}

// Pictured are the cases whose distributions are drawn, as far as they were measured.
var Pictured = []string{"50j10l0", "50j10l5", "150j30l5", "burst10", "bloat100", "50j10l5x4"}

// Picture is one in a file of docs/images.
type Picture struct {
	Name string // of the file
	SVG  []byte
}

// Pictures draws the distributions.
func Pictures(rows []netbench.Row) ([]Picture, error) {
	var list []Picture
	for _, p := range []struct {
		name string
		draw func(rows []netbench.Row) ([]byte, error)
	}{
		{"netbench-late.svg", lateness},
		{"netbench-ways.svg", tiles("longer ways, %", "way of an input, ms", func(s *netbench.Side) []float64 { return s.Way.MS })},
		{"netbench-gaps.svg", tiles("longer gaps, %", "gap between the others' shown frames, ms", func(s *netbench.Side) []float64 { return s.Others.MS })},
	} {
		svg, err := p.draw(rows)
		if err != nil {
			return list, fmt.Errorf("draw %s: %w", p.name, err)
		}
		if svg != nil {
			list = append(list, Picture{p.name, svg})
		}
	}
	return list, nil
}

const (
	tileWidth  = 12 * vg.Centimeter
	tileHeight = 7.5 * vg.Centimeter
	rowHeight  = 0.42 * vg.Centimeter
)

// lateness has a line for each case with the delay that it needs.
func lateness(rows []netbench.Row) ([]byte, error) {
	list := slices.DeleteFunc(slices.Clone(rows), func(r netbench.Row) bool { return r.Err != nil })
	if len(list) == 0 {
		return nil, nil
	}
	slices.Reverse(list) // the first is on top
	p := newPlot("Input delay with which one input in 2,000 is late", "frames", "")
	var names []string
	for _, r := range list {
		names = append(names, r.Case.Name)
	}
	p.NominalY(names...)
	p.Y.Tick.Label.XAlign = draw.XRight
	p.Y.Min, p.Y.Max = -0.7, float64(len(list))-0.3
	p.X.Min = 0
	p.Add(grid(true))
	for k, c := range contenders {
		var dots plotter.XYs
		for i := range list {
			if s := c.measured(&list[i]); s != nil { // above each other, so that all are seen
				dots = append(dots, plotter.XY{X: exact(s), Y: float64(i) + 0.18*float64(1-k)})
			}
		}
		if len(dots) == 0 {
			continue
		}
		s, err := plotter.NewScatter(dots)
		if err != nil {
			return nil, err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: c.color, Radius: 2.2, Shape: draw.CircleGlyph{}}
		p.Add(s)
		p.Legend.Add(c.name, s)
	}
	p.X.Max *= 1.02
	return svg(1, []*plot.Plot{p}, 1.4*tileWidth, vg.Length(len(list))*rowHeight+3*vg.Centimeter)
}

// tiles draws a tile for each pictured case: of each contender's values, the share that is above
// each value, on a logarithmic scale.
func tiles(y, x string, values func(s *netbench.Side) []float64) func(rows []netbench.Row) ([]byte, error) {
	return func(rows []netbench.Row) ([]byte, error) {
		var list []*plot.Plot
		for _, name := range Pictured {
			i := slices.IndexFunc(rows, func(r netbench.Row) bool { return r.Err == nil && r.Case.Name == name })
			if i < 0 {
				continue
			}
			p, err := tile(&rows[i], y, x, values)
			if err != nil {
				return nil, err
			}
			list = append(list, p)
		}
		if len(list) == 0 {
			return nil, nil
		}
		return svg(2, list, tileWidth, tileHeight)
	}
}

func tile(r *netbench.Row, y, x string, values func(s *netbench.Side) []float64) (*plot.Plot, error) {
	p := newPlot(r.Case.Words, x, y)
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, shares{}
	p.Y.Min, p.Y.Max = 0.01, 100
	p.Add(grid(false))
	for _, c := range contenders {
		s := c.measured(r)
		if s == nil || len(values(s)) == 0 {
			continue
		}
		line, err := plotter.NewLine(above(values(s)))
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = c.color, 1.2
		p.Add(line)
		p.Legend.Add(c.name, line)
	}
	return p, nil
}

// above are for an ascending list the percentages above each of its values, thinned out to what
// can be seen.
func above(list []float64) (points plotter.XYs) {
	const most = 400
	last := math.Inf(1)
	for i, v := range list {
		share := 100 * float64(len(list)-i) / float64(len(list))
		if share < 0.01 || math.Log10(last/share) < 4.0/most && i > 0 && i < len(list)-1 {
			continue
		}
		last = share
		points = append(points, plotter.XY{X: v, Y: share})
	}
	return points
}

// shares are the ticks of a logarithmic axis of percentages.
type shares struct{}

// Ticks implements plot.Ticker.
func (shares) Ticks(least, most float64) (list []plot.Tick) {
	for v := 0.01; v <= 100.001; v *= 10 {
		if v >= least*0.999 && v <= most*1.001 {
			list = append(list, plot.Tick{Value: v, Label: fmt.Sprintf("%.4g", v)})
		}
	}
	return list
}

// wholeTicks are the usual ticks, with whole numbers.
type wholeTicks struct{}

// Ticks implements plot.Ticker.
func (wholeTicks) Ticks(least, most float64) []plot.Tick {
	list := plot.DefaultTicks{}.Ticks(least, most)
	for i, t := range list {
		if t.Label != "" {
			list[i].Label = fmt.Sprintf("%.4g", t.Value)
		}
	}
	return list
}

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	sans := font.Font{Typeface: "Liberation", Variant: "Sans", Size: 9}
	for _, f := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		*f = sans
	}
	p.Title.TextStyle.Font.Size = 11
	p.Title.Padding = 4
	p.X.Tick.Marker = wholeTicks{}
	p.Legend.Padding = 2
	p.Legend.Top, p.Legend.XOffs, p.Legend.YOffs = true, -8, -4
	return p
}

// grid draws lines behind the figures; across also for each entry.
func grid(across bool) *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = color.Gray{0xdd}, color.Gray{0xdd}
	if across {
		g.Horizontal.Color = color.Gray{0xee}
	}
	return g
}

// svg draws plots in so many columns.
func svg(columns int, plots []*plot.Plot, width, height vg.Length) ([]byte, error) {
	lines := (len(plots) + columns - 1) / columns
	canvas := vgsvg.New(width*vg.Length(columns), height*vg.Length(lines))
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	table := draw.Tiles{Cols: columns, Rows: lines, PadX: 12, PadY: 12, PadTop: 8, PadBottom: 6, PadLeft: 6, PadRight: 10}
	for i, p := range plots {
		p.Draw(table.At(all, i%columns, i/columns))
	}
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	return b.Bytes(), err
}
