package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// FindRoot gives the repository's root: the nearest folder upwards whose go.mod declares [Module].
func FindRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if mod, err := os.ReadFile(filepath.Join(at, "go.mod")); err == nil &&
			strings.HasPrefix(string(mod), "module "+repo.Module+"\n") {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not inside a checkout of this repository: change into one", dir)
		}
	}
}

type result struct {
	found []Finding
	err   error
	took  time.Duration
}

// Run runs the checks on two workers. It says what it is at, a line for each check that is done, and at the end what
// they found. With fix it mends first what can be mended. It gives the number of findings. A check that could not do
// its work is an error, and keeps no other from doing its own. When ctx ends, what was found until then is told.
func Run(ctx context.Context, t *Tree, checks []Check, fix bool, out io.Writer) (int, error) {
	display := term.NewDisplay(out)
	if fix {
		if err := mend(ctx, t, checks, display); err != nil {
			return 0, err
		}
	}
	results := runAll(ctx, t, checks, display)
	total := 0
	errs := []error{ctx.Err()}
	for i, c := range checks {
		if r := results[i]; r.err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Name, r.err))
		} else if len(r.found) > 0 {
			total += len(r.found)
			report(out, c, r.found)
		}
	}
	return total, errors.Join(errs...)
}

// runAll runs the checks until ctx ends, and gives their results in the same order.
func runAll(ctx context.Context, t *Tree, checks []Check, display term.Display) []result {
	results := make([]result, len(checks))
	p := newProgress(display, len(checks))
	defer p.end()
	var alone sync.RWMutex
	var workers sync.WaitGroup
	defer workers.Wait()
	places := make(chan struct{}, 2)
	for i, c := range checks {
		places <- struct{}{}
		workers.Go(func() {
			defer func() { <-places }()
			if c.Alone {
				alone.Lock()
				defer alone.Unlock()
			} else {
				alone.RLock()
				defer alone.RUnlock()
			}
			if ctx.Err() != nil {
				return
			}
			p.begin(c.Name)
			begin := time.Now()
			found, err := c.Run(ctx, t)
			r := result{found, err, time.Since(begin)}
			if ctx.Err() == nil { // what a check finds in its middle is none
				results[i] = r
			}
			p.done(ctx, c.Name, r)
		})
	}
	return results
}

// progress shows which checks run, and says of each that is done what came of it.
type progress struct {
	display term.Display
	task    term.Task
	total   int

	mu    sync.Mutex
	ended int
	names []string // of those that run
}

func newProgress(display term.Display, total int) *progress {
	return &progress{display: display, task: display.Begin("Checking"), total: total}
}

func (p *progress) end() { p.task.End("") }

func (p *progress) begin(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names = append(p.names, name)
	p.show()
}

func (p *progress) done(ctx context.Context, name string, r result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended++
	p.names = slices.DeleteFunc(p.names, func(n string) bool { return n == name })
	p.show()
	if ctx.Err() != nil {
		return
	}
	what := "ok"
	switch n := len(r.found); {
	case r.err != nil:
		what = "failed"
	case n > 0:
		what = findings(n)
	}
	p.display.Say("%-13s %6.1f s  %s", name, r.took.Seconds(), what)
}

// show brings the display up to date. The caller holds mu.
func (p *progress) show() {
	p.task.Set(p.ended, p.total, "checks")
	p.task.Detail(strings.Join(p.names, ", "))
}

func findings(n int) string {
	if n == 1 {
		return "1 finding"
	}
	return fmt.Sprintf("%d findings", n)
}

func mend(ctx context.Context, t *Tree, checks []Check, display term.Display) error {
	for _, c := range checks {
		if c.Fix == nil {
			continue
		}
		task := display.Begin("Mending  " + c.Name)
		wrote, err := c.Fix(ctx, t)
		task.End("")
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		for _, file := range wrote {
			display.Say("%-13s wrote %s", c.Name, file)
		}
	}
	return nil
}

// report writes what a check found, and how to mend it.
func report(out io.Writer, c Check, found []Finding) {
	fmt.Fprintf(out, "\n%s: %s\n", c.Name, findings(len(found)))
	order(found)
	for i, f := range found {
		fitted(out, 2, f.String())
		if next := i + 1; f.Mend != "" && (next == len(found) || found[next].Mend != f.Mend) {
			fitted(out, 6, "mend: "+f.Mend) // below the last of those that it mends
		}
	}
}

// fitted writes a text with an indent. A line that fits stays as it is; of one that is broken the rest stands further
// in.
func fitted(out io.Writer, indent int, text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		parts := []string{line}
		if utf8.RuneCountInString(line) > widest-indent {
			parts = term.Wrap(line, widest-indent-2)
		}
		for i, part := range parts {
			if i > 0 {
				part = "  " + part
			}
			fmt.Fprintf(out, "%*s%s\n", indent, "", part)
		}
	}
}
