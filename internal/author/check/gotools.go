package check

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

var gofmtCheck = Check{
	Name:   "gofmt",
	Guards: "Go files are formatted",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		var found []Finding
		err := eachGo(t, func(file string, source []byte) error {
			formatted, err := format.Source(source)
			switch {
			case err != nil:
				found = append(found, Finding{file, 0, "does not parse: " + err.Error(), "mend the syntax"})
			case !bytes.Equal(source, formatted):
				found = append(found, Finding{file, 0, "is not gofmt'ed", "go run ./scripts/check -fix gofmt"})
			}
			return nil
		})
		return found, err
	},
	Fix: func(_ context.Context, t *Tree) ([]string, error) {
		var wrote []string
		err := eachGo(t, func(file string, source []byte) error {
			formatted, err := format.Source(source)
			if err != nil {
				return nil // the finding says so
			}
			did, err := t.Write(file, formatted)
			if did {
				wrote = append(wrote, file)
			}
			return err
		})
		return wrote, err
	},
}

// eachGo calls f with every Go file. Those below testdata belong to tests, which may want them broken.
func eachGo(t *Tree, f func(file string, source []byte) error) error {
	files, err := t.Match("**/*.go")
	if err != nil {
		return err
	}
	for _, file := range files {
		if strings.Contains("/"+file, "/testdata/") {
			continue
		}
		source, err := t.Read(file)
		if err != nil {
			return err
		}
		if err := f(file, source); err != nil {
			return err
		}
	}
	return nil
}

var vetCheck = Check{
	Name:   "vet",
	Guards: "go vet finds nothing, in this module and the nested one of the tools",
	Slow:   true,
	Alone:  true,
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		dirs := []string{"."}
		if t.Exists("scripts/tools/go.mod") {
			dirs = append(dirs, "scripts/tools")
		}
		var found []Finding
		for _, dir := range dirs {
			out, err := command(ctx, t, "go", "-C", dir, "vet", "./...")
			if err != nil {
				found = append(found, compilerFindings(out, dir, "mend what go vet says")...)
			}
		}
		return found, nil
	},
}

var staticcheckCheck = Check{
	Name:   "staticcheck",
	Guards: "staticcheck finds nothing",
	Slow:   true,
	Alone:  true,
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		binary, err := toolPath(ctx, "staticcheck")
		if err != nil {
			return nil, err
		}
		out, err := command(ctx, t, binary, "./...")
		if err == nil {
			return nil, nil
		}
		var found []Finding
		for _, f := range compilerFindings(out, ".",
			"mend it; `go -C scripts/tools tool staticcheck -explain CODE` says why it matters") {
			if !meantToBe(f) {
				found = append(found, f)
			}
		}
		return found, nil
	},
}

// meantToBe says whether a finding is in the nature of the file: a stub does not use yet what its reader will use.
func meantToBe(f Finding) bool {
	return stubFile.MatchString(f.File) && strings.HasSuffix(f.What, "(U1000)")
}

// toolPath builds a tool of the nested module and gives the path of the binary in Go's build cache.
func toolPath(ctx context.Context, name string) (string, error) {
	root, err := FindRoot()
	if err != nil {
		return "", err
	}
	out, err := command(ctx, NewTree(root), "go", "-C", "scripts/tools", "tool", "-n", name)
	if err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.TrimSpace(lines[len(lines)-1]), nil
}

// command runs a program at the tree's root and gives what it printed on both streams.
func command(ctx context.Context, t *Tree, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = t.Root
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		return string(out), ctx.Err()
	}
	return string(out), err
}

var position = regexp.MustCompile(`^(?:vet: )?(\S+?\.go):(\d+)(?::\d+)?: (.*)$`)

// compilerFindings reads FILE:LINE:COL: MESSAGE lines. Output without any such line becomes one finding.
func compilerFindings(out, dir, mend string) []Finding {
	var found []Finding
	for line := range strings.Lines(out) {
		if m := position.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			n, _ := strconv.Atoi(m[2])
			file := strings.TrimPrefix(m[1], "./")
			if dir != "." {
				file = dir + "/" + file
			}
			found = append(found, Finding{file, n, m[3], mend})
		}
	}
	if len(found) == 0 {
		found = append(found, Finding{"", 0, strings.TrimSpace(out), mend})
	}
	return found
}
