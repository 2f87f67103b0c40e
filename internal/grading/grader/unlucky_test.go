package grader_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

const rightBody = "\tfor _, n := range numbers {\n\t\ts += n\n\t}\n\treturn s\n}\n"

// rightWith is a right solution that begins with something else.
func rightWith(imports, statements string) string {
	return "package sum\n\nimport (" + imports + ")\n\nfunc Sum(numbers []int) (s int) {\n\t" +
		statements + "\n" + rightBody
}

// nestedTypes is a page on which the compiler never comes to an end: each type holds the last one twice.
func nestedTypes() string {
	var b strings.Builder
	b.WriteString(sumHead + "type t0[P any] struct{ a, b *P }\n")
	for i := range 40 {
		n, last := string(rune('A'+i/26))+string(rune('a'+i%26)), "0"
		if i > 0 {
			last = string(rune('A'+(i-1)/26)) + string(rune('a'+(i-1)%26))
		}
		b.WriteString("type t" + n + "[P any] struct{ a t" + last + "[[1]P]; b t" + last + "[[2]P] }\n")
	}
	b.WriteString("var x tBn[int]\n\nfunc Sum(numbers []int) int { return 6 }\n")
	return b.String()
}

// crashing are people whose code crashes, hangs or floods what it can reach: the machine, the compiler, the grader.
var crashing = []person{
	{name: "opens a hundred thousand brackets", source: sumHead + "var x = " + strings.Repeat("(", 99000) + "1",
		status: grader.Failed, reason: grader.ReasonCompile,
		says: []string{"exercise.go:3: more than 250 brackets are open"}},
	{name: "denies a hundred thousand times", source: sumHead + "var x = " + strings.Repeat("!", 99000) + "true",
		status: grader.Failed, reason: grader.ReasonCompile},
	{name: "nests types until the compiler never ends", source: nestedTypes(),
		limits: grader.Limits{Build: 2 * time.Second},
		status: grader.Failed, reason: grader.ReasonCompile,
		says: []string{"compiles within 2s", "the compiler was still at work"}},
	{name: "instantiates itself without end",
		source: sumHead + "func f[T any](n int) { f[[2]T](n - 1) }\n\nfunc Sum(numbers []int) int { return 6 }\n",
		status: grader.Failed, reason: grader.ReasonCompile, says: []string{"instantiation cycle: exercise.go:3"}},
	{name: "imports ten thousand times",
		source: "package sum\n\n" + strings.Repeat("import \"a/v2\"\n", 9300) + sumRight +
			"\nvar x = (" + strings.Repeat("b.c+", 29000) + "1)\n",
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"at most 200 imports", "it has 9300"}},
	{name: "prints millions of empty lines", source: rightWith(`"fmt"; "strings"`,
		`fmt.Print(strings.Repeat("\n", 3<<20))`),
		status: grader.Failed, reason: grader.ReasonOutput, says: []string{"fewer than 100000 lines"}},
	{name: "prints empty lines for ever", source: rightWith(`"fmt"`, "for {\n\t\tfmt.Println()\n\t}"),
		status: grader.Failed, reason: grader.ReasonOutput, says: []string{"fewer than 100000 lines"}},
	{name: "dies with a text of a megabyte", source: rightWith(`"strings"`,
		`panic(strings.Repeat("so sorry ", 1<<17))`),
		status: grader.Failed, reason: grader.ReasonPanic, says: []string{"so sorry"}},
	{name: "panics beside a goroutine it left", source: rightWith("", "go func() { select {} }()\n\tpanic(numbers)"),
		status: grader.Failed, reason: grader.ReasonPanic, says: []string{"panic: ", "exercise.go:7 (in Sum)"}},
	{name: "leaves three goroutines", source: rightWith("", "for range 3 {\n\t\tgo func() { select {} }()\n\t}"),
		status: grader.Failed, reason: grader.ReasonLeak, says: []string{"3 goroutines are still there"}},
	{name: "has workers wait before the tests",
		source: "package sum\n\nvar work = make(chan func())\n\nfunc init() {\n\tfor range 2000 {\n\t\tgo func() {\n" +
			"\t\t\tfor f := range work {\n\t\t\t\tf()\n\t\t\t}\n\t\t}()\n\t}\n}\n\n" +
			"func Sum(numbers []int) (s int) {\n\twork <- func() { select {} }\n" + rightBody,
		status: grader.Failed, reason: grader.ReasonLeak, test: "TestSum",
		says: []string{"nothing that exercise.go started runs when the tests begin",
			"more than 1000 goroutines are still there", "(in init.0)"}},
	{name: "starts what ends before the tests", source: strings.Replace(rightWith("", ""), "func Sum",
		"func init() { go func() {}() }\n\nfunc Sum", 1), status: grader.Passed},
	{name: "prints what a panic prints", source: rightWith(`"fmt"`,
		`fmt.Println("\npanic: no\n\nfatal error: neither\n\nWARNING: DATA RACE")`),
		race: true, status: grader.Passed},
	{name: "prints what a panic prints, and panics",
		source: rightWith(`"fmt"`, `fmt.Println("\npanic: a joke"); panic("in earnest")`),
		status: grader.Failed, reason: grader.ReasonPanic, says: []string{"panic: in earnest"}},
	{name: "stops itself", source: rightWith(`"syscall"`, "syscall.Kill(syscall.Getpid(), syscall.SIGSTOP)"),
		status: grader.Failed, reason: grader.ReasonExit, test: "TestSum",
		says: []string{"it stopped itself in the middle"}},
	{name: "goes over to the grader's group and stops itself",
		source: rightWith(`"syscall"`, "pg, _ := syscall.Getpgid(syscall.Getppid())\n\tsyscall.Setpgid(0, pg)\n"+
			"\tsyscall.Kill(syscall.Getpid(), syscall.SIGSTOP)"),
		status: grader.Failed, reason: grader.ReasonExit, test: "TestSum",
		says: []string{"it stopped itself in the middle"}},
	{name: "goes over to the grader's group and hangs before the tests", limits: grader.Limits{Process: time.Second},
		source: strings.Replace(rightWith(`"syscall"`, ""), "func Sum",
			"func init() {\n\tpg, _ := syscall.Getpgid(syscall.Getppid())\n\tsyscall.Setpgid(0, pg)\n\tselect {}\n}\n"+
				"\nfunc Sum", 1),
		status: grader.Failed, reason: grader.ReasonHang},
	{name: "gives itself an hour", source: strings.Replace(rightWith(`"os"`, "select {}"), "func Sum",
		"func init() { os.Setenv(\"SCRATCH_EXERCISE_LIMIT\", \"1h\"); os.Unsetenv(\"SCRATCH_GRADED\") }\n\nfunc Sum",
		1),
		limits: short, status: grader.Failed, reason: grader.ReasonHang, says: []string{"within 1s"}},
	{name: "is slow in every test", source: rightWith(`"time"`,
		"for begin := time.Now(); time.Since(begin) < 900*time.Millisecond; {\n\t}"),
		limits: grader.Limits{Test: time.Second, Process: time.Second}, status: grader.Failed,
		reason: grader.ReasonHang},
	{name: "takes all memory before the first test",
		source: strings.Replace(rightWith("", ""), "func Sum",
			"var x = take()\n\nfunc take() (all [][]byte) {\n\tfor {\n\t\tb := make([]byte, 1<<20)\n"+
				"\t\tfor i := 0; i < len(b); i += 512 {\n\t\t\tb[i] = 1\n\t\t}\n\t\tall = append(all, b)\n\t}\n}\n\n"+
				"func Sum", 1),
		limits: grader.Limits{Memory: 200 << 20}, status: grader.Failed, reason: grader.ReasonMemory,
		says: []string{"less than 200 MB"}},
	{name: "takes all memory in stacks",
		source: sumHead + "func deep(n int) int {\n\tif n == 0 {\n\t\tselect {}\n\t}\n\treturn deep(n-1) + 1\n}\n\n" +
			"func Sum([]int) int {\n\tfor {\n\t\tgo deep(100_000)\n\t}\n}\n",
		limits: grader.Limits{Memory: 200 << 20}, status: grader.Failed, reason: grader.ReasonMemory,
		says: []string{"less than 200 MB"}},
}

