package proof

import (
	"errors"
	"strings"
)

// A Header is the comment at the top of a wrong solution.
type Header struct {
	Misconception string // the belief, one sentence
	CaughtBy      string // the test that a learner is shown: TestName or TestName/subtest
	Message       string // a literal part of the message that a learner sees
}

// ParseHeader reads the comment that a wrong solution begins with. A field goes on over the comment lines after it.
func ParseHeader(source []byte) (Header, error) {
	var h Header
	var into *string
	for line := range strings.Lines(string(source)) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok {
			break
		}
		text = strings.TrimSpace(text)
		started := false
		for _, f := range []struct {
			name string
			to   *string
		}{{"Misconception:", &h.Misconception}, {"Caught by:", &h.CaughtBy}, {"Message:", &h.Message}} {
			if rest, ok := strings.CutPrefix(text, f.name); ok {
				into, started = f.to, true
				*into = strings.TrimSpace(rest)
			}
		}
		if !started && into != nil {
			*into = strings.TrimSpace(*into + " " + text)
		}
	}
	var missing []string
	for _, f := range []struct{ name, text string }{
		{"Misconception:", h.Misconception}, {"Caught by:", h.CaughtBy}, {"Message:", h.Message},
	} {
		if f.text == "" {
			missing = append(missing, f.name)
		}
	}
	if len(missing) > 0 {
		return h, errors.New("its comment at the very top of the file lacks " + strings.Join(missing, ", "))
	}
	return h, nil
}
