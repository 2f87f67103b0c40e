// Command kubectl runs the pinned kubectl, which it builds when it has to, on the control plane of `make up`.
//
//	go run ./scripts/kubectl get configmaps
//
// It never uses the clusters of your own kubeconfig: where none of this repository's control planes runs, it says so.
// Give it --kubeconfig to choose, as the commands that a chapter prints do.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	_ "github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/withyaml" // reads kubeconfigs
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "kubectl:", err)
	}
	os.Exit(code)
}

// run returns kubectl's exit code.
func run(ctx context.Context, args []string) (code int, err error) {
	path, named := chosen(args)
	if named && path == "" {
		return 1, errors.New("--kubeconfig names no file, so kubectl would use the cluster of your own kubeconfig: " +
			"name a file, or leave the flag out")
	}
	env := without(os.Environ(), "KUBERNETES_MASTER", "KUBERNETES_SERVICE_HOST")
	if named || needsNone(args) {
		// Should kubectl read the arguments in another way, as when one is the value of the flag before it, it finds
		// no server.
		env = append(env, "KUBECONFIG="+os.DevNull)
	} else {
		if path, err = kubeconfig(ctx); err != nil {
			return 1, err
		}
		env = append(env, "KUBECONFIG="+path)
	}
	if path != "" {
		env = append(env, plane.KubectlEnv(path)...)
	}
	dir, err := build.Ensure(ctx, term.NewDisplay(os.Stderr), plane.Kubectl)
	if err != nil {
		return 1, err
	}
	kubectl := exec.CommandContext(ctx, filepath.Join(dir, string(plane.Kubectl)), args...)
	kubectl.Env = env
	kubectl.Stdin, kubectl.Stdout, kubectl.Stderr = os.Stdin, os.Stdout, os.Stderr
	kubectl.Cancel = func() error { return kubectl.Process.Signal(os.Interrupt) }
	err = kubectl.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil // kubectl has said what is wrong
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}

// without leaves variables out. Those of a pod name a server to a kubectl whose kubeconfig names none.
func without(env []string, names ...string) []string {
	return slices.DeleteFunc(env, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(names, name)
	})
}

// needsNone reports whether the arguments are a command that talks to no server. --help=false asks for none of that.
func needsNone(args []string) bool {
	if len(args) == 0 {
		return true
	}
	switch args[0] {
	case "help", "completion", "kustomize", "options", "plugin":
		return true
	}
	needs := true
	for _, arg := range args {
		name, value, given := strings.Cut(arg, "=")
		switch name {
		case "--client", "--help", "-h":
			on, err := strconv.ParseBool(value)
			if given && (!on || err != nil) {
				return false // the last one counts, so that one is enough to ask for a server
			}
			needs = false
		case "--": // what follows belongs to another program
			return !needs
		}
	}
	return !needs
}

// chosen is the path that --kubeconfig names, the last one as for kubectl, and whether there is such a flag.
func chosen(args []string) (path string, named bool) {
	for n, arg := range args {
		if arg == "--" { // what follows belongs to another program
			break
		}
		if value, ok := strings.CutPrefix(arg, "--kubeconfig="); ok {
			path, named = value, true
		}
		if arg == "--kubeconfig" {
			path, named = "", true
			if n+1 < len(args) {
				path = args[n+1]
			}
		}
	}
	return path, named
}

// kubeconfig is the one of the control plane that another command shares with this one, or of `make up`.
func kubeconfig(ctx context.Context) (string, error) {
	if path := os.Getenv(local.SharedEnv); path != "" {
		return path, nil
	}
	report, err := local.Status(ctx)
	if err != nil {
		return "", err
	}
	return fromReport(report)
}

func fromReport(report *local.Report) (string, error) {
	switch report.State {
	case local.Running:
		return report.Plane.Kubeconfig, nil
	case local.Absent:
		return "", errors.New("no control plane runs: start one with make up (or: go run ./scripts/cluster up), " +
			"or name a kubeconfig with --kubeconfig")
	default:
		return "", fmt.Errorf("the control plane %s: make status says more, make up starts a new one", report.Why)
	}
}
