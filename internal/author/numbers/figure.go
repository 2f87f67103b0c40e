package numbers

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// scales are the units that a figure is written in, largest first.
var scales = map[string][]struct {
	name string
	size float64
}{
	"sec/op": {{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}},
	"B/op":   {{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}},
	"B/s":    {{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}},
}

// Format writes a value with a number of significant digits: "3.05 ms", "325 000".
func Format(value float64, unit string, digits int) string {
	for _, s := range scales[unit] {
		if math.Abs(value) >= s.size*(1-math.Pow10(-digits)/2) || s == scales[unit][len(scales[unit])-1] {
			return plain(value/s.size, digits) + " " + s.name
		}
	}
	return plain(value, digits)
}

// plain rounds to significant digits and sets spaces between thousands.
func plain(value float64, digits int) string {
	if value == 0 {
		return "0"
	}
	value, _ = strconv.ParseFloat(strconv.FormatFloat(value, 'e', digits-1, 64), 64) // rounded
	magnitude := int(math.Floor(math.Log10(math.Abs(value)))) + 1
	if magnitude < digits {
		return strconv.FormatFloat(value, 'f', digits-magnitude, 64)
	}
	whole := strconv.FormatFloat(value, 'f', 0, 64)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + " " + whole[i:]
	}
	return whole
}

// figure is a number at the end of a text, with the unit behind it if there is one.
var figure = regexp.MustCompile(`(\d{1,3}(?: \d{3})+|\d+(?:\.\d+)?)(?:[ \x{a0}](s|ms|µs|ns|GB|MB|kB|B))?[ \x{a0}]?$`)

// A Figure is a number as a text shows it.
type Figure struct {
	Text   string  // "330 000", "3.0 µs"
	Value  float64 // 330000, 3e-6
	Unit   string  // "µs", or ""
	Digits int     // significant ones: 2
}

// LastFigure reads the figure that a text ends with.
func LastFigure(text string) (Figure, bool) {
	m := figure.FindStringSubmatch(text)
	if m == nil {
		return Figure{}, false
	}
	digits := strings.ReplaceAll(m[1], " ", "")
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return Figure{}, false
	}
	f := Figure{Text: strings.TrimRight(m[0], " \u00a0"), Value: value * sizeOf(m[2]), Unit: m[2]}
	significant := strings.TrimLeft(strings.ReplaceAll(digits, ".", ""), "0")
	if !strings.Contains(digits, ".") {
		significant = strings.TrimRight(significant, "0")
	}
	f.Digits = max(1, len(significant))
	return f, true
}

func sizeOf(unit string) float64 {
	for _, list := range scales {
		for _, s := range list {
			if s.name == unit {
				return s.size
			}
		}
	}
	return 1
}

// In writes a value as the figure is written: in its unit, with as many significant digits.
func (f Figure) In(value float64) string {
	text := plain(value/sizeOf(f.Unit), f.Digits)
	if f.Unit != "" {
		text += " " + f.Unit
	}
	return text
}

// Shows reports whether the figure is the value, rounded to as many digits.
func (f Figure) Shows(value float64) bool {
	if f.Value == 0 {
		return value == 0
	}
	magnitude := int(math.Floor(math.Log10(f.Value))) + 1
	half := math.Pow10(magnitude-f.Digits) / 2
	return math.Abs(f.Value-value) <= half*(1+1e-9)
}

// Ratio writes how many times as much upstream's value is, for the unit's better direction: over 1, ours is better.
func Ratio(r Row) string {
	if !r.Ours.There || !r.Upstream.There || r.Ours.Value == 0 || r.Upstream.Value == 0 {
		return ""
	}
	ratio := r.Upstream.Value / r.Ours.Value
	if strings.HasSuffix(r.Unit, "/s") {
		ratio = 1 / ratio
	}
	return fmt.Sprintf("%.2f", ratio)
}
