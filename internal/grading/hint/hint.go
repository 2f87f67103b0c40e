// Package hint gives the hints of an exercise one after another, and then the solution with its reasons; where an
// exercise has stages, those of the stage at hand.
package hint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// Levels is how many hints an exercise without stages has before its solution, and how many a stage has at most.
const Levels = 3

// A Hint is one level's text.
type Hint struct {
	Stage  grader.Stage // zero, where the exercise has none
	Level  int          // 1 to Levels, then one more: the solution
	Levels int
	Text   string // Markdown
	Code   string // with the solution: the reference, or what is there after the stage
}

// Solution reports whether the hint is the solution itself.
func (h Hint) Solution() bool { return h.Level > h.Levels }

// Read reads one level of an exercise's HINTS.md; of a stage, if the exercise has them.
func Read(e grader.Exercise, stage, level int) (Hint, error) {
	path := filepath.Join(e.Dir(), "HINTS.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return Hint{}, err
	}
	stages, err := e.Stages()
	if err != nil {
		return Hint{}, err
	}
	h, page, mark := Hint{Level: level, Levels: Levels}, strings.ReplaceAll(string(text), "\r\n", "\n"), "## "
	if len(stages) > 0 {
		if stage < 1 || stage > len(stages) {
			return Hint{}, fmt.Errorf("%s has stages 1 to %d, and no stage %d", e.ID, len(stages), stage)
		}
		h.Stage = stages[stage-1]
		if page, err = section(path, page, fmt.Sprintf("## Stage %d", stage)); err != nil {
			return Hint{}, err
		}
		mark = "### "
		h.Levels = strings.Count("\n"+page, "\n### Hint ")
	}
	if level < 1 || level > h.Levels+1 {
		return Hint{}, fmt.Errorf("there are hints 1 to %d; %d is the solution", h.Levels, h.Levels+1)
	}
	name := fmt.Sprintf("%sHint %d", mark, level)
	if h.Solution() {
		name = mark + "Solution"
		if h.Code, err = code(e, h.Stage, stages); err != nil {
			return Hint{}, err
		}
	}
	h.Text, err = section(path, page, name)
	return h, err
}

// section is what stands under a heading, up to the next of its kind.
func section(path, text, heading string) (string, error) {
	mark, _, _ := strings.Cut(heading, " ")
	_, after, ok := strings.Cut("\n"+text, "\n"+heading+"\n")
	body, _, _ := strings.Cut("\n"+after, "\n"+mark+" ")
	if body = strings.TrimSpace(body); !ok || body == "" {
		return "", fmt.Errorf("%s has no section %q", path, heading)
	}
	return body, nil
}

// code is what a solution is shown with: the partial solution of a stage, or the reference where all is done. Where the
// solutions are withheld it is "".
func code(e grader.Exercise, stage grader.Stage, stages []grader.Stage) (string, error) {
	if stage.Number < len(stages) {
		text, err := os.ReadFile(filepath.Join(e.SolutionDir(), "partial", fmt.Sprintf("stage%d.go", stage.Number)))
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		return readable(text), err
	}
	text, err := e.Reference()
	if err != nil || stub.Regions(text) == 0 { // the stub stands there
		return "", err
	}
	return readable(text), nil
}
