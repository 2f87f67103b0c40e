// Package check holds what the repository demands of itself, one check a file.
//
// A check reads a tree of files and returns findings. Each finding names a place, what is wrong there and how to
// mend it. Where a tool can mend it, the check has a Fix. Tests build a small tree with the fault in it and expect
// the finding: a check that cannot fail guards nothing.
package check

import (
	"context"
	"fmt"
	"sort"
)

// A Finding is one thing that is not as it should be.
type Finding struct {
	File string // relative to the root; empty when it concerns the tree as a whole
	Line int    // 1-based; 0 when it concerns the whole file
	What string // what is wrong
	Mend string // what to do about it
}

// String gives the finding as a compiler gives an error, so that editors can jump to it.
func (f Finding) String() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if place != "" {
		place += ": "
	}
	return place + f.What
}

// A Check guards one property of the tree.
type Check struct {
	Name   string
	Guards string // one line: what it refuses
	Slow   bool   // compiles or runs something; left out with -quick
	Alone  bool   // uses all processors by itself, so that nothing else runs beside it
	Run    func(ctx context.Context, t *Tree) ([]Finding, error)
	// Fix mends what can be mended without a decision and returns the files it wrote. It may be nil.
	Fix func(ctx context.Context, t *Tree) ([]string, error)
}

// All lists the checks in the order in which they are reported.
func All() []Check {
	return []Check{
		gofmtCheck, vetCheck, staticcheckCheck,
		wordsCheck, roomsCheck, importsCheck, wasmCheck,
		lessonsCheck, demosCheck, agendasCheck, linksCheck, commandsCheck, symptomsCheck, messagesCheck,
		formsCheck,
		excerptsCheck, recordingsCheck, picturesCheck, diagramsCheck, generatedCheck,
		stubsCheck, stagesCheck, solutionsCheck, pinsCheck, numbersCheck, plotsCheck, budgetsCheck, shapeCheck,
		evidenceCheck, upstreamCheck, upstreamTestsCheck,
		listedCheck,
	}
}

// Select gives the checks with these names, or all of them, or with quick those that are not slow.
func Select(names []string, quick bool) ([]Check, error) {
	all := All()
	if len(names) == 0 {
		if !quick {
			return all, nil
		}
		var some []Check
		for _, c := range all {
			if !c.Slow {
				some = append(some, c)
			}
		}
		return some, nil
	}
	var some []Check
	for _, n := range names {
		found := false
		for _, c := range all {
			if c.Name == n {
				some, found = append(some, c), true
			}
		}
		if !found {
			return nil, fmt.Errorf("no check is named %q: `go run ./scripts/check -list` shows them", n)
		}
	}
	return some, nil
}

// order sorts findings by place, so that a report reads from top to bottom.
func order(found []Finding) {
	sort.SliceStable(found, func(i, j int) bool {
		if found[i].File != found[j].File {
			return found[i].File < found[j].File
		}
		return found[i].Line < found[j].Line
	})
}
