// Command kind makes, shows and deletes this checkout's kind cluster: the
// second provider, chosen with CLUSTER=kind.
//
//	go run ./scripts/kind up [-nodes 1|3]   make it when it is not there
//	go run ./scripts/kind ensure            the same, and end with the kubeconfig's path
//	go run ./scripts/kind status            what there is
//	go run ./scripts/kind down              delete it
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/kind"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

const usage = `usage: go run ./scripts/kind up|ensure|status|down [-nodes 1|3]

  up       make this checkout's kind cluster when it is not there
  ensure   the same; the last line printed is the path of its kubeconfig
  status   say what there is
  down     delete it; a cluster that another checkout made is never touched

KIND_IMAGE chooses the node image, KIND_NODES the number of nodes, KIND_CONFIG
another config than those in kind-config/, KIND_CLUSTER another name.`

func main() {
	if len(os.Args) < 2 {
		fail(2, usage)
	}
	flags := flag.NewFlagSet("kind", flag.ContinueOnError)
	flags.Usage = func() {}
	flags.SetOutput(os.Stderr)
	nodes := flags.Int("nodes", 0, "how many nodes: 1 or 3")
	if err := flags.Parse(os.Args[2:]); err != nil || flags.NArg() > 0 {
		fail(2, usage)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1], *nodes); err != nil {
		stop()
		fail(1, "kind: "+err.Error())
	}
}

func run(ctx context.Context, verb string, nodes int) error {
	root, err := repo.Root()
	if err != nil {
		return err
	}
	// What ensure prints for its caller is the last line of standard output;
	// all that is for people goes beside it.
	c, err := kind.For(root, nodes, os.Stderr)
	if err != nil {
		return err
	}
	switch verb {
	case "up":
		kubeconfig, err := c.Up(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("kind cluster %s is up. Run a chapter on it:\n\n"+
			"  CLUSTER=kind go run ./chapters/01-raw-watch\n\nkubectl reaches it with\n\n  export KUBECONFIG=%s\n", c.Name, kubeconfig)
		return nil
	case "ensure":
		kubeconfig, err := c.Up(ctx)
		if err != nil {
			return err
		}
		fmt.Println(kubeconfig)
		return nil
	case "status":
		return c.Status(ctx)
	case "down":
		return c.Down(ctx)
	}
	return fmt.Errorf("there is no %q; it is up, ensure, status or down", verb)
}

func fail(code int, text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(code)
}
