// Wrong makes a wrong solution of somebody's answer: go run ./scripts/wrong -file submission.go -name readall 01.2
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/racedetector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

const usage = `usage: go run ./scripts/wrong -file answer.go -name belief NN.N

For authors and teachers. Writes solutions/NN-name/N-slug/wrong/belief.go: a header, and only the
declarations in which the answer differs from a right solution, that which leaves the fewest lines.
It runs the graded tests once, and fills in the test that catches the answer and its message.
A header that the answer has is kept; a file that is there is not replaced without -force.

`

func main() {
	var a arguments
	flag.StringVar(&a.file, "file", "", "the answer, a whole exercise.go")
	flag.StringVar(&a.name, "name", "", "a few words for the `belief`, in small letters, with dashes")
	flag.StringVar(&a.base, "base", "", "the right `solution` to cut from: reference or alt/SLUG (default: which "+
		"leaves least)")
	flag.BoolVar(&a.force, "force", false, "replace the file")
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage); flag.PrintDefaults() }
	flag.Parse()
	if a.file == "" || a.name == "" || flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root, err := repo.Root()
	if err == nil {
		a.selector = flag.Arg(0)
		err = contribute(ctx, grader.Course{Root: root, Dir: root}, a)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "wrong:", err)
		os.Exit(1)
	}
}

type arguments struct {
	selector, file, name, base string
	force                      bool
}

var beliefForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func contribute(ctx context.Context, course grader.Course, a arguments) error {
	if !beliefForm.MatchString(a.name) {
		return fmt.Errorf("%q is no name: small letters, digits and dashes, as close-after-do", a.name)
	}
	exercises, err := course.Find(a.selector)
	if err != nil {
		return err
	}
	if len(exercises) != 1 {
		return fmt.Errorf("%s is a chapter: name one exercise, as %s", a.selector, exercises[0].ID)
	}
	e := exercises[0]
	file := proof.SolutionPath(e, "wrong/"+a.name+".go")
	path := filepath.Join(course.Dir, filepath.FromSlash(file))
	if _, err := os.Stat(path); err == nil && !a.force {
		return fmt.Errorf("%s is there already: take another name, or replace it with -force", file)
	}
	source, err := os.ReadFile(a.file)
	if err != nil {
		return err
	}
	c := proof.Contribution{Exercise: e, Path: a.file, Source: source, Base: a.base}
	text, err := c.Cut()
	if err != nil {
		return err
	}
	race, _ := racedetector.Available(ctx)
	text, verdict, err := c.Grade(ctx, text, proof.Options{Race: race})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	report(e, file, text, verdict)
	return nil
}
