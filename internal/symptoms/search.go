package symptoms

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
)

// A Found is a row whose messages stand in a log.
type Found struct {
	Row      *Row
	Messages []Hit // the most telling one first
}

// A Hit is one message of a row, and where it stands.
type Hit struct {
	*Message
	Count int   // lines
	Lines []int // the first of them
	First string
	// Wraps are the rows, by their lines on the page, of which messages stand in the same records. It is kept for a
	// row whose message stands around others.
	Wraps map[int]bool
}

// firstLines is how many line numbers a Hit keeps.
const firstLines = 3

// Telling says how unlikely it is that the row's most telling message stands in the log by chance.
func (f Found) Telling() int { return f.Messages[0].Telling() }

// Weak says that nothing but single words of the row stand in the log.
func (f Found) Weak() bool { return f.Messages[0].Weak() }

// A Log is what was seen of a log beside the messages.
type Log struct {
	Lines int
	Bytes int64
	// Nuls says that there are bytes that no text has.
	Nuls bool
	// Unexplained are the records of an error that no row says more of than that it is one.
	Unexplained Unexplained
}

// ErrUnreadable is returned for what is no text but could be made one.
var ErrUnreadable = errors.New("is no text that can be searched")

// window is how much of a line is looked at together. A longer line is looked at in windows that overlap, so that a
// line may have any length.
const (
	window  = 1 << 20
	overlap = 16 << 10
)

// Search reads a log to its end and gives the rows whose messages stand in it, the most telling one first.
func Search(rows []Row, log io.Reader) ([]Found, Log, error) {
	s := newSearch(rows)
	r := bufio.NewReaderSize(log, window)
	if err := sniff(r); err != nil {
		return nil, s.log, err
	}
	var rest []byte // of the line whose beginning was looked at
	for {
		part, err := r.ReadSlice('\n')
		s.log.Bytes += int64(len(part))
		if len(part) > 0 {
			if rest == nil {
				s.log.Lines++
			}
			text := part
			if rest != nil {
				text = append(rest, part...)
			}
			s.look(text, rest == nil)
			rest = nil
			if errors.Is(err, bufio.ErrBufferFull) {
				rest = slices.Clone(text[max(0, len(text)-overlap):])
			}
		}
		if err == io.EOF {
			s.log.Lines++ // below the last line there is nothing
			s.settle()
			s.end()
			s.log.Lines--
			return s.result(), s.log, nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, s.log, err
		}
	}
}

// sniff refuses what would be searched in vain.
func sniff(r *bufio.Reader) error {
	head, _ := r.Peek(3)
	for _, form := range []struct {
		magic, what string
	}{
		{"\x1f\x8b", "is compressed: gunzip it first, as in `gunzip -c FILE.gz | go run ./scripts/symptom`"},
		{"\xff\xfe", "is UTF-16, as PowerShell writes it: make it UTF-8 first, as in " +
			"`iconv -f UTF-16 -t UTF-8 FILE | go run ./scripts/symptom`"},
		{"\xfe\xff", "is UTF-16: make it UTF-8 first, as in " +
			"`iconv -f UTF-16 -t UTF-8 FILE | go run ./scripts/symptom`"},
	} {
		if bytes.HasPrefix(head, []byte(form.magic)) {
			return &unreadable{form.what}
		}
	}
	return nil
}

type unreadable struct{ what string }

func (u *unreadable) Error() string { return u.what }
func (u *unreadable) Unwrap() error { return ErrUnreadable }

// seen is what is known of one piece on the line at hand.
type seen struct {
	line     int // where it was seen last; of one that is broken over lines, where it ends
	begins   int // the line where it begins
	from, to int
	tried    int // the window in which it was looked for last
}

type search struct {
	rows     []Row
	log      Log
	window   int // the number of the one at hand
	pieces   map[*piece]*seen
	anchors  *index
	squeezed *index // for what is broken over lines: anchors without their spaces
	hits     map[*Message]*Hit
	users    map[*piece][]*Message
	anywhere map[*piece]int // on how many lines
	clean    []byte
	onLine   []*piece
	waits    []waiting
	tail     tail
	record   record
}

