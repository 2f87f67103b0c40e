// Command bench measures the mechanisms of the chapters beside upstream's.
//
//	go run ./scripts/bench              every package that has benchmarks, one after the other
//	go run ./scripts/bench 01           chapter 01's
//	go run ./scripts/bench -update      also writes docs/numbers.md
//
// It runs `go test -bench` with repetitions and has benchstat compare the columns impl=ours and impl=upstream.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/check"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/numbers"
)

func main() {
	options := numbers.Options{}
	flag.IntVar(&options.Count, "count", 6, "run each benchmark `n` times; with fewer than 6 there is no confidence "+
		"interval")
	flag.StringVar(&options.Time, "benchtime", "200ms",
		"how `long` one run takes, or how often it does its work (100x)")
	update := flag.Bool("update", false, "write "+numbers.File)
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(),
			"usage: go run ./scripts/bench [-count n] [-benchtime t] [-update] [NN...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Args(), options, *update); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, chapters []string, options numbers.Options, update bool) error {
	root, err := check.FindRoot()
	if err != nil {
		return err
	}
	dirs, err := selected(root, chapters)
	if err != nil {
		return err
	}
	page, err := current(root)
	if err != nil {
		return err
	}
	for i, dir := range dirs {
		fmt.Printf("%d of %d: %s, %d runs of %s each ...\n", i+1, len(dirs), dir, options.Count, options.Time)
		done := 0
		options.Line = func(line string) {
			done++
			fmt.Fprintf(os.Stderr, "\r\x1b[K  %4d  %s", done, strings.SplitN(line, " ", 2)[0])
		}
		results, err := numbers.Run(ctx, root, dir, options)
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		if err != nil {
			return err
		}
		if err := show(ctx, root, results); err != nil {
			return err
		}
		rows, err := numbers.Compare(ctx, root, results)
		if err != nil {
			return err
		}
		page.Put(numbers.Section{Dir: dir, Rows: rows, Machine: machine(results),
			Date:    time.Now().UTC().Format(time.DateOnly),
			Command: fmt.Sprintf("go run ./scripts/bench -update -count %d -benchtime %s", options.Count, options.Time)})
	}
	if !update {
		return nil
	}
	if err := os.WriteFile(filepath.Join(root, numbers.File), page.Document(), 0o644); err != nil {
		return fmt.Errorf("write the figures: %w", err)
	}
	fmt.Println("wrote " + numbers.File + "; go run ./scripts/check -fix numbers carries the figures into the lessons")
	return nil
}

// selected lists the packages with benchmarks of the chapters, of all of them without any.
func selected(root string, chapters []string) ([]string, error) {
	all, err := numbers.Packages(root)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for dir := range all {
		name := strings.Split(dir, "/")[1]
		named := func(c string) bool { return c == name || strings.HasPrefix(name, c+"-") }
		if len(chapters) == 0 || slices.ContainsFunc(chapters, named) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	if len(dirs) == 0 {
		return nil, fmt.Errorf("no benchmark in chapter %s: name one by its number, 01", strings.Join(chapters, ", "))
	}
	return dirs, nil
}

// current reads the document that is there, so that one chapter can be measured anew.
func current(root string) (numbers.Page, error) {
	text, err := os.ReadFile(filepath.Join(root, numbers.File))
	if os.IsNotExist(err) {
		return numbers.Page{}, nil
	}
	if err != nil {
		return numbers.Page{}, err
	}
	return numbers.Parse(text)
}

// show prints benchstat's own table.
func show(ctx context.Context, root string, results []byte) error {
	file := filepath.Join(os.TempDir(), fmt.Sprintf("bench-%d.txt", os.Getpid()))
	if err := os.WriteFile(file, results, 0o600); err != nil {
		return err
	}
	defer os.Remove(file)
	cmd := numbers.Benchstat(ctx, root, file)
	cmd.Stdout = os.Stdout
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("benchstat (go -C scripts/tools tool benchstat): %w", err)
	}
	return nil
}

// machine says where the results come from.
func machine(results []byte) string {
	cpu := "an unnamed processor"
	for line := range strings.Lines(string(results)) {
		if name, ok := strings.CutPrefix(line, "cpu: "); ok {
			cpu = strings.TrimSpace(name)
		}
	}
	return fmt.Sprintf("%s/%s, %d cores, %s, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpu,
		runtime.Version())
}
