package exercise

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// GradedEnv is set by the grader, which has compared the file with its stub itself: to [GradedBySecret], or by a
// person to 1.
const GradedEnv = "SCRATCH_GRADED"

// GradedBySecret says that a line on standard input holds a secret. A test that came to its end without a failure
// gives a [Proof] of it back as the attribute [DoneAttribute]. Packages are initialised before those that import them,
// and the grader has exercise.go's import this one: so exercise.go never sees the secret, and can't pass by printing
// what a passing test prints.
const (
	GradedBySecret = "secret"
	DoneAttribute  = "exercise.done"
)

// folder is the exercise's own: `go test` starts a test there. It is read before a test can change it.
var folder, _ = os.Getwd()

var secret string

// graded is the value of [GradedEnv], read before exercise.go can change it.
var graded = os.Getenv(GradedEnv)

func init() {
	if graded == "" {
		return // also the grader itself, which imports this package
	}
	boundStack()
	if graded == GradedBySecret {
		line, _ := io.ReadAll(io.LimitReader(os.Stdin, 100))
		secret = string(bytes.TrimSpace(line))
		sealFlags()
	}
}

// An Option says what a failure that this package finds points to in this test.
type Option func(*guard)

// HangMeans is what a verdict about a hang points to: the belief, as in [Verdict.PointsTo].
func HangMeans(belief string) Option { return func(g *guard) { g.hangMeans = belief } }

// LeakMeans is what a verdict about goroutines left behind points to.
func LeakMeans(belief string) Option { return func(g *guard) { g.leakMeans = belief } }

// Attempted is the first call of every graded test. It skips the test while the stub is untouched. Otherwise it
// watches over the test: one that runs for too long, takes too much memory, or leaves goroutines behind (looked for
// after the test's other cleanups) fails with a verdict. Graded tests do not run in parallel.
func Attempted(t *testing.T, options ...Option) {
	t.Helper()
	if graded == "" && untouched() {
		t.Skip("not attempted: exercise.go is the stub")
	}
	boundStack()
	watch(t, options)
}

var untouched = sync.OnceValue(func() bool { return isStub(folder) })

// isStub is about a folder ROOT/chapters/CHAPTER/exercises/EXERCISE. Where nothing can be compared, as without the
// solutions, whatever there is counts as an attempt.
func isStub(folder string) bool {
	chapter := filepath.Dir(filepath.Dir(folder))
	root := filepath.Dir(filepath.Dir(chapter))
	written, err := stub.Written(root, filepath.Base(chapter), filepath.Base(folder))
	return err == nil && !written
}
