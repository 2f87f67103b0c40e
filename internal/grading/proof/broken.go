package proof

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof/overlay"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// A Broken is a mechanism of the book as somebody would write it who does not know one of the guidelines: the file
// chapters/NN-name/MECHANISM/broken/BELIEF.go is an overlay of one file of the mechanism. The book's own tests have to
// notice.
type Broken struct {
	Path   string // from the root, with slashes
	Header overlay.Header

	base   string // the file that it is an overlay of, from the root
	merged overlay.Merged
}

// Name is how the table of proofs calls it: MECHANISM/broken/BELIEF.
func (b Broken) Name() string {
	_, name, _ := strings.Cut(strings.TrimPrefix(b.Path, "chapters/"), "/")
	return strings.TrimSuffix(name, ".go")
}

// Mechanisms reads the broken mechanisms of chapters, which are named by their folders, and says what is wrong with
// those that can't be proven.
func Mechanisms(root string, chapters ...string) (all []Broken, problems []string) {
	for _, chapter := range chapters {
		files, _ := filepath.Glob(filepath.Join(root, "chapters", chapter, "*", "broken", "*.go"))
		deeper, _ := filepath.Glob(filepath.Join(root, "chapters", chapter, "*", "*", "broken", "*.go"))
		for _, file := range append(files, deeper...) {
			rel, err := filepath.Rel(root, file)
			if err != nil {
				return nil, []string{err.Error()}
			}
			b, err := readBroken(root, filepath.ToSlash(rel))
			if err != nil {
				problems = append(problems, err.Error())
				continue
			}
			all = append(all, b)
		}
	}
	return all, problems
}

// readBroken reads one, and merges it with its base. Its errors begin with its path.
func readBroken(root, file string) (Broken, error) {
	b := Broken{Path: file}
	source, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return b, err
	}
	if formatted, err := format.Source(source); err == nil && !bytes.Equal(formatted, source) {
		return b, fmt.Errorf("%s: is not formatted: gofmt -w", file)
	}
	over, header, err := overlay.ParseOverlay(file, source)
	if err != nil {
		return b, err
	}
	b.Header = header
	if err := header.CheckGuideline(); err != nil {
		return b, fmt.Errorf("%s: %w", file, err)
	}
	b.base = path.Join(path.Dir(path.Dir(file)), header.Base)
	text, err := os.ReadFile(filepath.Join(root, b.base))
	if err != nil || path.Base(header.Base) != header.Base {
		return b, fmt.Errorf("%s: Base: %s is no file of the mechanism", file, header.Base)
	}
	base, err := overlay.Parse(b.base, text)
	if err != nil {
		return b, err
	}
	b.merged, err = overlay.Merge(base, over, header.Removes)
	return b, err
}

// longestTest is how long the tests of a broken mechanism may take, with what is compiled for them.
const longestTest = 5 * time.Minute

// Verify is [Broken.Prove], once more if [Options.Again] says so.
func (b Broken) Verify(ctx context.Context, root string, o Options) Row {
	row := b.Prove(ctx, root)
	if row.OK || !o.Again || ctx.Err() != nil {
		return row
	}
	again := b.Prove(ctx, root)
	if again.OK {
		again.Flaky = row.Message
	}
	return again
}

// Prove runs the test that the header names on the broken mechanism: it has to fail with the message that the header
// quotes.
func (b Broken) Prove(ctx context.Context, root string) (row Row) {
	row = Row{Solution: b.Name()}
	begin := time.Now()
	defer func() { row.Seconds = time.Since(begin).Seconds() }()
	out, err := b.test(ctx, root)
	if err != nil {
		row.Message = err.Error()
		return row
	}
	said, failed := out.failure(b.caughtBy())
	message := strings.Join(strings.Fields(b.Header.Message), " ")
	switch {
	case out.passed && out.ran == 0:
		row.Message = fmt.Sprintf("%s has no test %s", b.tests(), b.Header.CaughtBy)
	case out.passed:
		row.Message = "SURVIVES: " + b.Header.CaughtBy + " passes"
	case !failed && out.ran == 0:
		row.Message = "does not compile, or its tests do not run: " + out.text()
	case !failed:
		row.Message = fmt.Sprintf("the header names %s, and what failed is another: %s", b.Header.CaughtBy, out.text())
	case !strings.Contains(said, message):
		row.Message = fmt.Sprintf("the header quotes %q; what the test says is: %s", b.Header.Message, said)
	default:
		row.OK, row.Test, row.Message = true, b.Header.CaughtBy, said
	}
	return row
}

// tests is the package of the test that the header names, from the root: the mechanism's, or one below its chapter.
func (b Broken) tests() string {
	if b.Header.In == "" {
		return path.Dir(b.base)
	}
	chapter := strings.SplitN(b.Path, "/", 3)
	return path.Join(chapter[0], chapter[1], b.Header.In)
}

// caughtBy is the test as the testing package names it.
func (b Broken) caughtBy() string { return strings.ReplaceAll(b.Header.CaughtBy, " ", "_") }

// outcome is what a run of tests left.
type outcome struct {
	passed bool
	ran    int // tests that began
	failed []string
	said   map[string]*strings.Builder // by test; "" is what no test said
}

// test runs the test that the header names, over a copy of its base that is merged.
func (b Broken) test(ctx context.Context, root string) (*outcome, error) {
	dir, err := os.MkdirTemp("", "broken-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file, plan := filepath.Join(dir, "merged.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, b.base): file}})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.WriteFile(file, b.merged.Source, 0o600), os.WriteFile(plan, replace, 0o600)); err != nil {
		return nil, err
	}
	var parts []string
	for part := range strings.SplitSeq(b.caughtBy(), "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "-timeout", longestTest.String(),
		"-overlay", plan, "-run", strings.Join(parts, "/"), "./"+b.tests())
	cmd.Dir = root
	stdout, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("go test: %w", err)
	}
	o := &outcome{passed: err == nil, said: map[string]*strings.Builder{"": {}}}
	if exit != nil {
		o.said[""].Write(exit.Stderr)
	}
	o.read(stdout)
	return o, ctx.Err()
}

// framed are the lines that the testing package writes around what a test says.
var framed = regexp.MustCompile(`^ *(?:===|---) `)

// read reads what go test -json writes.
func (o *outcome) read(stdout []byte) {
	for line := range bytes.Lines(stdout) {
		var event struct{ Action, Test, Output string }
		if json.Unmarshal(line, &event) != nil {
			event.Action, event.Output = "output", string(line)
		}
		switch event.Action {
		case "run":
			o.ran++
		case "fail":
			o.failed = append(o.failed, event.Test)
		case "output", "build-output":
			if o.said[event.Test] == nil {
				o.said[event.Test] = &strings.Builder{}
			}
			if !framed.MatchString(event.Output) {
				o.said[event.Test].WriteString(event.Output)
			}
		}
	}
}

// failure is what a test said that failed, and its parts.
func (o *outcome) failure(test string) (said string, failed bool) {
	if !slices.Contains(o.failed, test) {
		return "", false
	}
	var all []string
	for name, text := range o.said {
		if name == test || strings.HasPrefix(name, test+"/") {
			all = append(all, text.String())
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return strings.Join(strings.Fields(strings.Join(all, " ")), " "), true
}

// text is all that was said, on one line that is not too long.
func (o *outcome) text() string {
	var all []string
	for _, text := range o.said {
		all = append(all, text.String())
	}
	return term.Clip(strings.Join(strings.Fields(strings.Join(all, " ")), " "), 1000)
}
