// Hint gives the next hint of an exercise: go run ./scripts/hint 01.2
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/hint"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// width of the terminal that the text is filled to.
const width = 98

func main() {
	level := flag.Int("level", 0, "this hint (1 to 3), or the solution (4), instead of the next one")
	again := flag.Bool("restart", false, "begin again with hint 1")
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, `usage: go run ./scripts/hint [-level N] [-restart] NN.N

Each call gives one hint more: hint 1, 2, 3, and then the solution with its reasons.
`)
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *level, *again); err != nil {
		fmt.Fprintln(os.Stderr, "hint:", err)
		os.Exit(2)
	}
}

func run(id string, level int, restart bool) error {
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
	e, state := exercises[0], filepath.Join(root, ".lab")
	if restart {
		if err := hint.Forget(e, state); err != nil {
			return err
		}
	}
	var h hint.Hint
	if level > 0 {
		h, err = hint.Read(e, level)
	} else {
		h, err = hint.Next(e, state)
	}
	if err != nil {
		return err
	}
	print(e, h)
	return nil
}

func print(e grader.Exercise, h hint.Hint) {
	if h.Solution() {
		fmt.Printf("%s  %s: the solution\n\n%s\n", e.ID, e.Title, hint.Reflow(h.Text, width))
		if h.Code != "" {
			fmt.Printf("\n%s\n", h.Code)
		}
		return
	}
	fmt.Printf("%s  %s: hint %d of %d\n\n%s\n\n", e.ID, e.Title, h.Level, hint.Levels, hint.Reflow(h.Text, width))
	if h.Level == hint.Levels {
		fmt.Println(lastWord(e))
	}
}

// lastWord says what is left after the last hint.
func lastWord(e grader.Exercise) string {
	if h, err := hint.Read(e, hint.Levels+1); err == nil && h.Code == "" {
		return "(this was the last hint)"
	}
	return "(the next call shows the solution)"
}
