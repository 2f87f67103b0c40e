package grader_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

// TestWhatLiesAround: neither the environment of whoever grades nor what lies in the folders decides what is graded.
func TestWhatLiesAround(t *testing.T) {
	c := gradertest.Module(t)
	e, dir, settings := gradertest.Exercises(t, c, "98.1")[0], t.TempDir(), filepath.Join(t.TempDir(), "env")
	gradertest.Write(t, filepath.Join(dir, "98.1.go"), sumHead+sumRight)
	gradertest.Write(t, settings, "GOFLAGS=-cover\n")
	for name, around := range map[string]func(t *testing.T){
		"flags that build the file on disk": func(t *testing.T) { t.Setenv("GOFLAGS", "-cover") },
		"flags that the go command has written": func(t *testing.T) {
			t.Setenv("GOFLAGS", "")
			t.Setenv("GOENV", settings)
		},
		"flags that the go command has not": func(t *testing.T) { t.Setenv("GOFLAGS", "-nonsense") },
		"another workspace":                 func(t *testing.T) { t.Setenv("GOWORK", filepath.Join(dir, "go.work")) },
		"another system":                    func(t *testing.T) { t.Setenv("GOOS", "plan9") },
		"a module in the exercise's folder": func(t *testing.T) {
			gradertest.Write(t, filepath.Join(e.Dir(), "go.mod"), "module x\n")
		},
		"a module around the exercises": func(t *testing.T) {
			gradertest.Write(t, filepath.Join(c.Dir, "chapters", "go.mod"), "module y\n")
		},
		"C and assembler": func(t *testing.T) {
			gradertest.Write(t, filepath.Join(e.Dir(), "a.c"), "x\n")
			gradertest.Write(t, filepath.Join(e.Dir(), "a.s"), "x\n")
		},
		"a second file that does not compile": func(t *testing.T) {
			gradertest.Write(t, filepath.Join(e.Dir(), "mine.go"), "package mine\n")
		},
		"vendored packages of another time": func(t *testing.T) {
			gradertest.Write(t, filepath.Join(c.Dir, "vendor", "modules.txt"), "# x v1.0.0\n")
		},
		"a note, which the go command overlooks": func(t *testing.T) {
			gradertest.Write(t, filepath.Join(e.Dir(), "notes.txt"), "x\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			around(t)
			if r := grader.GradeOne(t.Context(), e, grader.Options{From: dir}); r.Status != grader.Passed {
				t.Errorf("%s: %+v: %s", r.Status, r.Failure, r.Error)
			}
		})
	}
	gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"), sumHead+sumRight)
	r := grader.GradeOne(t.Context(), e, grader.Options{})
	if want := "only exercise.go is graded, without a.c, a.s, go.mod, mine.go"; r.Status != grader.Passed ||
		len(r.Notes) != 1 || r.Notes[0] != want {
		t.Errorf("a learner: %+v, want the note %q", r, want)
	}
}

// TestNothingIsDownloaded: a module that is missing is the machine's fault, and the grader asks nobody for it.
func TestNothingIsDownloaded(t *testing.T) {
	var asked atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		http.Error(w, "no", http.StatusTeapot)
	}))
	defer proxy.Close()
	e, dir := gradertest.Exercises(t, gradertest.New(t), "98.1")[0], t.TempDir()
	gradertest.Write(t, filepath.Join(dir, "98.1.go"), sumHead+sumRight)
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOPROXY", proxy.URL)
	r := grader.GradeOne(t.Context(), e, grader.Options{From: dir})
	if r.Status != grader.Errored || !strings.Contains(r.Error, "run go mod download in the course's folder") {
		t.Errorf("%s: %+v: %s", r.Status, r.Failure, r.Error)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the grader asked the proxy %d times", n)
	}
}

// TestWhoseFault: what the go command says without naming exercise.go is the learner's fault if the stub builds, and
// else the course's.
func TestWhoseFault(t *testing.T) {
	t.Parallel()
	e, dir := gradertest.Exercises(t, gradertest.New(t), "98.1")[0], t.TempDir()
	for name, more := range map[string]string{
		"an array larger than the machine": "var huge [1 << 50]byte\n\nfunc init() { huge[0] = 1 }\n",
		"an array that no program holds":   "var huge [1 << 40]byte\n\nfunc init() { huge[0] = 1 }\n",
		"a function without a body":        "func asm()\n\nfunc init() { asm() }\n",
		"a file embedded that is not":      "import _ \"embed\"\n",
		"the go command's own words":       "var n int = \"module lookup disabled by GOPROXY=off\"\n",
		"parameters under another name":    "func init() { _ = nothing }\n",
	} {
		text := "package sum\n\n" + sumRight + "\n" + more
		if strings.HasPrefix(more, "import") {
			text = "package sum\n\n" + more + "\n//go:embed none.txt\nvar none string\n\n" + sumRight
		}
		gradertest.Write(t, filepath.Join(dir, "98.1.go"), text)
		r := grader.GradeOne(t.Context(), e, grader.Options{From: dir})
		if r.Status != grader.Failed || r.Failure.Reason != grader.ReasonCompile {
			t.Errorf("%s: %s: %+v: %s", name, r.Status, r.Failure, r.Error)
			continue
		}
		t.Logf("%s: %s", name, r.Failure.Text())
	}
	// A course whose own test does not compile, and whose hashes say that it is so.
	c := gradertest.New(t)
	e = gradertest.Exercises(t, c, "98.1")[0]
	path := filepath.Join(e.Dir(), "exercise_test.go")
	gradertest.Write(t, path, gradertest.Read(t, path)+"\nvar _ = none\n")
	if _, err := e.WriteStub(); err != nil {
		t.Fatal(err)
	}
	gradertest.Write(t, filepath.Join(dir, "98.1.go"), sumHead+sumRight)
	r := grader.GradeOne(t.Context(), e, grader.Options{From: dir})
	if r.Status != grader.Errored || !strings.Contains(r.Error, "no fault of exercise.go") ||
		!strings.Contains(r.Error, "undefined: none") {
		t.Errorf("%s: %+v: %s", r.Status, r.Failure, r.Error)
	}
}
