// Hint gives the next hint of an exercise: go run ./scripts/hint 01.2
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/hint"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// width of the terminal that the text is filled to.
const width = 98

func main() {
	level := flag.Int("level", 0, "this hint, 1 and up, instead of the next one")
	stage := flag.Int("stage", 0, "of this stage, instead of the one that grade found at hand")
	again := flag.Bool("restart", false, "begin again with hint 1")
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, usage(repo.ByMake()))
		if !repo.ByMake() {
			flag.PrintDefaults()
		}
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), *stage, *level, *again); err != nil {
		fmt.Fprintln(os.Stderr, "hint:", err)
		os.Exit(2)
	}
}

// usage says how to ask for a hint, in the words of make or of go.
func usage(byMake bool) string {
	typed := "go run ./scripts/hint [-stage N] [-level N] [-restart] NN.N"
	if byMake {
		typed = "make hint EX=NN.N [STAGE=N] [LEVEL=N]"
	}
	return "usage: " + typed + `

Each call gives one hint more: hint 1, 2, 3, and then the solution with its reasons. Where an
exercise has stages, these are the hints of the stage at hand, and its solution. A level asks
for one of them, also for one that you have had.
`
}

func run(w io.Writer, id string, stage, level int, restart bool) error {
	root, err := repo.Root()
	if err != nil {
		return err
	}
	exercises, err := grader.Course{Root: root, Dir: root}.Find(id)
	if err != nil {
		return err
	}
	if len(exercises) != 1 {
		return fmt.Errorf("%s has %d exercises; name one, like %s", id, len(exercises), exercises[0].ID)
	}
	return give(w, exercises[0], filepath.Join(root, ".lab"), stage, level, restart)
}

// give gives a hint, and keeps in the folder state which was the last.
func give(w io.Writer, e grader.Exercise, state string, stage, level int, restart bool) error {
	if restart {
		if err := hint.Forget(e, state); err != nil {
			return err
		}
	}
	if stages, all := hint.AllPassed(e, state); all && stage == 0 && level == 0 && !restart {
		return printPassed(w, e, stages)
	}
	asked := stage != 0 || level != 0
	if stage == 0 {
		stage = hint.AtHand(e, state)
	}
	var h hint.Hint
	var err error
	if level != 0 {
		h, err = hint.Read(e, stage, level)
	} else {
		h, err = hint.Next(e, state, stage)
	}
	if err != nil {
		return err
	}
	print(w, e, h, asked)
	return nil
}

// print writes a hint, and what to type for the next one. Where this one was asked for by number, so is that: a call
// without numbers is about the stage at hand.
func print(w io.Writer, e grader.Exercise, h hint.Hint, asked bool) {
	of, option := "", ""
	if h.Stage.Number > 0 {
		of = fmt.Sprintf(", stage %d (%s)", h.Stage.Number, h.Stage.Title)
		option = fmt.Sprintf("STAGE=%d ", h.Stage.Number)
	}
	if h.Solution() {
		fmt.Fprintf(w, "%s  %s%s: the solution\n\n%s\n", e.ID, e.Title, of, hint.Reflow(h.Text, width))
		if h.Code != "" {
			fmt.Fprintf(w, "\n%s\n", h.Code)
		}
		return
	}
	fmt.Fprintf(w, "%s  %s%s: hint %d of %d\n\n%s\n\n", e.ID, e.Title, of, h.Level, h.Levels,
		hint.Reflow(h.Text, width))
	if asked {
		next := fmt.Sprintf("make hint EX=%s %sLEVEL=%d", e.ID, option, h.Level+1)
		fmt.Fprintf(w, "(%s)\n", following(e, h, next))
		return
	}
	fmt.Fprintf(w, "(%s; this one again: make hint EX=%s %sLEVEL=%d)\n", following(e, h, "make hint EX="+e.ID), e.ID,
		option, h.Level)
}

// following says what comes after a hint, and that the command next gives it.
func following(e grader.Exercise, h hint.Hint, next string) string {
	if h.Level < h.Levels {
		return next + " gives the next hint"
	}
	if s, err := hint.Read(e, h.Stage.Number, h.Levels+1); err == nil && s.Code == "" {
		return "there is no further hint"
	}
	return next + " shows the solution"
}

// printPassed says to somebody who has passed all stages that nothing is left to hint at.
func printPassed(w io.Writer, e grader.Exercise, stages int) error {
	fmt.Fprintf(w, "%s  %s: all %d stages are passed\n", e.ID, e.Title, stages)
	first, err := hint.Read(e, stages, 1)
	if err != nil {
		return err
	}
	solution, err := hint.Read(e, stages, first.Levels+1)
	if err == nil && solution.Code != "" {
		fmt.Fprintf(w, "\nThe book's solution, with its reasons: make hint EX=%s STAGE=%d LEVEL=%d\n", e.ID, stages,
			solution.Level)
	}
	return err
}
