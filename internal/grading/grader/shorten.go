package grader

// The longest texts of a report. A learner's error may be a megabyte, and a message that nobody reads to its end helps
// nobody.
const (
	maxText  = 2000
	maxParts = 20
)

// shorten cuts the texts of a failure.
func (f *Failure) shorten() {
	for _, text := range []*string{&f.Test, &f.Expected, &f.Happened, &f.PointsTo, &f.Also} {
		*text = cut(*text, maxText)
	}
}

// shorten cuts what a test reported.
func (t *TestResult) shorten() {
	if t.Failure != nil {
		t.Failure.shorten()
	}
	t.FailedParts = t.FailedParts[:min(len(t.FailedParts), maxParts)]
	for i := range t.FailedParts {
		t.FailedParts[i] = cut(t.FailedParts[i], maxText)
	}
}

// cut shortens a text to n characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n--; n < 0 {
			return s[:i] + " ..."
		}
	}
	return s
}
