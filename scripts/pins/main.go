// Command pins lists the versions this repository is written for, finds the places that say otherwise, and moves them.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/pins"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

const usage = `usage: go run ./scripts/pins                       the pins, and the places that differ from them
       go run ./scripts/pins bump NAME=VERSION ...  move them, and list the places to rewrite

  NAME is kubernetes (with client-go and its kin, and etcd), controller-runtime, kind, testify, or the path of another
  direct dependency:
       go run ./scripts/pins bump kubernetes=vX.Y.Z kind=vX.Y.Z`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	changes, err := parse(os.Args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "pins: %v\n%s\n", err, usage)
		os.Exit(2)
	}
	ok, err := run(ctx, changes)
	if err != nil {
		fmt.Fprintln(os.Stderr, "pins:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// parse reads the arguments after `bump`. No argument at all means to list.
func parse(args []string) (changes map[string]string, err error) {
	if len(args) == 0 {
		return nil, nil
	}
	if args[0] != "bump" || len(args) == 1 {
		return nil, fmt.Errorf("can't make sense of %q", strings.Join(args, " "))
	}
	changes = map[string]string{}
	for _, arg := range args[1:] {
		name, version, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not NAME=VERSION", arg)
		}
		changes[name] = version
	}
	return changes, nil
}

// run reports whether every place agrees with the pins.
func run(ctx context.Context, changes map[string]string) (ok bool, err error) {
	root, err := repo.Root()
	if err != nil {
		return false, err
	}
	if len(changes) > 0 {
		if err := pins.Bump(ctx, root, changes, func(what string) { fmt.Println(what + " ...") }); err != nil {
			return false, err
		}
	}
	p, err := pins.Load(root)
	if err != nil {
		return false, err
	}
	for _, pin := range p.List() {
		fmt.Printf("%-20s%s\n", pin[0], pin[1])
	}
	if err := showDirects(ctx, root); err != nil {
		return false, err
	}
	found, err := pins.Check(root)
	if err != nil {
		return false, err
	}
	if len(found) == 0 {
		fmt.Println("\nEvery other place agrees.")
	} else {
		fmt.Printf("\n%d places differ:\n", len(found))
		for _, m := range found {
			fmt.Println("  " + m.String())
		}
	}
	if len(changes) > 0 {
		fmt.Println("\nWhat the new versions change, the tests say: make test, make check, make verify-exercises.")
	}
	return len(found) == 0, nil
}
