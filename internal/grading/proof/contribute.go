package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof/overlay"
)

// Unwritten stands where a person still has to write.
const Unwritten = "⟨to be written⟩"

// A Contribution is a wrong answer on its way to a wrong solution.
type Contribution struct {
	Exercise grader.Exercise
	Path     string // of the answer, as messages name it
	Source   []byte
	Base     string // the right solution to cut it from; empty for the one that leaves least
}

// Cut writes the answer as an overlay of the right solution that leaves the fewest lines. The header is the answer's
// own, if it has one; what that lacks is marked as unwritten. It refuses a right answer, and one that does not parse.
func (c Contribution) Cut() (text []byte, err error) {
	whole, err := overlay.Parse(c.Path, c.Source)
	if err != nil {
		return nil, err
	}
	r := newReader(c.Exercise)
	r.right("exercise.go")
	r.each("alt", "*/exercise.go", r.right)
	for _, s := range r.all {
		if stub.Same(s.Source, c.Source) {
			return nil, fmt.Errorf("%s is the same program as %s, which is right", c.Path, s.Name)
		}
	}
	if stubText, err := c.Exercise.Stub(); err == nil {
		if stub.Same(stubText, c.Source) {
			return nil, fmt.Errorf("%s is the stub: nothing was written into it", c.Path)
		}
		if whole, err = overlay.Parse(c.Path, withoutTODOs(c.Source, stubText)); err != nil {
			return nil, err
		}
	}
	names := slices.Sorted(maps.Keys(r.bases)) // the reference comes last, and wins when it leaves as little
	if c.Base != "" {
		if r.bases[c.Base] == nil {
			return nil, fmt.Errorf("%q is no right solution of %s; there are: %s", c.Base, c.Exercise.ID,
				strings.Join(names, ", "))
		}
		names = []string{c.Base}
	}
	var refused []error
	for _, name := range names {
		h := complete(overlay.ReadHeader(c.Source))
		if h.Base = name; name == reference {
			h.Base = ""
		}
		one, err := overlay.Cut(r.bases[name], whole, h)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		if text == nil || bytes.Count(one, []byte("\n")) <= bytes.Count(text, []byte("\n")) {
			text = one
		}
	}
	if text == nil {
		return nil, errors.Join(refused...)
	}
	return text, nil
}

// withoutTODOs is an answer without the comments that the stub has where something is to be written.
func withoutTODOs(answer, stubText []byte) []byte {
	todos, inTodo := map[string]bool{}, false
	for line := range strings.Lines(string(stubText)) {
		text := strings.TrimSpace(line)
		inTodo = strings.HasPrefix(text, "// TODO: ") || inTodo && strings.HasPrefix(text, "//")
		if inTodo {
			todos[text] = true
		}
	}
	var kept []byte
	for line := range bytes.Lines(answer) {
		if !todos[string(bytes.TrimSpace(line))] {
			kept = append(kept, line...)
		}
	}
	return kept
}

// complete marks what a header lacks.
func complete(h overlay.Header) overlay.Header {
	if h.Misconception+h.Breaks == "" {
		h.Misconception = Unwritten
	}
	for _, field := range []*string{&h.CaughtBy, &h.Message} {
		if *field == "" {
			*field = Unwritten
		}
	}
	return h
}

// Grade runs the graded tests on the answer and writes into the overlay what a learner is shown: the test that catches
// it and the message, where the header does not have them yet. It returns the verdict, too.
func (c Contribution) Grade(ctx context.Context, text []byte, o Options) ([]byte, grader.Result, error) {
	res := grader.Judge(ctx, c.Exercise, c.Source, 1, grader.Options{Race: o.Race, Limits: o.Limits})
	switch {
	case res.Status == grader.Errored:
		return nil, res, errors.New(res.Error)
	case res.Failure == nil:
		return text, res, nil
	case res.Failure.Reason == grader.ReasonCompile || res.Failure.Reason == grader.ReasonFile:
		return nil, res, fmt.Errorf("%s: %s", c.Path, res.Failure.Text())
	}
	h := overlay.ReadHeader(text)
	if h.CaughtBy == Unwritten {
		h.CaughtBy = res.Failure.Test
	}
	if h.Message == Unwritten {
		if h.Message = "Happened: " + res.Failure.Happened; res.Failure.PointsTo != "" {
			h.Message = "Points to: " + res.Failure.PointsTo
		}
	}
	return overlay.WithHeader(text, h), res, nil
}
