// Command record runs the commands whose output the lessons show and writes the output into them.
//
//	go run ./scripts/record 01          records chapter 01's lesson, and its picture
//	go run ./scripts/record             records all pages
//	go run ./scripts/record -check 01   writes nothing, exits 1 if a page differs in more than numbers
//	go run ./scripts/record -n          lists what would be run
//
// A command that several blocks show runs once.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/check"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/record"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

func main() {
	compare := flag.Bool("check", false, "compare instead of write")
	list := flag.Bool("n", false, "list the commands and the blocks, run nothing")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./scripts/record [-check] [-n] [NN...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	stale, err := run(ctx, flag.Args(), *compare, *list)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if stale > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, chapters []string, compare, list bool) (stale int, err error) {
	root, err := check.FindRoot()
	if err != nil {
		return 0, err
	}
	blocks, err := record.Find(root, chapters...)
	if err != nil {
		return 0, err
	}
	if len(blocks) == 0 {
		return 0, fmt.Errorf("no page of %v has a recorded block: put `<!-- recorded: COMMAND -->` above a ```text "+
			"block", chapters)
	}
	if list {
		for _, b := range blocks {
			fmt.Printf("%s:%d: %s\n", b.File, b.Line, b.Command)
		}
		return 0, nil
	}
	stop, err := record.Share(ctx, blocks, term.NewDisplay(os.Stderr))
	if err != nil {
		return 0, err
	}
	defer stop()
	results := record.RunAll(ctx, root, blocks, func(command string, took time.Duration) {
		fmt.Printf("ran %s (%.1f s)\n", command, took.Seconds())
	})
	outputs := map[string]string{}
	for command, o := range results {
		if o.Err != nil {
			return 0, o.Err
		}
		outputs[command] = o.Text
	}
	if compare {
		for _, b := range blocks {
			part, err := b.Part(outputs[b.Command])
			if err != nil {
				return stale, err
			}
			if diff := record.Compare(b.Content, part); diff != "" {
				fmt.Printf("%s:%d: %s\n", b.File, b.Line, diff)
				stale++
			}
		}
		return stale, nil
	}
	for len(blocks) > 0 {
		n := slices.IndexFunc(blocks, func(b record.Block) bool { return b.File != blocks[0].File })
		if n < 0 {
			n = len(blocks)
		}
		if err := rewrite(root, blocks[:n], outputs); err != nil {
			return 0, err
		}
		blocks = blocks[n:]
	}
	return 0, nil
}

// rewrite writes the blocks of one file.
func rewrite(root string, blocks []record.Block, outputs map[string]string) error {
	path := filepath.Join(root, filepath.FromSlash(blocks[0].File))
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var fresh []string
	for _, b := range blocks {
		part, err := b.Part(outputs[b.Command])
		if err != nil {
			return err
		}
		fresh = append(fresh, part)
	}
	out := record.Rewrite(source, blocks, fresh)
	if string(out) == string(source) {
		fmt.Printf("%s is as it was\n", blocks[0].File)
		return nil
	}
	fmt.Printf("wrote %s\n", blocks[0].File)
	return os.WriteFile(path, out, 0o644)
}