// TestCrashing: the grader outlives it, and says what it was.
func TestCrashing(t *testing.T) {
	t.Parallel()
	for _, p := range crashing {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS != "linux" && p.limits.Memory > 0 {
				t.Skip("needs linux: the memory of a process group is read from /proc")
			}
			e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
			gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"), p.source)
			r := grader.GradeOne(t.Context(), e, grader.Options{Race: p.race, Limits: p.limits})
			check(t, p, r)
			if r.Seconds > 100 { // under 15 on a machine that has nothing else to do
				t.Errorf("the verdict took %.0f s", r.Seconds)
			}
		})
	}
}

// TestFilesStayInTheWorkspace: what a submission writes beside itself is not in the course afterwards, and what it
// leaves in its own folders is gone.
func TestFilesStayInTheWorkspace(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	gradertest.Write(t, filepath.Join(e.Dir(), "testdata", "given.txt"), "given\n")
	if _, err := e.WriteStub(); err != nil { // hashes the new given file too
		t.Fatal(err)
	}
	gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"), rightWith(`"os"`, `if numbers == nil {
		return 0
	}
	text, _ := os.ReadFile("testdata/given.txt")
	if string(text) != "given\n" {
		panic("no testdata")
	}
	os.WriteFile("left.txt", nil, 0o600)
	os.WriteFile("exercise_test.go", nil, 0o600)
	os.MkdirAll("closed/in", 0o700)
	os.Chmod("closed", 0)
	for range 3000 {
		os.Mkdir("deep", 0o700)
		os.Chdir("deep")
	}`))
	before := names(t, e.Dir())
	r := grader.GradeOne(t.Context(), e, grader.Options{})
	if r.Status != grader.Passed {
		t.Errorf("%+v %+v", r, r.Failure)
	}
	if after := names(t, e.Dir()); after != before {
		t.Errorf("the course had %s, and has %s", before, after)
	}
	if left := names(t, temp); left != "" {
		t.Errorf("left in the temporary folder: %s", left)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// TestCollisions: the message names the learner's name, and no file of the tests.
func TestCollisions(t *testing.T) {
	t.Parallel()
	for _, tests := range []string{
		"package sum\n\nimport \"testing\"\n\nfunc Retry() {}\n\nfunc TestSum(t *testing.T) { Retry(); Sum(nil) }\n",
		"package sum_test\n\nimport (\n\t\"testing\"\n\n" +
			"\t. \"github.com/controllers-from-scratch/controllers-from-scratch/chapters/98-fixture/exercises/1-sum\"\n)\n\nfunc Retry() {}\n\nfunc TestSum(t *testing.T) { Retry(); Sum(nil) }\n",
	} {
		e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
		gradertest.Write(t, filepath.Join(e.Dir(), "exercise_test.go"), tests)
		if _, err := e.WriteStub(); err != nil {
			t.Fatal(err)
		}
		gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"), rightWith("", "Retry()")+"\nfunc Retry() {}\n")
		r := grader.GradeOne(t.Context(), e, grader.Options{})
		check(t, person{status: grader.Failed, reason: grader.ReasonCompile,
			says: []string{"exercise.go declares Retry, and the tests use that name"}, silent: []string{"_test.go",
				os.TempDir()}}, r)
	}
}
