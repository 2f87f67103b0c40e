// Command test passes the project's tests: it builds what they need, starts one
// private control plane for all of them, and runs them under the race detector.
//
//	go run ./scripts/test            what the chapters say
//	go run ./scripts/test -authors   what holds them up: the control plane, the commands, the graders' proof, mine
//	go run ./scripts/test 01         one chapter
//	go run ./scripts/test -run Watch -count 20 01
//
// CLUSTER=kubeconfig runs them against the reader's own cluster;
// ./scripts/test-kind runs them on kind.
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
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	_ "github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/withyaml" // reads kubeconfigs
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/racedetector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

const usage = `usage: go run ./scripts/test [-run REGEXP] [-count N] [-again] [-update] [-authors | CHAPTER]

  CHAPTER   01, 02, ...: that chapter's tests alone
  -authors  the tests of what only an author changes: the control plane, the commands, the graders, mine
  -run      only tests that match, as in go test
  -count    run each so many times; 0 lets go answer from its cache
  -again    run what failed once more; what then passes is called flaky
  -update   write the list of skipped tests that a whole run is compared with`

type request struct {
	chapter, run  string
	count         int
	update, again bool
	authors       bool
}

func main() {
	var r request
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprintln(os.Stderr, usage) }
	flags.StringVar(&r.run, "run", "", "")
	flags.IntVar(&r.count, "count", 1, "")
	flags.BoolVar(&r.update, "update", false, "")
	flags.BoolVar(&r.again, "again", false, "")
	flags.BoolVar(&r.authors, "authors", false, "")
	err := flags.Parse(os.Args[1:])
	if err != nil || flags.NArg() > 1 || r.authors && (flags.NArg() > 0 || r.update) {
		if err == nil {
			flags.Usage()
		}
		os.Exit(2)
	}
	r.chapter = flags.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err = test(ctx, r)
	interrupted := ctx.Err() != nil
	stop()
	switch {
	case interrupted:
		fmt.Fprintln(os.Stderr, "test: stopped before the end")
		os.Exit(130)
	case errors.Is(err, testrun.ErrFailed):
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "test:", err)
		os.Exit(1)
	}
}

// timeout is for one package. On a busy machine the longest, internal/grading/proof, takes more than ten minutes.
const timeout = 20 * time.Minute

func test(ctx context.Context, r request) (err error) {
	if os.Getenv("CLUSTER") == string(lab.Book) { // before minutes of compiling
		return errors.New("CLUSTER=book is for demos, and no cluster for tests: unset CLUSTER")
	}
	root, err := repo.Root()
	if err != nil {
		return err
	}
	part := testrun.ForReaders
	if r.authors {
		part = testrun.ForAuthors
	}
	packages, err := testrun.Packages(ctx, root, r.chapter, part)
	if err != nil {
		return err
	}
	display := term.NewDisplay(os.Stdout)
	race, why := racedetector.Available(ctx)
	if !race {
		fmt.Println("The tests run without -race: " + why + ".")
	}
	if err := build.Precompile(ctx, display, race, packages...); err != nil {
		return err
	}
	provider, env := os.Getenv("CLUSTER"), []string(nil)
	if provider == "" || provider == "local" {
		provider = "local"
		// kubectl is for the chapters' tests: built here, under the display,
		// and not in the middle of one of them.
		if _, err := build.Ensure(ctx, display, plane.Kubectl); err != nil {
			return err
		}
		instance, err := local.Acquire(ctx,
			local.Options{Controllers: true, Private: true, Display: display})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, instance.Close()) }()
		env = append(env, "SCRATCH_KUBECONFIG="+instance.Kubeconfig)
	}
	fmt.Printf("Running the tests of %d packages. A line appears as each one ends.\n", len(packages))
	began := time.Now()
	result, err := testrun.Run(ctx, testrun.Options{
		Root: root, Packages: packages, Run: r.run, Count: r.count, Race: race,
		Timeout: timeout, Env: env, Out: os.Stdout, Again: r.again,
	})
	if err != nil {
		return err
	}
	return testrun.Report(os.Stdout, result, testrun.Ended{
		Root: root, Provider: provider, Part: part, Took: time.Since(began),
		Whole: r.chapter == "" && r.run == "", Update: r.update,
	})
}
