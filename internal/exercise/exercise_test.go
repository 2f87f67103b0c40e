package exercise

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fake is a T that keeps what it is told.
type fake struct{ attrs, errors, fatals []string }

func (f *fake) Helper()                      {}
func (f *fake) Attr(key, value string)       { f.attrs = append(f.attrs, key+" "+value) }
func (f *fake) Errorf(_ string, args ...any) { f.errors = append(f.errors, args[0].(Verdict).String()) }
func (f *fake) Fatalf(_ string, args ...any) { f.fatals = append(f.fatals, args[0].(Verdict).String()) }

func TestVerdicts(t *testing.T) {
	v := Verdict{Expected: "two\nlines", Happened: "one", PointsTo: "a belief"}
	var f fake
	Expect(&f, true, v)
	if len(f.attrs)+len(f.fatals) > 0 {
		t.Errorf("an expectation that is met says %+v", f)
	}
	Expect(&f, false, v)
	Report(&f, v)
	if len(f.fatals) != 1 || len(f.errors) != 1 || len(f.attrs) != 2 {
		t.Fatalf("%+v", f)
	}
	if want := "\nExpected: two\nlines\nHappened: one\nPoints to: a belief"; f.fatals[0] != want {
		t.Errorf("%q", f.fatals[0])
	}
	if strings.Contains(f.attrs[0], "\n") || !strings.HasPrefix(f.attrs[0], Attribute+` {"expected":"two\nlines"`) {
		t.Errorf("%q is no single line", f.attrs[0])
	}
}

// TestIsStub compares files in the layout of the repository.
func TestIsStub(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, "chapters", "01-x", "exercises", "1-y")
	solution := filepath.Join(root, "solutions", "01-x", "1-y")
	write := func(dir, text string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "exercise.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(folder, "package y\n\nfunc F() int { return 0 }\n")
	if isStub(folder) {
		t.Error("a stub without a reference to compare with is taken for untouched")
	}
	write(solution, "package y\n\nfunc F() int {\n\t//solution:begin\n\t//stub: return 0\n\treturn 1\n\t//solution:end\n}\n")
	if !isStub(folder) {
		t.Error("the stub is taken for touched")
	}
	write(folder, "package y\n\nfunc F() int { return 1 }\n")
	if isStub(folder) {
		t.Error("a touched file is taken for the stub")
	}
}

const dump = `goroutine 1 [chan receive]:
testing.(*T).Run(0xc0001)
	/go/testing.go:1 +0x1

goroutine 8 [select (durable), synctest bubble 1]:
M/chapters/01-x/exercises/1-y.(*Box).wait.func1()
	/tmp/g/exercise.go:12 +0x1
created by M/chapters/01-x/exercises/1-y.Start in goroutine 7
	/tmp/g/exercise.go:9 +0x1

goroutine 9 [sync.Mutex.Lock, 2 minutes]:
internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)
	/go/sema.go:95 +0x25
M/chapters/01-x/exercises/1-y.Map[...](0xc00001)
	/tmp/g/exercise.go:20 +0x1

goroutine 10 [IO wait]:
net.(*conn).Read(0x1)
	/go/net.go:1 +0x1
created by M/chapters/01-x/exercises/1-y.(*Box).Dial
	/tmp/g/exercise.go:30 +0x1
`

func TestStacks(t *testing.T) {
	all := parseStacks(dump)
	if len(all) != 4 {
		t.Fatalf("%d goroutines", len(all))
	}
	for i, want := range []goroutine{
		{state: "chan receive"},
		{state: "select", at: "exercise.go:12, in (*Box).wait", from: "exercise.go:9, in Start"},
		{state: "sync.Mutex.Lock", at: "exercise.go:20, in Map[...]"},
		{state: "IO wait", from: "exercise.go:30, in (*Box).Dial"},
	} {
		if all[i].state != want.state || all[i].at != want.at || all[i].from != want.from {
			t.Errorf("%d: %+v, want %+v", i, all[i], want)
		}
	}
	v := hangVerdict(&guard{hangMeans: "m"}, time.Second, all)
	if v.Happened != "it still ran: waiting for a lock at exercise.go:20, in Map[...]" || v.PointsTo != "m" {
		t.Errorf("%+v", v)
	}
	v = leakVerdict(&guard{}, all[3:])
	if v.Happened != "1 goroutine is still there: waiting for the network, started at exercise.go:30, in (*Box).Dial" {
		t.Errorf("%+v", v)
	}
	busy := "goroutine 19 [runnable]:\nM/chapters/01-x/exercises/1-y_test.(*scene).add(0x1)\n\t/tmp/g/scene_test.go:63 +0xd8\n"
	v = hangVerdict(&guard{}, time.Second, parseStacks(busy))
	if v.Happened != "it still ran, and was busy: it waited for nothing" {
		t.Errorf("%+v", v)
	}
	if v := hangVerdict(&guard{}, time.Second, all[:1]); !strings.Contains(v.Happened, "never came") {
		t.Errorf("%+v", v)
	}
}

func TestTimeLimit(t *testing.T) {
	given := givenLimit
	defer func() { givenLimit = given }()
	givenLimit = "3s"
	t.Setenv(LimitEnv, "1h") // as exercise.go could
	if got := timeLimit(); got != 3*time.Second {
		t.Error(got)
	}
	givenLimit = ""
	if got := timeLimit(); got != defaultLimit && got != 0 {
		t.Error(got)
	}
}
