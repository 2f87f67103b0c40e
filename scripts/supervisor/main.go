// Command supervisor runs one control plane for the program that starts it, and ends with that program. It is started
// by internal/controlplane, never by hand: `make up`, `make down` and `make status` are the commands for people.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/supervisor"
	_ "github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/withyaml" // reads kubeconfigs
)

func main() {
	// no file and no socket of a server is for others, beside that the run directory keeps them out
	syscall.Umask(0o077)
	supervisor.AsLeash()
	config := supervisor.Config{Leash: os.Stdin, Events: os.Stdout}
	flag.StringVar(&config.Run, "run", "", "the run `directory` to make: a short path, for there are sockets in it")
	flag.StringVar(&config.Assets, "assets", "", "the `directory` of the servers' binaries")
	flag.StringVar(&config.Lasting, "lasting", "",
		"the state `directory` of a control plane that outlives the program that starts it")
	flag.BoolVar(&config.Controllers, "controllers", false, "run kube-controller-manager too")
	flag.IntVar(&config.Port, "port", 0, "the API server's `port`, 0 for a free one")
	flag.Func("server-flag", "one more flag of the API server, as `name=value`", func(f string) error {
		config.ServerFlags = append(config.ServerFlags, f)
		return nil
	})
	flag.Parse()
	if config.Run == "" || config.Assets == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "supervisor: started by other commands, not by hand: use `make up`, `make status`, "+
			"`make down`")
		os.Exit(2)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // whoever reads our output may end before us
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt, syscall.SIGHUP)
	defer stop()
	if err := supervisor.Run(ctx, config); err != nil {
		if _, told := errors.AsType[*plane.Failure](err); !told {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
}
