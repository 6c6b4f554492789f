package desync

// Point is a console's state after so many frames.
type Point struct {
	Frame  int64
	Hashes Hashes
}

// Trace has a console's states after some frames, rising.
type Trace []Point

// Difference is where two traces of one console part.
type Difference struct {
	Frame  int64 // frames done at the first point that differs
	Agreed int64 // frames done at the last common point before it; -1 for none
	Region Region
}

// First finds the first point at which two traces differ in some of the given regions, among the frames
// that are in both. Common is the number of points in both.
func First(a, b Trace, in ...Region) (d Difference, common int, differ bool) {
	d.Agreed = -1
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Frame < b[0].Frame:
			a = a[1:]
			continue
		case b[0].Frame < a[0].Frame:
			b = b[1:]
			continue
		}
		common++
		d.Frame = a[0].Frame
		for _, d.Region = range in {
			if a[0].Hashes[d.Region] != b[0].Hashes[d.Region] {
				return d, common, true
			}
		}
		d.Agreed = d.Frame
		a, b = a[1:], b[1:]
	}
	return Difference{Frame: -1, Agreed: d.Agreed}, common, false
}
