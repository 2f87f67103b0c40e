// Command test-kind passes the tests that talk to an API server on this
// checkout's kind cluster, which it makes when it is not there.
//
//	go run ./scripts/test-kind [-nodes 1|3] [-run REGEXP] [-count N] [-again] [-update] [CHAPTER]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/testrun"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/kind"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/racedetector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

const usage = `usage: go run ./scripts/test-kind [-nodes 1|3] [-run REGEXP] [-count N] [-again] [-update] [CHAPTER]

  CHAPTER   01, 02, ...: that chapter's tests alone
  -nodes    how many nodes a new cluster gets
  -run      only tests that match, as in go test
  -count    run each so many times
  -again    run what failed once more; what then passes is called flaky
  -update   write the list of skipped tests that a whole run is compared with

The cluster stays; make kind-down deletes it.`

type request struct {
	chapter, run  string
	nodes, count  int
	update, again bool
}

func main() {
	var r request
	flags := flag.NewFlagSet("test-kind", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprintln(os.Stderr, usage) }
	flags.IntVar(&r.nodes, "nodes", 0, "")
	flags.StringVar(&r.run, "run", "", "")
	flags.IntVar(&r.count, "count", 1, "")
	flags.BoolVar(&r.update, "update", false, "")
	flags.BoolVar(&r.again, "again", false, "")
	if err := flags.Parse(os.Args[1:]); err != nil || flags.NArg() > 1 {
		if err == nil {
			flags.Usage()
		}
		os.Exit(2)
	}
	r.chapter = flags.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := test(ctx, r)
	interrupted := ctx.Err() != nil
	stop()
	switch {
	case interrupted:
		fmt.Fprintln(os.Stderr, "test-kind: stopped before the end")
		os.Exit(130)
	case errors.Is(err, testrun.ErrFailed):
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "test-kind:", err)
		os.Exit(1)
	}
}

func test(ctx context.Context, r request) error {
	root, err := repo.Root()
	if err != nil {
		return err
	}
	// Asked first: a machine without an engine should say so at once, not
	// after minutes of compiling.
	if err := kind.Engine(ctx); err != nil {
		return err
	}
	packages, err := testrun.Packages(ctx, root, r.chapter, testrun.OnCluster)
	if err != nil {
		return err
	}
	display := term.NewDisplay(os.Stdout)
	race, _ := racedetector.Available(ctx)
	if err := build.Precompile(ctx, display, race, packages...); err != nil {
		return err
	}
	programs, err := testrun.Programs(ctx, root, packages)
	if err != nil {
		return err
	}
	if _, err := build.Ensure(ctx, display, programs...); err != nil {
		return err
	}
	c, err := kind.For(root, r.nodes, os.Stdout)
	if err != nil {
		return err
	}
	kubeconfig, err := c.Up(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("Running the tests of %d packages on kind. A line appears as each one ends.\n", len(packages))
	began := time.Now()
	result, err := testrun.Run(ctx, testrun.Options{
		Root: root, Packages: packages, Run: r.run, Count: r.count, Race: race, Timeout: 20 * time.Minute,
		Env: []string{"CLUSTER=kind", "SCRATCH_KUBECONFIG=" + kubeconfig}, Out: os.Stdout,
		Again: r.again,
	})
	if err != nil {
		return err
	}
	return testrun.Report(os.Stdout, result, testrun.Ended{
		Root: root, Provider: "kind", Part: testrun.OnCluster, Took: time.Since(began),
		Whole: r.chapter == "" && r.run == "", Update: r.update,
	})
}
