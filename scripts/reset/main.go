// Reset writes the stub of an exercise anew: go run ./scripts/reset 01.2
//
// What was in exercise.go is kept under .lab/backup. Authors write stubs from changed reference solutions with -stubs.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/hint"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

func main() {
	stubs := flag.Bool("stubs", false, "for authors: write stubs and their hashes from the reference solutions")
	all := flag.Bool("all", false, "every exercise")
	withhold := flag.String("withhold", "", "for teachers: take the solutions out of the copy of this repository in "+
		"`folder`")
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage(repo.ByMake())) }
	flag.Parse()
	root, err := repo.Root()
	if err != nil {
		fail(err)
	}
	if *withhold != "" {
		if err := withholdFrom(root, *withhold); err != nil {
			fail(err)
		}
		return
	}
	if flag.NArg() == 0 && !*all && !*stubs {
		flag.Usage()
		os.Exit(2)
	}
	exercises, err := grader.Course{Root: root, Dir: root}.Find(flag.Args()...)
	if err != nil {
		fail(err)
	}
	code := 0
	for _, e := range exercises {
		if *stubs {
			err = writeStub(e)
		} else {
			err = reset(root, e)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "reset %s: %v\n", e.ID, err)
			code = 1
		}
	}
	os.Exit(code)
}

// usage is for who typed make, who can't do more with it, or for who typed go.
func usage(byMake bool) string {
	if byMake {
		return `usage: make reset EX=NN.N   write the stub of an exercise anew

Your file is copied to .lab/backup first.
`
	}
	return `usage: go run ./scripts/reset NN.N ...   write the stub of an exercise anew
       go run ./scripts/reset -all        ... of every exercise
       go run ./scripts/reset -stubs [NN|NN.N ...]
       go run ./scripts/reset -withhold COPY

Your file is copied to .lab/backup first. -stubs is for authors: it follows a changed
reference solution or test, and leaves a file alone that holds somebody's work. -withhold is for
teachers: it takes the solutions out of a copy of this repository, see docs/courses.md.
`
}

func reset(root string, e grader.Exercise) error {
	backup, err := e.Reset(time.Now())
	if err != nil {
		return err
	}
	fmt.Printf("%s  %s is the stub again\n", e.ID, e.File())
	if rel, err := filepath.Rel(root, backup); err == nil && backup != "" {
		fmt.Printf("      your file was kept; to have it back:\n      cp %s \\\n         %s\n", rel, e.File())
	}
	return hint.Restart(e, filepath.Join(root, ".lab"))
}

func writeStub(e grader.Exercise) error {
	changed, err := e.WriteStub()
	for _, path := range changed {
		fmt.Println("wrote", path)
	}
	return err
}

// withholdFrom refuses this repository itself: its solutions would be lost.
func withholdFrom(root, copied string) error {
	dir, err := filepath.Abs(copied)
	if err != nil {
		return err
	}
	here, err := os.Stat(root)
	if err != nil {
		return err
	}
	if there, err := os.Stat(dir); err != nil || os.SameFile(here, there) {
		return fmt.Errorf("-withhold %s: name a copy of this repository: git clone . COPY", copied)
	}
	exercises, err := grader.Course{Root: dir, Dir: dir}.Find()
	if err != nil {
		return err
	}
	for _, e := range exercises {
		if err := errors.Join(inside(dir, e.Dir()), inside(dir, e.SolutionDir())); err != nil {
			return err
		}
	}
	for _, e := range exercises {
		if err := e.Withhold(); err != nil {
			return fmt.Errorf("%s: %w", e.ID, err)
		}
	}
	// They prove the solutions, so without these they fail at each push of a student's.
	if err := os.RemoveAll(filepath.Join(dir, ".github", "workflows")); err != nil {
		return err
	}
	fmt.Printf("%d solutions are out of the files of %s, and so are the workflows that prove them; its git history "+
		"still has all (rm -r %s/.git)\n", len(exercises), copied, copied)
	return nil
}

// inside returns an error when the way from dir to a folder below it goes over a link: in a copy that links to its
// original, the solutions that would be removed are the original's.
func inside(dir, folder string) error {
	want, err := filepath.Rel(dir, folder)
	if err != nil {
		return err
	}
	from, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	to, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return err
	}
	if to != filepath.Join(from, want) {
		return fmt.Errorf("%s leads to %s, which is not in the copy: nothing was changed; make a copy without links: "+
			"git clone . COPY", folder, to)
	}
	return nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "reset:", err)
	os.Exit(2)
}
