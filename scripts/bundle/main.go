// Command bundle packs all that a machine without a network needs into one
// archive, and sets a machine up from it.
//
//	go run ./scripts/bundle pack [-o FILE]
//	go run ./scripts/bundle unpack [FILE]
//
// The archive is an ordinary .tar.gz with the checkout in it. Where it was
// unpacked with tar, unpack needs no FILE.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/bundle"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/racedetector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

const usage = `usage: go run ./scripts/bundle pack [-o FILE]
       go run ./scripts/bundle unpack [FILE]

  pack     build what is missing and write dist/controllers-from-scratch-OS-ARCH.tar.gz
  unpack   set this machine up from the archive, without a network`

func main() {
	if len(os.Args) < 2 {
		fail(2, usage)
	}
	flags := flag.NewFlagSet("bundle", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprintln(os.Stderr, usage) }
	out := flags.String("o", filepath.Join("dist", "controllers-from-scratch-"+bundle.Platform()+".tar.gz"), "")
	if err := flags.Parse(os.Args[2:]); err != nil {
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	switch verb := os.Args[1]; {
	case verb == "pack" && flags.NArg() == 0:
		err = pack(ctx, *out)
	case verb == "unpack" && flags.NArg() <= 1:
		err = unpack(ctx, flags.Arg(0))
	default:
		fail(2, usage)
	}
	if err != nil {
		stop()
		fail(1, "bundle: "+err.Error())
	}
}

func pack(ctx context.Context, file string) error {
	root, err := repo.Root()
	if err != nil {
		return err
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(root, file)
	}
	// The archive must hold what this checkout pins, whatever binaries the
	// reader keeps for their own use.
	os.Unsetenv("KUBEBUILDER_ASSETS")
	servers, err := build.Ensure(ctx, term.NewDisplay(os.Stdout), plane.Components...)
	if err != nil {
		return err
	}
	fmt.Println("Packing the checkout, the servers and the modules: about half a minute.")
	began := time.Now()
	size, err := bundle.Pack(ctx, root, servers, file)
	if err != nil {
		return err
	}
	fmt.Printf(`Wrote %s: %d MB, in %s. It is for %s.

On the other machine, which needs Go and nothing else:

  tar xzf %s
  cd %s
  go run ./scripts/bundle unpack
`, file, size>>20, time.Since(began).Round(time.Second), bundle.Platform(), filepath.Base(file), bundle.TopFolder)
	return nil
}

func unpack(ctx context.Context, file string) error {
	root, err := repo.Root()
	if err != nil {
		return err
	}
	servers, err := build.BinDir()
	if err != nil {
		return err
	}
	fmt.Println("Copying the servers and the modules from the bundle.")
	if err := bundle.Unpack(ctx, root, servers, file); err != nil {
		return err
	}
	// What is compiled now, nobody waits for in the room.
	fmt.Println("Compiling what the chapters and the grader are made of. It happens once.")
	began := time.Now()
	display := term.NewDisplay(os.Stdout)
	programs := []string{"./scripts/supervisor", "./scripts/cluster", "./scripts/grade", "./scripts/hint",
		"./scripts/doctor"}
	chapters, err := filepath.Glob(filepath.Join(root, "chapters", "*", "main.go"))
	if err != nil {
		return err
	}
	for _, main := range chapters {
		programs = append(programs, "./chapters/"+filepath.Base(filepath.Dir(main)))
	}
	for _, program := range programs {
		if _, err := build.RunProgram(ctx, display, program); err != nil {
			return err
		}
	}
	race, _ := racedetector.Available(ctx)
	if err := build.Precompile(ctx, display, race, "./chapters/.../exercises/..."); err != nil {
		return err
	}
	fmt.Printf("This machine is set up, in %s. Try it: go run ./chapters/01-raw-watch\n",
		time.Since(began).Round(time.Second))
	return nil
}

func fail(code int, text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(code)
}
