package grader

import (
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
	"time"
)

// A variant is one exercise.go to be graded, in a scratch folder of its own.
type variant struct {
	exercise Exercise
	source   []byte
	race     bool
	pristine bool   // the source is the stub, as it was handed out
	scratch  string // holds the overlaid file, the overlay and the test binary
}

func (v variant) binary() string { return filepath.Join(v.scratch, "exercise.test") }

// build compiles the exercise's tests with the variant's source.
func (v variant) build(ctx context.Context, limit time.Duration) (*Failure, error) {
	given, err := v.exercise.given()
	if err != nil {
		return nil, err
	}
	replace, err := v.overlay(given)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	overlay := filepath.Join(v.scratch, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return nil, err
	}
	// Stacks need neither symbols nor DWARF, and the linker is a fifth faster without. `go test` without -c does the
	// same.
	args := []string{"test", "-c", "-vet=off", "-mod=readonly", "-ldflags=-s -w",
		"-overlay", overlay, "-o", v.binary()}
	if v.race {
		args = append(args, "-race")
	}
	out, failure, err := v.compile(ctx, append(args, "./"+filepath.ToSlash(v.exercise.rel())), limit)
	var exit *exec.ExitError
	switch {
	case failure != nil && v.pristine:
		return nil, stubError(failure.Happened)
	case failure != nil || err == nil:
		return failure, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !errors.As(err, &exit):
		return nil, err
	}
	if v.pristine {
		return nil, stubError(out)
	}
	failure, sure := v.compileFailure(v.withoutScratch(out))
	// A file may hold the go command's words about a missing module too. What it imports, its stub does.
	sure = sure && !strings.Contains(out, missingModule)
	if !sure && !v.isWarm() {
		if err := v.warm(ctx); err != nil {
			return nil, err
		}
	}
	return failure, nil
}

var (
	errorLine   = regexp.MustCompile(`(?m)^(?:vet: )?(\S*?)([^/\s:]+\.go):(\d+)(?::\d+)?: (.*(?:\n\t.*)*)$`)
	moreErrors  = regexp.MustCompile(`(?m)too many errors$`)
	unknownPath = regexp.MustCompile(`no required module provides package (\S+?)[;:]|package (\S+) is not in std|` +
		`cannot find module providing package (\S+?)[;:]|use of internal package (\S+) not allowed`)
)

// compileFailure cuts the go command's output to what concerns the learner. It is sure if that names exercise.go; else
// the stub has to be built to know that it was no fault of the course.
func (v variant) compileFailure(out string) (f *Failure, sure bool) {
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
		if f := collision(text); f != nil && strings.Contains(text, "_test.go:") {
			f.Line = mine[0].line
			return f, true
		}
		f := compileFailure(mine[0].line, text)
		f.Also = andMore(len(mine) - 1)
		if moreErrors.MatchString(out) {
			f.Also = "more such errors"
		}
		return f, true
	}
	if len(theirs) > 0 {
		if f := collision(theirs[0].text); f != nil {
			return f, true
		}
	}
	if f := v.contractFailure(); f != nil {
		return f, true
	}
	if len(theirs) > 0 && !gaveUp.MatchString(theirs[0].text) { // the linker names any file
		return testsFailure(theirs[0].text), false
	}
	if f := crashFailure(out); f != nil {
		return f, false
	}
	return compilerFailure("exercise.go compiles", v.said(out)), false
}

// withoutScratch names the files in the scratch folder as they are there. The go command names them from the course's
// folder if that is shorter, as where both are in /tmp.
func (v variant) withoutScratch(out string) string {
	out = strings.ReplaceAll(out, v.scratch+string(filepath.Separator), "")
	if near, err := filepath.Rel(v.exercise.course.Root, v.scratch); err == nil {
		out = strings.ReplaceAll(out, near+string(filepath.Separator), "")
	}
	return out
}

// said is the first line of the go command's output that says something, without the folders of this machine.
func (v variant) said(out string) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			line = strings.ReplaceAll(v.withoutScratch(line), v.exercise.course.Root+"/", "")
			return "the go command says: " + cut(line, 300)
		}
	}
	return "the go command fails, and says nothing"
}

// contractFailure compares what the file declares with what the stub declares: the tests call these by name.
func (v variant) contractFailure() *Failure {
	given, err := v.exercise.given()
	if err != nil {
		return nil
	}
	want, have := declared(given.stub), declared(v.source)
	for _, name := range sortedKeys(want) {
		mine, ok := have[name]
		switch {
		case !ok:
			f := &Failure{Reason: ReasonCompile,
				Expected: "exercise.go declares " + want[name].shown + ", which the tests call",
				Happened: "exercise.go has no " + name}
			if len(given.stages) > 0 {
				f.Happened += ": restore it from the stub; it may stay so until its stage comes"
			}
			return f
		case mine.types != want[name].types:
			return &Failure{Reason: ReasonCompile,
				Expected: "the signature of the stub: " + want[name].shown,
				Happened: "exercise.go has another: " + mine.shown}
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
