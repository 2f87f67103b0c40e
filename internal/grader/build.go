package grader

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A variant is one exercise.go to be graded, in a scratch folder of its own.
type variant struct {
	exercise Exercise
	source   []byte
	race     bool
	scratch  string // holds the overlaid file, the overlay and the test binary
}

func (v variant) binary() string { return filepath.Join(v.scratch, "exercise.test") }

// build compiles the exercise's tests with the variant's source. Given files come from the course, and files of
// somebody's own in the folder are left out.
func (v variant) build(ctx context.Context, given, strays []string) (*Failure, error) {
	source := filepath.Join(v.scratch, "exercise.go")
	if err := os.WriteFile(source, v.source, 0o600); err != nil {
		return nil, err
	}
	replace := map[string]string{}
	inModule := filepath.Join(v.exercise.course.Root, v.exercise.rel())
	replace[filepath.Join(inModule, "exercise.go")] = source
	for _, name := range given {
		replace[filepath.Join(inModule, name)] = filepath.Join(v.exercise.Dir(), name)
	}
	for _, name := range strays {
		replace[filepath.Join(inModule, name)] = ""
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	overlay := filepath.Join(v.scratch, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return nil, err
	}
	args := []string{"test", "-c", "-vet=off", "-overlay", overlay, "-o", v.binary()}
	if v.race {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+filepath.ToSlash(v.exercise.rel()))...)
	cmd.Dir = v.exercise.course.Root
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !errors.As(err, &exit):
		return nil, fmt.Errorf("start the go command: %w", err)
	}
	return v.compileFailure(out.String())
}

var (
	errorLine   = regexp.MustCompile(`(?m)^(?:vet: )?(\S*?)([^/\s:]+\.go):(\d+)(?::\d+)?: (.*(?:\n\t.*)*)$`)
	moreErrors  = regexp.MustCompile(`(?m)too many errors$`)
	unknownPath = regexp.MustCompile(`no required module provides package (\S+?)[;:]|package (\S+) is not in std|` +
		`cannot find module providing package (\S+?)[;:]|use of internal package (\S+) not allowed`)
)

// compileFailure cuts the go command's output to what concerns the learner.
func (v variant) compileFailure(out string) (*Failure, error) {
	type diagnostic struct {
		file, text string
		line       int
	}
	var mine, theirs []diagnostic
	for _, m := range errorLine.FindAllStringSubmatch(out, -1) {
		line, _ := strconv.Atoi(m[3])
		d := diagnostic{m[2], m[4], line}
		switch {
		case d.file == "exercise.go":
			mine = append(mine, d)
		case strings.HasSuffix(d.file, "_test.go"):
			theirs = append(theirs, d)
		}
	}
	if len(mine) > 0 {
		text := mine[0].text
		if m := unknownPath.FindStringSubmatch(text); m != nil {
			text = "imports " + strings.Join(m[1:], "") + ", which this exercise can't use"
		}
		f := compileFailure(mine[0].line, text)
		f.Also = andMore(len(mine) - 1)
		if moreErrors.MatchString(out) {
			f.Also = "more such errors"
		}
		return f, nil
	}
	if f := v.contractFailure(); f != nil {
		return f, nil
	}
	if len(theirs) > 0 {
		return &Failure{
			Reason:   ReasonCompile,
			Expected: "the tests compile with exercise.go",
			Happened: fmt.Sprintf("%s:%d: %s", theirs[0].file, theirs[0].line, oneLine(theirs[0].text)),
		}, nil
	}
	return nil, fmt.Errorf("go test -c failed for another reason than exercise.go:\n%s", strings.TrimSpace(out))
}

// contractFailure compares what the file declares with what the stub declares: the tests call these by name.
func (v variant) contractFailure() *Failure {
	stubText, err := v.exercise.Stub()
	if err != nil {
		return nil
	}
	want, have := declared(stubText), declared(v.source)
	for _, name := range sortedKeys(want) {
		signature, ok := have[name]
		switch {
		case !ok:
			return &Failure{Reason: ReasonCompile,
				Expected: "exercise.go declares " + want[name] + ", which the tests call",
				Happened: "exercise.go has no " + name}
		case signature != want[name]:
			return &Failure{Reason: ReasonCompile,
				Expected: "the signature of the stub: " + want[name],
				Happened: "exercise.go has another: " + signature}
		}
	}
	return nil
}

func compileFailure(line int, text string) *Failure {
	f := &Failure{Reason: ReasonCompile, Line: line, Expected: "exercise.go compiles", Happened: oneLine(text)}
	if line > 0 {
		f.Happened = fmt.Sprintf("exercise.go:%d: %s", line, f.Happened)
	}
	return f
}

func andMore(n int) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return "one more such error"
	}
	return fmt.Sprintf("%d more such errors", n)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
