package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof"
)

const shapeFile = "docs/shape.md"

var shapeCheck = Check{
	Name:   "shape",
	Guards: "docs/shape.md has the measures of each chapter, to a tenth, so that one that drifts shows in the diff",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		fresh, err := shape(t)
		if err != nil {
			return nil, err
		}
		if old, err := t.Read(shapeFile); err != nil || string(old) != fresh {
			return []Finding{{shapeFile, 0, "differs from the chapters", "go run ./scripts/check -fix shape"}}, nil
		}
		return nil, nil
	},
	Fix: func(_ context.Context, t *Tree) ([]string, error) {
		fresh, err := shape(t)
		if err != nil {
			return nil, err
		}
		did, err := t.Write(shapeFile, []byte(fresh))
		if did {
			return []string{shapeFile}, err
		}
		return nil, err
	},
}

const shapeHead = `# The shape of the chapters

<!-- Generated: go run ./scripts/check -fix shape. The last two columns are measured by hand and kept. -->

One row a chapter. A chapter that is longer, or has less proof, than its neighbours shows here. A figure stays until it is off by more
than a tenth, so that most changes leave this page alone. Minutes, words and blocks are the
lesson's; lines are lines of code; the harness is what demos and tests stand on. Of each exercise stand the words of its assignment and
its stages (–: it is graded as a whole); the second author's rates are how many of six wrong answers passed at first contact, and after
the grader was mended, and with stages of how many. Seconds are measured on 2 cores with a warm
cache: of ` + "`make test CH=NN`" + ` and of ` + "`make verify-exercises CH=NN`" + `.

| chapter | minutes | words | blocks | mechanism | harness | longest function | steps | tests | claims | assignments, words | stages | wrong | second author | tests, s | proofs, s |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
`

// shape makes the document anew. The measured seconds stay as they stand in it, and so does a figure that is near
// enough: else each sentence would change this page, and any two changes of a chapter would meet in its row.
func shape(t *Tree) (string, error) {
	var b strings.Builder
	b.WriteString(shapeHead)
	old, _ := t.Read(shapeFile)
	claims, err := loadClaims(t)
	if err != nil {
		return "", err
	}
	for _, chapter := range t.Chapters() {
		cells, err := measures(t, claims, chapter)
		if err != nil {
			return "", err
		}
		before := rowOf(string(old), chapter)
		for i := range min(len(cells), max(0, len(before)-2)) {
			if nearly(before[i], cells[i]) {
				cells[i] = before[i]
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", chapter, strings.Join(cells, " | "), seconds(before))
	}
	return b.String(), nil
}

// nearly says whether two cells differ by no more than a tenth, number by number.
func nearly(old, fresh string) bool {
	olds, freshes := strings.Split(old, ", "), strings.Split(fresh, ", ")
	if len(olds) != len(freshes) {
		return false
	}
	for i := range olds {
		n, err := strconv.Atoi(olds[i])
		m, err2 := strconv.Atoi(freshes[i])
		if errors.Join(err, err2) != nil && olds[i] != freshes[i] || max(n, m)-min(n, m) > m/10 {
			return false
		}
	}
	return true
}

// rowOf gives a chapter's cells as they stand, but for its name.
func rowOf(document, chapter string) []string {
	for line := range strings.Lines(document) {
		cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), " |"), " | ")
		if cells[0] == "| "+chapter {
			return cells[1:]
		}
	}
	return nil
}

// seconds gives the last two cells of a row as they stand.
func seconds(row []string) string {
	if n := len(row); n > 1 {
		return row[n-2] + " | " + row[n-1]
	}
	return "? | ?"
}

// measures gives the cells of a chapter, but for the chapter's name and the seconds.
func measures(t *Tree, claims *Claims, chapter string) ([]string, error) {
	minutes, words, blocks, err := lessonMeasures(t, chapter)
	if err != nil {
		return nil, err
	}
	mechanism, harness, longest, err := codeMeasures(t, chapter)
	if err != nil {
		return nil, err
	}
	steps, err := t.Match("chapters/" + chapter + "/step*.go")
	if err != nil {
		return nil, err
	}
	tests, err := testsOf(t, chapter)
	if err != nil {
		return nil, err
	}
	covered := 0
	for _, c := range claims.Claims {
		for _, in := range c.Chapters {
			if in == chapter {
				covered++
			}
		}
	}
	wrong, err := t.Match("solutions/" + chapter + "/*/wrong/**.go")
	if err != nil {
		return nil, err
	}
	exercises, err := exerciseMeasures(t, chapter)
	if err != nil {
		return nil, err
	}
	cells := []string{minutes}
	for _, n := range []int{words, blocks, mechanism, harness, longest, len(steps), tests, covered} {
		cells = append(cells, fmt.Sprint(n))
	}
	return append(cells, exercises.words, exercises.stages, fmt.Sprint(len(wrong)), exercises.rates), nil
}

