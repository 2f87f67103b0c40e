package main

import (
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// describe prints what there is and what to do next.
func describe(out io.Writer, r *local.Report) {
	if r.Busy != "" {
		fmt.Fprintf(out, "Another command is at it at the moment: %s.\n", r.Busy)
	}
	switch r.State {
	case local.Absent:
		fmt.Fprintln(out, "No control plane of `make up` runs. Chapters and tests start a private one each;")
		fmt.Fprintln(out, "`make up` starts one that lasts.")
	case local.Running:
		running(out, r)
	case local.Hung, local.Expired:
		fmt.Fprintf(out, "The control plane %s.\n`make down` ends it, and `make up` starts a new one.\n", r.Why)
	case local.Unusable:
		fmt.Fprintf(out, "The control plane %s.\n`make down` stops it, and everything that is in it is gone.\n", r.Why)
	default:
		fmt.Fprintf(out, "The control plane %s.\n", r.Why)
		if r.Plane != nil && r.Plane.Failure != nil {
			f := r.Plane.Failure
			fmt.Fprintf(out, "That was at %s. The end of its log:\n", f.At.Local().Format(time.DateTime))
			for _, line := range f.Log {
				fmt.Fprintln(out, "    "+term.Clip(line, 96))
			}
			if f.LogFile != "" {
				fmt.Fprintf(out, "The whole log: %s\n", f.LogFile)
			}
		}
		fmt.Fprintln(out, "`make up` starts a new one; until then chapters and tests start a private one each.")
	}
}

// running prints a table of what runs.
func running(out io.Writer, r *local.Report) {
	p := r.Plane
	fmt.Fprintf(out, "The control plane runs: Kubernetes %s on %s, for %s.\n", p.Version, p.Server,
		time.Since(p.Started).Round(time.Second))
	names := make([]string, 0, len(r.Processes))
	for name := range r.Processes {
		names = append(names, string(name))
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(out, "    %-24s process %d\n", name, r.Processes[plane.Component(name)])
	}
	fmt.Fprintf(out, "    %-24s process %d\n", "supervisor", p.Supervisor)
	fmt.Fprintf(out, "Logs: %s\n", p.Dir)
	fmt.Fprintf(out, "It stays until `make down`, or until its certificates end on %s.\n",
		p.Expires.Local().Format(time.DateOnly))
	howToUse(out, p)
}

// leftovers names what killed runs left in the control plane.
func leftovers(out io.Writer, namespaces []string) {
	if len(namespaces) == 0 {
		return
	}
	fmt.Fprintln(out, "\nNamespaces that killed runs left; the next run of a chapter deletes them:")
	for _, name := range namespaces {
		fmt.Fprintln(out, "    "+name)
	}
}

// howToUse prints what to type to use the control plane with kubectl.
func howToUse(out io.Writer, p *plane.Plane) {
	kubectl := "kubectl"
	if _, err := exec.LookPath(kubectl); err != nil {
		kubectl = "go run ./scripts/kubectl"
	}
	fmt.Fprintf(out, "\n    export KUBECONFIG=%s\n    %s get namespaces\n", quote(p.Kubeconfig), kubectl)
}

// quote makes a path one word for a shell.
func quote(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@") == "" {
		return path
	}
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		var word strings.Builder
		for _, b := range []byte(path) { // what a terminal would obey is written as a number
			fmt.Fprintf(&word, `\%03o`, b)
		}
		return "$'" + word.String() + "'"
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
