package numbers

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

var benchmarkFunc = regexp.MustCompile(`(?m)^func Benchmark([A-Z]\w*)\(b \*testing\.B\)`)

// Packages lists the folders below chapters/ that have benchmarks, relative to root and sorted, with the names of their
// benchmarks (Stream for BenchmarkStream).
func Packages(root string) (map[string][]string, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(filepath.Join(root, "chapters"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, m := range benchmarkFunc.FindAllSubmatch(source, -1) {
			found[filepath.ToSlash(dir)] = append(found[filepath.ToSlash(dir)], string(m[1]))
		}
		return nil
	})
	for _, names := range found {
		slices.Sort(names)
	}
	return found, err
}

// Options say how to measure.
type Options struct {
	Count int    // runs of each benchmark; benchstat wants 6 at least for an interval
	Time  string // of one run, as -benchtime takes it
	// Line, if set, is given each result as it comes.
	Line func(string)
}

// Run runs the benchmarks of one package and returns what they print, in Go's benchmark format.
func Run(ctx context.Context, root, dir string, o Options) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", ".", "-benchmem",
		"-count", fmt.Sprint(o.Count), "-benchtime", o.Time, "./"+dir)
	cmd.Dir = root
	// the go command passes it on to the benchmark
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var complaints strings.Builder
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the go command: %w", err)
	}
	var out strings.Builder
	lines := bufio.NewScanner(pipe)
	for lines.Scan() {
		out.WriteString(lines.Text() + "\n")
		if o.Line != nil && strings.HasPrefix(lines.Text(), "Benchmark") {
			o.Line(lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		_, _ = io.Copy(io.Discard, pipe)
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("the benchmarks of %s failed: %w\n%s%s", dir, err, out.String(), complaints.String())
	}
	return []byte(out.String()), nil
}