func lessonMeasures(t *Tree, chapter string) (minutes string, words, blocks int, err error) {
	page, err := t.Page("chapters/" + chapter + "/README.md")
	if errors.Is(err, fs.ErrNotExist) {
		return "?", 0, 0, nil
	}
	if err != nil {
		return "", 0, 0, err
	}
	minutes = "?"
	if m := Header.FindSubmatch(page.Source); m != nil {
		minutes = string(m[2])
	}
	for _, text := range append(append([]Text{}, page.Texts...), page.Spans...) {
		words += len(strings.Fields(text.Value))
	}
	return minutes, words, len(page.Blocks), nil
}

func codeMeasures(t *Tree, chapter string) (mechanism, harness, longest int, err error) {
	folders, err := t.mechanismFolders(chapter)
	if err != nil {
		return 0, 0, 0, err
	}
	if mechanism, err = t.linesIn(folders...); err != nil {
		return 0, 0, 0, err
	}
	for _, dir := range folders {
		files, err := t.Match(dir + "/*.go")
		if err != nil {
			return 0, 0, 0, err
		}
		for _, file := range files {
			source, err := t.Read(file)
			if err != nil {
				return 0, 0, 0, err
			}
			functions, err := functionsOf(source)
			if err != nil || strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, f := range functions {
				longest = max(longest, f.Lines)
			}
		}
	}
	if folders, err = t.harnessFolders(chapter); err != nil {
		return 0, 0, 0, err
	}
	harness, err = t.linesIn(folders...)
	return mechanism, harness, longest, err
}

var testFunc = regexp.MustCompile(`(?m)^func Test[A-Z]\w*\(t \*testing\.T\)`)

// testsOf counts a chapter's tests, without those that grade exercises.
func testsOf(t *Tree, chapter string) (n int, err error) {
	files, err := t.Match("chapters/" + chapter + "/**/*_test.go")
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		if strings.HasPrefix(file, "chapters/"+chapter+"/exercises/") {
			continue
		}
		source, err := t.Read(file)
		if err != nil {
			return 0, err
		}
		n += len(testFunc.FindAll(source, -1))
	}
	return n, nil
}

// exerciseCells are what is told of each of a chapter's exercises.
type exerciseCells struct{ words, stages, rates string }

// exerciseMeasures gives the words of a chapter's assignments, their stages, and the second author's rates:
// "3, 1 → 0, 1/8, ?".
func exerciseMeasures(t *Tree, chapter string) (cells exerciseCells, err error) {
	exercises, err := t.Match("chapters/" + chapter + "/exercises/*/exercise.go")
	if err != nil {
		return cells, err
	}
	add := func(cell *string, text string) {
		if *cell != "" {
			text = ", " + text
		}
		*cell += text
	}
	for _, file := range exercises {
		source, err := t.Read(file)
		if err != nil {
			return cells, err
		}
		words, stages := "?", "–"
		if a, err := proof.ReadAssignment(source); err == nil {
			words = fmt.Sprint(a.Words)
			if len(a.Stages) > 0 {
				stages = fmt.Sprint(len(a.Stages))
			}
		}
		rates, err := ratesOf(t, "solutions/"+chapter+"/"+path.Base(path.Dir(file))+"/"+proof.SecondAuthorFile)
		if err != nil {
			return cells, err
		}
		add(&cells.words, words)
		add(&cells.stages, stages)
		add(&cells.rates, rates)
	}
	return cells, nil
}

// ratesOf gives the rates of an exercise's second authors: "1 → 0", or "1/8" of stages, or "?".
func ratesOf(t *Tree, file string) (string, error) {
	text, err := t.Read(file)
	if err != nil {
		return "?", nil // nobody has tried yet
	}
	parsed, err := proof.ParseSecondAuthor(text)
	if len(parsed) == 0 {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	var passed []string
	for _, rate := range parsed {
		n := fmt.Sprint(rate.Passed)
		if rate.Snapshots {
			n += fmt.Sprintf("/%d", rate.Wrong)
		}
		passed = append(passed, n)
	}
	return strings.Join(passed, " → "), nil
}
