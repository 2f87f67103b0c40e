// Command check runs what the repository demands of itself.
//
//	go run ./scripts/check                 everything
//	go run ./scripts/check -quick          only what takes no compiling: for the moment before a commit
//	go run ./scripts/check -fix            mends what needs no decision, then checks
//	go run ./scripts/check links words     only these
//	go run ./scripts/check -list           what each check guards
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/check"
)

func main() {
	quick := flag.Bool("quick", false, "leave out what compiles or runs something")
	fix := flag.Bool("fix", false, "mend what needs no decision, then check")
	list := flag.Bool("list", false, "list the checks")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./scripts/check [-quick] [-fix] [-list] [names...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *list {
		for _, c := range check.All() {
			slow := ""
			if c.Slow {
				slow = " (not with -quick)"
			}
			fmt.Printf("%-12s %s%s\n", c.Name, c.Guards, slow)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	checks, err := check.Select(flag.Args(), *quick)
	if err != nil {
		fail(err)
	}
	root, err := check.FindRoot()
	if err != nil {
		fail(err)
	}
	found, err := check.Run(ctx, check.NewTree(root), checks, *fix, os.Stdout)
	if err != nil {
		fail(err)
	}
	switch found {
	case 0:
		return
	case 1:
		fmt.Println("\n1 finding. Each says how to mend it.")
	default:
		fmt.Printf("\n%d findings. Each says how to mend it.\n", found)
	}
	os.Exit(1)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}
