package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// SecondAuthorFile lies with an exercise's solutions and says how its grader met answers by somebody who knew the
// assignment alone:
//
//	first: 4 of 6 wrong passed, 1 of 2 right refused
//	second: 0 of 6 wrong passed, 0 of 2 right refused
//
// Of an exercise with stages two authors grow one program each, saved after each stage, and write two wrong ones a
// stage:
//
//	first: 0 of 8 snapshots refused, 2 of 16 wrong passed
//
// The second line is there if the first contact called for it, and is written after the grader was mended. If the
// second calls for it, there is a third, and so on: the last one is the gate.
const SecondAuthorFile = "second-author.txt"

// A Rate is how a grader judged the answers of one author.
type Rate struct {
	Passed, Wrong  int // of the wrong answers so many passed
	Refused, Right int // of the right ones so many did not
	Snapshots      bool
}

// Good reports whether a grader with this rate is good enough: of six wrong answers at most one passes, and no right
// one is refused. Of snapshots there are too few in one exercise to show how many wrong ones pass: that is for [Gate].
func (r Rate) Good() bool { return (6*r.Passed <= r.Wrong || r.Snapshots) && r.Refused == 0 }

// Gate is an error if of all exercises with stages together, each with its last rate, a right snapshot is refused or
// more than one of six wrong answers passes.
func Gate(last []Rate) error {
	var all Rate
	for _, r := range last {
		if r.Snapshots {
			all.Passed, all.Wrong = all.Passed+r.Passed, all.Wrong+r.Wrong
			all.Refused, all.Right = all.Refused+r.Refused, all.Right+r.Right
		}
	}
	if !all.Good() {
		all.Snapshots = true
		return fmt.Errorf("second authors of all exercises with stages: %s; none may be refused, and one of six pass", all)
	}
	return nil
}

func (r Rate) String() string {
	if r.Snapshots {
		return fmt.Sprintf("%d of %d snapshots refused, %d of %d wrong passed", r.Refused, r.Right, r.Passed, r.Wrong)
	}
	return fmt.Sprintf("%d of %d wrong passed, %d of %d right refused", r.Passed, r.Wrong, r.Refused, r.Right)
}

var rateLine = regexp.MustCompile(
	`^(first|second|third|fourth|fifth|sixth): (\d{1,3}) of (\d{1,3}) wrong passed, (\d{1,3}) of (\d{1,3}) right refused$`)

var snapshotLine = regexp.MustCompile(
	`^(first|second|third|fourth|fifth|sixth): (\d{1,3}) of (\d{1,3}) snapshots refused, (\d{1,3}) of (\d{1,3}) wrong passed$`)

// ordinals are what the lines begin with.
var ordinals = []string{"first", "second", "third", "fourth", "fifth", "sixth"}

// ReadSecondAuthor reads the exercise's [SecondAuthorFile]. That there is no file is an error that errors.Is finds
// fs.ErrNotExist in.
func ReadSecondAuthor(e grader.Exercise) ([]Rate, error) {
	text, err := os.ReadFile(filepath.Join(e.SolutionDir(), SecondAuthorFile))
	if err != nil {
		return nil, err
	}
	return ParseSecondAuthor(text)
}

// ParseSecondAuthor reads the text of a [SecondAuthorFile]. With an error for a rate that is not good enough it still
// returns the rates.
func ParseSecondAuthor(text []byte) ([]Rate, error) {
	var rates []Rate
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		m := rateLine.FindStringSubmatch(line)
		snapshots := m == nil
		if snapshots {
			m = snapshotLine.FindStringSubmatch(line)
		}
		if m == nil || len(rates) == len(ordinals) || m[1] != ordinals[len(rates)] {
			return nil, fmt.Errorf("%s: write \"first: 4 of 6 wrong passed, 1 of 2 right refused\", or of stages "+
				"\"first: 0 of 8 snapshots refused, 2 of 16 wrong passed\", and below it \"second: ...\" and \"third: ...\" "+
				"where they are due; this is none: %q", SecondAuthorFile, strings.TrimSpace(line))
		}
		var n [4]int
		for i := range n {
			n[i], _ = strconv.Atoi(m[2+i])
		}
		r := Rate{Passed: n[0], Wrong: n[1], Refused: n[2], Right: n[3]}
		if snapshots {
			r = Rate{Passed: n[2], Wrong: n[3], Refused: n[0], Right: n[1], Snapshots: true}
		}
		if r.Passed > r.Wrong || r.Refused > r.Right {
			return nil, fmt.Errorf("%s: %s is more than there are", SecondAuthorFile, r)
		}
		rates = append(rates, r)
	}
	if len(rates) == 0 {
		return nil, fmt.Errorf("%s is empty", SecondAuthorFile)
	}
	for i, r := range rates[1:] {
		if rates[i].Good() && !rates[i].Snapshots {
			return rates, fmt.Errorf("%s: after %s no rate is due, and there is another: %s", SecondAuthorFile, rates[i], r)
		}
	}
	last := len(rates) - 1
	switch good := rates[last].Good(); {
	case !good && last < len(ordinals)-1:
		return rates, fmt.Errorf("%s: %s: mend the grader, let another author try, and add the line \"%s: ...\"; of six "+
			"wrong answers one may pass, and no right one may be refused", SecondAuthorFile, rates[last], ordinals[last+1])
	case !good:
		return rates, fmt.Errorf("%s: six authors have tried, and %s: the exercise is to be thought over", SecondAuthorFile,
			rates[last])
	}
	return rates, nil
}
