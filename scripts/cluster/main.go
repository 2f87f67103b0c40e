// Command cluster starts, shows and stops the control plane that lasts, beside which the chapters and tests start private ones.
//
//	go run ./scripts/cluster up [-port N]   start it, unless it runs
//	go run ./scripts/cluster status         say what runs, or what went wrong
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

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
)

const usage = `usage: go run ./scripts/cluster up [-port N] | status | down

  up       start the control plane that lasts, unless it runs (make up)
  status   say what runs, or what went wrong (make status)
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
		err = status(ctx, out)
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
	plane, started, err := controlplane.Up(ctx, controlplane.UpOptions{Port: port, Display: controlplane.NewDisplay(errs)})
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

func status(ctx context.Context, out io.Writer) error {
	r, err := controlplane.Status(ctx)
	if err != nil {
		return err
	}
	describe(out, r)
	return nil
}

func down(ctx context.Context, out, errs io.Writer) error {
	r, err := controlplane.Down(ctx, controlplane.NewDisplay(errs))
	if err != nil {
		return err
	}
	switch r.State {
	case controlplane.Absent:
		fmt.Fprintln(out, "No control plane of `make up` runs. Private ones end with the command that started them.")
	case controlplane.Running, controlplane.Expired, controlplane.Hung:
		fmt.Fprintln(out, "The control plane has stopped, and everything that was in it is gone.")
	default:
		fmt.Fprintf(out, "The control plane %s.\nWhat it left is removed; `make up` starts a new one.\n", r.Why)
	}
	if r.Plane != nil && os.Getenv("KUBECONFIG") == r.Plane.Kubeconfig {
		fmt.Fprintln(out, "This shell's KUBECONFIG names its kubeconfig, which is gone with it: unset KUBECONFIG")
	}
	return nil
}