func newSearch(rows []Row) *search {
	s := &search{rows: rows, pieces: map[*piece]*seen{}, anchors: newIndex(), squeezed: newIndex(),
		hits: map[*Message]*Hit{}, users: map[*piece][]*Message{},
		anywhere: map[*piece]int{}}
	for _, row := range rows {
		for _, m := range row.Messages {
			s.users[m.first] = append(s.users[m.first], m)
			for _, p := range m.pieces() {
				s.pieces[p] = &seen{}
				s.anchors.add(p.anchor, p)
				if squeezed := strings.ReplaceAll(p.anchor, " ", ""); len(squeezed) > 2 && !p.weak() {
					s.squeezed.add(squeezed, p)
				}
			}
		}
	}
	return s
}

// look looks at a line, or at a window of it.
func (s *search) look(line []byte, begins bool) {
	s.log.Nuls = s.log.Nuls || bytes.IndexByte(line, 0) >= 0
	line = s.plain(line)
	s.window++
	on := s.find(line)
	var joined []byte
	across := on[len(on):]
	if begins {
		t := bareLine(line)
		joined, across = s.findAcross(t, across)
		s.settle()
		s.begin(t, len(across) > 0)
	}
	s.note(on, line)
	s.note(across, joined)
}

// find gives the pieces that stand on a line.
func (s *search) find(line []byte) []*piece {
	s.onLine = s.onLine[:0]
	s.anchors.each(line, func(p *piece, anchor int) {
		at := s.pieces[p]
		if at.line == s.log.Lines || at.tried == s.window {
			return
		}
		at.tried = s.window
		from := max(0, anchor-p.before-1) // one more, by which \b sees what is before
		if found := p.form.FindIndex(line[from:]); found != nil {
			at.line, at.begins, at.from, at.to = s.log.Lines, s.log.Lines, from+found[0], from+found[1]
			s.onLine = append(s.onLine, p)
			s.anywhere[p]++
		}
	})
	return s.onLine
}

// findAcross gives the pieces that begin on lines before this one and end on it.
func (s *search) findAcross(t bare, across []*piece) ([]byte, []*piece) {
	joined, joint := s.tail.join(t)
	if joined == nil {
		return nil, across
	}
	s.window++
	s.squeezed.each(s.tail.squeeze(joined), func(p *piece, _ int) {
		at := s.pieces[p]
		if at.line == s.log.Lines || at.tried == s.window {
			return
		}
		at.tried = s.window
		found := p.broken().FindIndex(joined)
		if found == nil || found[0] >= joint || found[1] <= joint+1 {
			return
		}
		at.line, at.from, at.to = s.log.Lines, found[0], found[1]
		at.begins = at.line - bytes.Count(joined[found[0]:joint+1], []byte("\n"))
		across = append(across, p)
		s.anywhere[p]++
	})
	return joined, across
}

// waiting is a message whose condition may be met by the next line: where a log has the error below the message.
type waiting struct {
	*Message
	line, begins int
	first        string
}

// note counts the messages whose first piece is one of these, of one text.
func (s *search) note(found []*piece, in []byte) {
	here := func(p *piece) bool { return s.pieces[p].line == s.log.Lines }
	for _, p := range found {
		for _, m := range s.users[p] {
			if s.covered(m, found) {
				continue
			}
			at := s.pieces[p]
			w := waiting{m, s.log.Lines, at.begins, ""}
			if s.hits[m] == nil { // the first is shown
				w.first = around(in, at.from, at.to)
			}
			switch {
			case slices.ContainsFunc(m.without, here):
			case m.has(here) && len(m.without) == 0:
				s.count(w)
			default:
				s.waits = append(s.waits, w)
			}
		}
	}
}

// has says whether one of each group of pieces is there.
func (m *Message) has(here func(*piece) bool) bool {
	return !slices.ContainsFunc(m.with, func(group []*piece) bool { return !slices.ContainsFunc(group, here) })
}

// settle decides about the messages of the line before.
func (s *search) settle() {
	if len(s.waits) == 0 || s.waits[0].line == s.log.Lines {
		return // none, or another window of their line
	}
	for _, w := range s.waits {
		// The next line is a part of the message, unless it begins another one of the kind.
		below := func(p *piece) bool {
			return s.pieces[p].line == w.line+1 && s.pieces[w.Message.first].line == w.line
		}
		either := func(p *piece) bool { return s.pieces[p].line == w.line || below(p) }
		if !slices.ContainsFunc(w.without, below) && w.has(either) {
			s.count(w)
		}
	}
	s.waits = s.waits[:0]
}

