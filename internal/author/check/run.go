package check

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
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

// Run runs the checks on two workers and reports each as soon as it and those before it are done. With fix it mends
// first what can be mended. It gives the number of findings.
func Run(ctx context.Context, t *Tree, checks []Check, fix bool, out io.Writer) (int, error) {
	if fix {
		if err := mend(ctx, t, checks, out); err != nil {
			return 0, err
		}
	}
	results := make([]chan result, len(checks))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	go func() {
		var alone sync.RWMutex
		var workers sync.WaitGroup
		places := make(chan struct{}, 2)
		for i, c := range checks {
			places <- struct{}{}
			workers.Add(1)
			go func() {
				defer func() { <-places; workers.Done() }()
				if c.Alone {
					alone.Lock()
					defer alone.Unlock()
				} else {
					alone.RLock()
					defer alone.RUnlock()
				}
				begin := time.Now()
				found, err := c.Run(ctx, t)
				results[i] <- result{found, err, time.Since(begin)}
			}()
		}
		workers.Wait()
	}()
	total := 0
	for i, c := range checks {
		r := <-results[i]
		if r.err != nil {
			return total, fmt.Errorf("%s: %w", c.Name, r.err)
		}
		total += len(r.found)
		report(out, c, r)
	}
	return total, nil
}

func mend(ctx context.Context, t *Tree, checks []Check, out io.Writer) error {
	for _, c := range checks {
		if c.Fix == nil {
			continue
		}
		wrote, err := c.Fix(ctx, t)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		for _, file := range wrote {
			fmt.Fprintf(out, "%-12s wrote %s\n", c.Name, file)
		}
	}
	return nil
}

func report(out io.Writer, c Check, r result) {
	if len(r.found) == 0 {
		fmt.Fprintf(out, "%-12s ok      %5.1f s  %s\n", c.Name, r.took.Seconds(), c.Guards)
		return
	}
	fmt.Fprintf(out, "%-12s %-7d %5.1f s  %s\n", c.Name, len(r.found), r.took.Seconds(), c.Guards)
	order(r.found)
	last := ""
	for _, f := range r.found {
		fmt.Fprintf(out, "  %s\n", f)
		if f.Mend != "" && f.Mend != last {
			fmt.Fprintf(out, "      mend: %s\n", f.Mend)
		}
		last = f.Mend
	}
}
