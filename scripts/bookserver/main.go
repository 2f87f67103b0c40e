// Command bookserver serves the API server of chapter 03 to the program that starts it, and ends with that program. It
// is started by internal/controlplane, never by hand: `CLUSTER=book go run ./chapters/01-raw-watch` is a command for
// people.
//
// A first run compiles it before it shows its first event. So it links what the API server needs, and no client.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	syscall.Umask(0o077) // no file is for others, beside that the run directory keeps them out
	dir := flag.String("run", "", "the run `directory` to make")
	flag.Parse()
	if *dir == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "bookserver: started by other commands, not by hand: use "+
			"`CLUSTER=book go run ./chapters/01-raw-watch`")
		os.Exit(2)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // whoever reads our output may end before us
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt, syscall.SIGHUP)
	defer stop()
	if err := serve(leashed(ctx, os.Stdin), *dir, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, explain(err, *dir))
		os.Exit(1)
	}
}

// leashed is a context that ends with the program that holds the other end of the leash, in whatever way that ends.
func leashed(ctx context.Context, leash io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, leash)
		cancel()
	}()
	return ctx
}

// explain adds what to do about a disk that is full.
func explain(err error, dir string) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w; free some space in %s, or set TMPDIR to a folder that has some", err, filepath.Dir(dir))
	}
	return err
}