func (s *search) count(w waiting) {
	h := s.hits[w.Message]
	if h == nil {
		h = &Hit{Message: w.Message, First: w.first}
		s.hits[w.Message] = h
	}
	s.record.tells(h)
	if n := len(h.Lines); n > 0 && h.Lines[n-1] == w.begins {
		return // another window of the line
	}
	h.Count++
	if len(h.Lines) < firstLines {
		h.Lines = append(h.Lines, w.begins)
	}
}

// covered says that the message is here a part of another one, which says more.
func (s *search) covered(m *Message, found []*piece) bool {
	at := s.pieces[m.first]
	return len(m.with) == 0 && slices.ContainsFunc(found, func(p *piece) bool {
		other := s.pieces[p]
		return other.from <= at.from && at.to <= other.to && p.telling > m.first.telling &&
			strings.Contains(strings.ToLower(p.text), m.first.anchor)
	})
}

// plain undoes what wraps a message: the backslashes of JSON and of quoted values, also twice, and colours.
func (s *search) plain(line []byte) []byte {
	if bytes.IndexByte(line, '\\') < 0 && bytes.IndexByte(line, 0x1b) < 0 {
		return line
	}
	out := s.clean[:0]
	for i := 0; i < len(line); i++ {
		switch b := line[i]; {
		case b == 0x1b && i+1 < len(line) && line[i+1] == '[':
			for i++; i+1 < len(line) && (line[i] < 'A' || line[i] == '['); i++ {
			}
		case b != '\\':
			out = append(out, b)
		default:
			for i+1 < len(line) && line[i+1] == '\\' {
				i++
			}
			read, as := escaped(line[i+1:])
			if read == 0 {
				as = []byte{'\\'}
			}
			out, i = append(out, as...), i+read
		}
	}
	s.clean = out
	return out
}

// escaped reads what comes after a backslash.
func escaped(b []byte) (read int, as []byte) {
	if len(b) == 0 {
		return 0, nil
	}
	switch b[0] {
	case '"', '\'', '/':
		return 1, b[:1]
	case 'n', 't', 'r':
		return 1, []byte{' '}
	case 'u':
		for code, char := range map[string]string{"u003c": "<", "u003e": ">", "u0026": "&", "u0027": "'", "u0022": `"`,
			"u2026": "…"} {
			if len(b) >= len(code) && strings.EqualFold(string(b[:len(code)]), code) {
				return len(code), []byte(char)
			}
		}
	}
	return 0, nil
}

// around keeps the piece of a line that a reader is shown: from its beginning if that leaves room for the message.
func around(line []byte, from, to int) string {
	const before, after = 24, 200
	begin, mark := 0, ""
	if from > before {
		begin, mark = from-before, "... "
	}
	return mark + strings.ToValidUTF8(string(line[begin:min(len(line), to+after)]), "\uFFFD")
}

// result gives the rows that were found: first those that say what happened, then what is harmless by itself, then what
// stands around other messages, and last single words. Of each the most telling one is first; of rows that tell as
// much, the one whose message stands on more lines, and else in the page's order.
func (s *search) result() []Found {
	var all []Found
	for i := range s.rows {
		f := Found{Row: &s.rows[i]}
		for _, m := range s.rows[i].Messages {
			h := s.hits[m]
			if h != nil && s.holds(m, h.Count) {
				f.Messages = append(f.Messages, *h)
			}
		}
		if len(f.Messages) > 0 {
			slices.SortStableFunc(f.Messages, func(a, b Hit) int { return cmp.Compare(b.Telling(), a.Telling()) })
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.place(), b.place()), cmp.Compare(b.Telling(), a.Telling()),
			cmp.Compare(b.Messages[0].Count, a.Messages[0].Count))
	})
	return all
}

// place is the group that a row comes in.
func (f Found) place() int {
	if f.Weak() {
		return int(Around) + 1
	}
	return int(f.Row.Last)
}

// holds says whether the rest of the log has what the message needs, and not what answers it each time.
func (s *search) holds(m *Message, count int) bool {
	return !slices.ContainsFunc(m.elsewhere, func(p *piece) bool { return s.anywhere[p] == 0 }) &&
		!slices.ContainsFunc(m.answered, func(p *piece) bool { return s.anywhere[p] >= count })
}
