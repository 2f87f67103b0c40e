// Package hint gives the hints of an exercise one after another: three levels, then the solution with its reasons.
package hint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// Levels is how many hints there are before the solution.
const Levels = 3

// A Hint is one level's text.
type Hint struct {
	Level int    // 1 to Levels, then Levels+1: the solution
	Text  string // Markdown
	Code  string // of the reference, with the solution
}

// Solution reports whether the hint is the solution itself.
func (h Hint) Solution() bool { return h.Level > Levels }

// Read reads one level of an exercise's HINTS.md.
func Read(e grader.Exercise, level int) (Hint, error) {
	if level < 1 || level > Levels+1 {
		return Hint{}, fmt.Errorf("there are hints 1 to %d; %d is the solution", Levels, Levels+1)
	}
	path := filepath.Join(e.Dir(), "HINTS.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return Hint{}, err
	}
	name := fmt.Sprintf("Hint %d", level)
	if level > Levels {
		name = "Solution"
	}
	body, ok := section(string(text), name)
	if !ok {
		return Hint{}, fmt.Errorf("%s has no section \"## %s\"", path, name)
	}
	h := Hint{Level: level, Text: body}
	if h.Solution() {
		code, err := e.Reference()
		if err != nil {
			return Hint{}, err
		}
		if stub.Regions(code) > 0 { // else it is withheld, and the stub stands there
			h.Code = strings.TrimSpace(readable(string(code)))
		}
	}
	return h, nil
}

func section(text, name string) (string, bool) {
	_, after, ok := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n## "+name+"\n")
	body, _, _ := strings.Cut(after, "\n## ")
	body = strings.TrimSpace(body)
	return body, ok && body != ""
}

var mark = regexp.MustCompile(`(?m)^[ \t]*//(solution:(begin|end)|stub:.*|todo:.*)\n`)

// readable leaves out the marks that the stub is made from.
func readable(code string) string { return mark.ReplaceAllString(code, "") }

// Next reads the level after the last one given, and remembers it below dir (the repository's .lab). After the
// solution comes the solution again.
func Next(e grader.Exercise, dir string) (Hint, error) {
	state := filepath.Join(dir, "hints", e.ID)
	last := 0
	text, err := os.ReadFile(state)
	if err == nil {
		last, _ = strconv.Atoi(strings.TrimSpace(string(text)))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Hint{}, err
	}
	h, err := Read(e, min(max(last, 0)+1, Levels+1))
	if err != nil {
		return Hint{}, err
	}
	if err := os.MkdirAll(filepath.Dir(state), 0o755); err != nil {
		return Hint{}, err
	}
	return h, os.WriteFile(state, []byte(strconv.Itoa(h.Level)+"\n"), 0o644)
}

// Forget begins again with the first hint.
func Forget(e grader.Exercise, dir string) error {
	err := os.Remove(filepath.Join(dir, "hints", e.ID))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
