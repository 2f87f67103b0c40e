package symptoms

import "slices"

// Unexplained are records of errors that no row fits.
type Unexplained struct {
	Count int
	Lines []int  // where the first of them begin
	First string // the beginning of the first
}

// firstUnexplained is how many lines of them are kept.
const firstUnexplained = 8

// A record is what is known of the one at hand.
type record struct {
	line      int
	whole     bool // no line follows
	failed    bool
	explained bool
	begins    string // its first line's text, if it failed
	around    []*Hit
	rows      []int
}

// tells notes that a message stands in the record.
func (r *record) tells(h *Hit) {
	switch {
	case h.last == Around:
		if !slices.Contains(r.around, h) {
			r.around = append(r.around, h)
		}
	case !slices.Contains(r.rows, h.row):
		r.explained = true
		r.rows = append(r.rows, h.row)
	}
}

// begin begins a record with a line, or goes on with the one at hand: if the line has no beginning of a record, or the
// end of a message that began before it.
func (s *search) begin(t bare, goesOn bool) {
	if s.record.line == 0 || s.record.whole || !goesOn && (t.begins || t.stamped || t.opens) {
		s.end()
		s.record = record{line: s.log.Lines, whole: t.whole, around: s.record.around[:0], rows: s.record.rows[:0]}
	}
	if !s.record.failed && t.failed() {
		s.record.failed = true
		if s.log.Unexplained.Count == 0 {
			s.record.begins = around(t.bytes, 0, 0)
		}
	}
}

// end ends the record at hand.
func (s *search) end() {
	for _, h := range s.record.around {
		if h.Wraps == nil {
			h.Wraps = map[int]bool{}
		}
		for _, row := range s.record.rows {
			h.Wraps[row] = true
		}
	}
	if !s.record.failed || s.record.explained {
		return
	}
	u := &s.log.Unexplained
	if u.Count++; u.Count == 1 {
		u.First = s.record.begins
	}
	if len(u.Lines) < firstUnexplained {
		u.Lines = append(u.Lines, s.record.line)
	}
}
