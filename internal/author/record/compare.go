package record

import (
	"fmt"
	"regexp"
	"strings"
)

// uuid and namespace find such a name whole, or cut short where a line was. machine is chapter 16's finalizer of a
// machine, whose name is another one in each run.
var (
	sign      = regexp.MustCompile(`^\s*[><~=?!]\s`)
	uuid      = regexp.MustCompile(`\b[0-9a-f]{8}(?:-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|…)`)
	namespace = regexp.MustCompile(`\b(scratch-(?:\d\d|faults))-[a-z0-9]+\b`)
	machine   = regexp.MustCompile(`\b(scratch\.example\.com/machine)\.[a-z0-9]+\b`)
	octets    = regexp.MustCompile(`\b[0-9a-f]{2}(?: [0-9a-f]{2}){2,}\b`)
	chunk     = regexp.MustCompile(`^(\s*[><]?\s*)(?:[1-9a-f][0-9a-f]*)(\\r\\n)`)
	number    = regexp.MustCompile(`\b\d[\d.,:TZ]*\s?(?:ns|µs|us|ms|s|min|KB|MB|GB|kB|B|KiB|MiB)?\b`)
	digits    = regexp.MustCompile(`\d+`)
)

// Normalise gives the words of an output: see the package's comment.
func Normalise(output string) string {
	var b strings.Builder
	for line := range strings.Lines(output) {
		b.WriteString(normaliseLine(line))
	}
	return b.String()
}

func normaliseLine(line string) string {
	line = strings.TrimRight(line, "\n")
	line = chunk.ReplaceAllString(line, "${1}SIZE${2}")
	line = sign.ReplaceAllString(line, "")
	line = uuid.ReplaceAllString(line, "N")
	line = namespace.ReplaceAllString(line, "$1-N")
	line = machine.ReplaceAllString(line, "$1.N")
	line = octets.ReplaceAllString(line, "N")
	line = number.ReplaceAllString(line, "N")
	line = digits.ReplaceAllString(line, "N")
	line = strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '─' { // rules are as long as the rest of the line leaves them
			return -1
		}
		return r
	}, line)
	return line
}

// Compare says where the recorded output differs from a fresh one, or gives "".
func Compare(recorded, fresh string) string {
	want := Normalise(recorded)
	got := Normalise(fresh)
	if want == got {
		return ""
	}
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	return fmt.Sprintf("recorded: %q, now: %q", lineAt(recorded, at), lineAt(fresh, at))
}

// lineAt gives the line of an output that its n-th normalised byte is in.
func lineAt(output string, n int) string {
	for line := range strings.Lines(output) {
		n -= len(normaliseLine(line))
		if n < 0 {
			return strings.TrimSpace(line)
		}
	}
	return "(the end)"
}
