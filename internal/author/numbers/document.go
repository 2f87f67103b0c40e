package numbers

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// File is the document, relative to the root.
const File = "docs/numbers.md"

// Picture is drawn from the document, and stands at its top.
const Picture = "docs/numbers.svg"

// cellDigits are the significant digits of a cell.
const cellDigits = 3

// A Page is the contents of docs/numbers.md.
type Page struct {
	Sections []Section
}

// A Section is what one package measured. Each says where and how: not all are measured on one machine.
type Section struct {
	Dir     string // "chapters/01-raw-watch/watch"
	Machine string // "linux/amd64, 2 cores, Intel ..., go1.26.8"
	Command string // that measured it
	Date    string // "2026-11-22"
	Rows    []Row
}

// Document writes the page.
func (p Page) Document() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `# Numbers

What the chapters build, measured beside upstream's in one process. Each cell is the median of several runs, and ± the
half of its 95%% confidence interval. The last column says how many times better ours is: 2.00 is half the time, half the
memory, or twice as much a second; below 1 upstream is better. The chapter says why.

Another machine has other times; ratios are steadier. %s writes this page.

![Two plots against the number of objects, 1,000 to 100,000: objects of the first list a second, and bytes kept for each.](numbers.svg)

*Chapter 07's informer beside client-go's: how fast the first list comes to a handler, and what is kept for an object besides it.*
`, "`make bench UPDATE=1`")
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n\nMeasured on %s with `%s`, on %s.\n\n", s.Dir, s.Date, s.Command, s.Machine)
		b.WriteString("| benchmark | unit | ours | upstream | better |\n|---|---|---|---|---|\n")
		for _, r := range s.Rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Benchmark, r.Unit, r.Ours.text(r.Unit),
				r.Upstream.text(r.Unit), cmp.Or(r.better, Ratio(r)))
		}
	}
	return []byte(b.String())
}

func (c Cell) text(unit string) string {
	if !c.There {
		return ""
	}
	text := Format(c.Value, unit, cellDigits)
	if c.Spread != "" {
		text += " ± " + c.Spread
	}
	return text
}

var (
	measuredForm = regexp.MustCompile("^Measured on (.*) with `(.*)`, on (.*)\\.$")
	rowForm      = regexp.MustCompile(`^\| (\S+) \| (\S+) \| (.*?) \| (.*?) \| (\S*) ?\|$`)
)

// Parse reads the page again. Values are as exact as the page shows them; the last column stays what it was, which was
// computed from more digits.
func Parse(text []byte) (Page, error) {
	var p Page
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if dir, ok := strings.CutPrefix(line, "## "); ok {
			p.Sections = append(p.Sections, Section{Dir: dir})
			continue
		}
		if m := measuredForm.FindStringSubmatch(line); m != nil && len(p.Sections) > 0 {
			s := &p.Sections[len(p.Sections)-1]
			s.Date, s.Command, s.Machine = m[1], m[2], m[3]
		}
		m := rowForm.FindStringSubmatch(line)
		if m == nil || len(p.Sections) == 0 || m[1] == "benchmark" || strings.HasPrefix(m[1], "---") {
			continue
		}
		row := Row{Benchmark: m[1], Unit: m[2], better: m[5]}
		var err error
		if row.Ours, err = readCell(m[3]); err == nil {
			row.Upstream, err = readCell(m[4])
		}
		if err != nil {
			return p, fmt.Errorf("%s: %s: %w", File, line, err)
		}
		last := &p.Sections[len(p.Sections)-1]
		last.Rows = append(last.Rows, row)
	}
	return p, nil
}

func readCell(text string) (Cell, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Cell{}, nil
	}
	value, spread, _ := strings.Cut(text, " ± ")
	f, ok := LastFigure(value)
	if !ok || f.Text != value {
		return Cell{}, fmt.Errorf("%q is no figure", value)
	}
	return Cell{Value: f.Value, Spread: spread, There: true}, nil
}

// Find returns the value that a citation names: "watch.Stream/size=270B/impl=ours events/s".
func (p Page) Find(name string) (value float64, err error) {
	benchmark, unit, ok := strings.Cut(name, " ")
	pkg, benchmark, dotted := strings.Cut(benchmark, ".")
	if !ok || !dotted {
		return 0, fmt.Errorf("%q is not PACKAGE.BENCHMARK/impl=ours UNIT", name)
	}
	benchmark, impl, _ := strings.Cut(benchmark, "/impl=")
	for _, s := range p.Sections {
		if s.Dir != pkg && !strings.HasSuffix(s.Dir, "/"+pkg) {
			continue
		}
		i := slices.IndexFunc(s.Rows, func(r Row) bool { return r.Benchmark == benchmark && r.Unit == unit })
		if i < 0 {
			continue
		}
		cell := s.Rows[i].Ours
		if impl == "upstream" {
			cell = s.Rows[i].Upstream
		}
		if cell.There {
			return cell.Value, nil
		}
	}
	return 0, fmt.Errorf("%s has no %q", File, name)
}

// Put replaces the section of a package, or adds it in order.
func (p *Page) Put(s Section) {
	for i := range p.Sections {
		if p.Sections[i].Dir == s.Dir {
			p.Sections[i] = s
			return
		}
	}
	p.Sections = append(p.Sections, s)
	slices.SortFunc(p.Sections, func(a, b Section) int { return strings.Compare(a.Dir, b.Dir) })
}
