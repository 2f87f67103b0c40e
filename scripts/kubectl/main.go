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
	"strings"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
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
	env := os.Environ()
	path := chosen(args)
	if !choosesItself(args) {
		if path, err = kubeconfig(ctx); err != nil {
			return 1, err
		}
		env = append(env, "KUBECONFIG="+path)
	}
	if path != "" {
		env = append(env, controlplane.KubectlEnv(path)...)
	}
	dir, err := controlplane.Ensure(ctx, controlplane.NewDisplay(os.Stderr), controlplane.Kubectl)
	if err != nil {
		return 1, err
	}
	kubectl := exec.CommandContext(ctx, filepath.Join(dir, string(controlplane.Kubectl)), args...)
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

// choosesItself reports whether the arguments say which server to talk to, or talk to none.
func choosesItself(args []string) bool {
	if len(args) == 0 {
		return true
	}
	switch args[0] {
	case "help", "completion", "kustomize", "options", "plugin":
		return true
	}
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		switch name {
		case "--kubeconfig", "--client", "--help", "-h":
			return true
		case "--": // what follows belongs to another program
			return false
		}
	}
	return false
}

// chosen is the path that --kubeconfig names, "" without it.
func chosen(args []string) string {
	for n, arg := range args {
		if path, ok := strings.CutPrefix(arg, "--kubeconfig="); ok {
			return path
		}
		if arg == "--kubeconfig" && n+1 < len(args) {
			return args[n+1]
		}
	}
	return ""
}

// kubeconfig is the one of the control plane that another command shares with this one, or of `make up`.
func kubeconfig(ctx context.Context) (string, error) {
	if path := os.Getenv(controlplane.SharedEnv); path != "" {
		return path, nil
	}
	report, err := controlplane.Status(ctx)
	if err != nil {
		return "", err
	}
	return fromReport(report)
}

func fromReport(report *controlplane.Report) (string, error) {
	switch report.State {
	case controlplane.Running:
		return report.Plane.Kubeconfig, nil
	case controlplane.Absent:
		return "", errors.New("no control plane runs: start one with make up (or: go run ./scripts/cluster up), " +
			"or name a kubeconfig with --kubeconfig")
	default:
		return "", fmt.Errorf("the control plane %s: make status says more, make up starts a new one", report.Why)
	}
}
