// Command cluster starts, shows and stops the control plane that lasts, and on which chapters run. Where there is none,
// and for tests, private ones are started.
//
//	go run ./scripts/cluster up [-port N]   start it, unless it runs
//	go run ./scripts/cluster status         say what runs, or what went wrong; exit code 1 when something did
//	go run ./scripts/cluster down           stop it; what is in it is gone
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

const usage = `usage: go run ./scripts/cluster up [-port N] | status | down

  up       start the control plane that lasts, unless it runs (make up)
  status   say what runs, or what went wrong (make status); it exits with 0 when the
           control plane runs or there is none, and with 1 when there was one and it
           cannot be used: a server died, it was killed, or it does not answer
  down     stop it; the objects in it are gone with it (make down)

  -port N  up: the API server listens on port N of 127.0.0.1, not on any free one`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run carries out the command and returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("cluster", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	port := flags.Int("port", 0, "")
	if len(args) == 0 || flags.Parse(args[1:]) != nil || flags.NArg() > 0 || *port < 0 || *port > 65535 {
		fmt.Fprintln(errs, usage)
		return 2
	}
	var err error
	switch args[0] {
	case "up":
		err = up(ctx, out, errs, *port)
	case "status":
		var usable bool
		if usable, err = status(ctx, out); err == nil && !usable {
			return 1
		}
	case "down":
		err = down(ctx, out, errs)
	default:
		fmt.Fprintln(errs, usage)
		return 2
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(errs, "Interrupted; nothing that was started is left running.")
		return 130
	default:
		fmt.Fprintf(errs, "cluster %s: %v\n", args[0], err)
		return 1
	}
}

func up(ctx context.Context, out, errs io.Writer, port int) error {
	plane, started, err := local.Up(ctx,
		local.UpOptions{Port: port, Display: term.NewDisplay(errs)})
	if err != nil {
		return err
	}
	if started {
		fmt.Fprintf(out, "The control plane has started: Kubernetes %s on %s.\n", plane.Version, plane.Server)
		fmt.Fprintln(out, "It stays until `make down`; chapters and kubectl can use it:")
	} else {
		fmt.Fprintf(out, "The control plane runs already: Kubernetes %s on %s.\n", plane.Version, plane.Server)
	}
	howToUse(out, plane)
	return nil
}

// status says what there is. Nothing at all is as well as a control plane that runs: chapters start their own.
func status(ctx context.Context, out io.Writer) (usable bool, err error) {
	r, err := local.Status(ctx)
	if err != nil {
		return false, err
	}
	describe(out, r)
	if r.State == local.Running {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if names, err := lab.Leftovers(ctx, r.Plane.Kubeconfig); err != nil {
			fmt.Fprintf(out, "\nThe API server was asked for its namespaces, and did not say: %v\n", err)
		} else {
			leftovers(out, names)
		}
	}
	return r.State == local.Running || r.State == local.Absent, nil
}

// keptLog is the log of a server that died, if there is one.
func keptLog(r *local.Report) string {
	if r.Plane == nil || r.Plane.Failure == nil {
		return ""
	}
	return r.Plane.Failure.LogFile
}

func down(ctx context.Context, out, errs io.Writer) error {
	r, err := local.Down(ctx, term.NewDisplay(errs))
	if err != nil {
		return err
	}
	switch r.State {
	case local.Absent:
		fmt.Fprintln(out, "No control plane of `make up` runs. Private ones end with the command that started them.")
	case local.Running, local.Expired, local.Hung, local.Unusable:
		fmt.Fprintln(out, "The control plane has stopped, and everything that was in it is gone.")
	default:
		fmt.Fprintf(out, "The control plane %s.\n", r.Why)
		if kept := keptLog(r); kept != "" {
			fmt.Fprintf(out, "What it left is removed but for the log that says why: %s\n", kept)
		} else {
			fmt.Fprintln(out, "What it left is removed.")
		}
		fmt.Fprintln(out, "`make up` starts a new one.")
	}
	if r.Kept != "" {
		fmt.Fprintf(out, "%s is no kubeconfig of this repository,\nso it is left alone. `make up` asks for another "+
			"place for it.\n", r.Kept)
		return nil
	}
	if r.Plane != nil && os.Getenv("KUBECONFIG") == r.Plane.Kubeconfig {
		fmt.Fprintln(out, "This shell's KUBECONFIG names its kubeconfig, which is gone with it: unset KUBECONFIG")
	}
	return nil
}
