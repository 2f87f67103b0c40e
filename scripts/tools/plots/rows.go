package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// section is the part of docs/numbers.md that is drawn.
const section = "## chapters/07-shared-informer/informer\n"

// series is one line of a plot: x is a number of objects.
type series struct {
	name   string
	colour string
	dashed bool
	points []point
}

type point struct{ x, y float64 }

// row is one benchmark of the page in one unit.
type row struct {
	objects        float64
	ours, upstream float64
}

// rowForm is a row: the benchmark, its number of objects, the unit, and the two cells.
var rowForm = regexp.MustCompile(`(?m)^\| (\S+)/objects=(\d+) \| (\S+) \| ([^|]*) \| ([^|]*) \|`)

// rows finds the rows of a benchmark, by the number of objects.
func rows(page []byte, benchmark, unit string) ([]row, error) {
	_, text, found := strings.Cut(string(page), section)
	if !found {
		return nil, fmt.Errorf("there is no section %q", strings.TrimSpace(section))
	}
	text, _, _ = strings.Cut(text, "\n## ")
	var all []row
	for _, m := range rowForm.FindAllStringSubmatch(text, -1) {
		if m[1] != benchmark || m[3] != unit {
			continue
		}
		r := row{}
		var err error
		if r.objects, err = strconv.ParseFloat(m[2], 64); err == nil {
			if r.ours, err = value(m[4]); err == nil {
				r.upstream, err = value(m[5])
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.TrimSpace(m[0]), err)
		}
		all = append(all, r)
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("%d rows of %s in %s: a line needs two at least", len(all), benchmark, unit)
	}
	slices.SortFunc(all, func(a, b row) int { return int(a.objects - b.objects) })
	return all, nil
}

// scales are the prefixes and units in which the page writes times.
var scales = map[string]float64{"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}

// value reads a cell: "36.5 ms ± 35%", "1 200 ± 0%".
func value(cell string) (float64, error) {
	text, _, _ := strings.Cut(cell, "±")
	fields := strings.Fields(text)
	scale := 1.0
	if n := len(fields); n > 1 {
		if s, isUnit := scales[fields[n-1]]; isUnit {
			scale, fields = s, fields[:n-1]
		}
	}
	number, err := strconv.ParseFloat(strings.Join(fields, ""), 64)
	if err != nil {
		return 0, fmt.Errorf("the cell %q is no number", cell)
	}
	return number * scale, nil
}

// source is what the informer is fed with: a part of the benchmark's name, and what the plot calls it.
type source struct{ name, text string }

// linesOf makes two lines for each source of a benchmark: ours and client-go's. y makes of what the page says what is
// drawn.
func linesOf(page []byte, benchmark, unit string, sources []source, y func(objects, value float64) float64) (
	[]series, error) {
	var all []series
	for _, from := range sources {
		found, err := rows(page, benchmark+"/source="+from.name, unit)
		if err != nil {
			return nil, err
		}
		book := series{name: "ours" + from.text, colour: ours, dashed: from.name == "http"}
		theirs := series{name: "client-go" + from.text, colour: upstream, dashed: book.dashed}
		for _, r := range found {
			book.points = append(book.points, point{r.objects, y(r.objects, r.ours)})
			theirs.points = append(theirs.points, point{r.objects, y(r.objects, r.upstream)})
		}
		all = append(all, book, theirs)
	}
	return all, nil
}
