// Command check runs what the repository demands of itself.
//
//	go run ./scripts/check                 everything
//	go run ./scripts/check -quick          only what takes no compiling: for the moment before a commit
//	go run ./scripts/check -fix            mends what needs no decision, then checks
//	go run ./scripts/check links words     only these
//	go run ./scripts/check -list           what each check guards
//	go run ./scripts/check -ids            the ids that a new claim or concept can take
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/check"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

func main() {
	quick := flag.Bool("quick", false, "leave out what compiles or runs something")
	fix := flag.Bool("fix", false, "mend what needs no decision, then check")
	list := flag.Bool("list", false, "list the checks")
	ids := flag.Bool("ids", false, "print the free ids of docs/claims.yaml")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./scripts/check [-quick] [-fix] [-list] [-ids] [names...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *list {
		printList()
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C does not wait
	checks, err := check.Select(flag.Args(), *quick)
	if err != nil {
		fail(err)
	}
	root, err := check.FindRoot()
	if err != nil {
		fail(err)
	}
	tree := check.NewTree(root)
	if *ids {
		free, err := check.FreeIDs(tree)
		if err != nil {
			fail(err)
		}
		fmt.Println(strings.Join(free, " "))
		return
	}
	found, err := check.Run(ctx, tree, checks, *fix, os.Stdout)
	if ctx.Err() != nil {
		fmt.Fprintln(os.Stderr, "check: stopped before the end")
		os.Exit(130)
	}
	switch found {
	case 0:
	case 1:
		fmt.Println("\n1 finding. It says how to mend it.")
	default:
		fmt.Printf("\n%d findings. Each says how to mend it.\n", found)
	}
	if err != nil {
		fail(err)
	}
	if found > 0 {
		os.Exit(1)
	}
}

// printList says what each check guards.
func printList() {
	for _, c := range check.All() {
		guards := c.Guards
		if c.Slow {
			guards += " (not with -quick)"
		}
		name := c.Name
		for _, line := range term.Wrap(guards, 100-14) {
			fmt.Printf("%-14s%s\n", name, line)
			name = ""
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}
