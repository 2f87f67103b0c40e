package grader_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/racedetector"
)

// person is what somebody did to exercise.go, and what the grader says to it.
type person struct {
	name   string
	in     string // the exercise, 98.1 unless given
	source string
	// act, if set, does what a text alone can't.
	act    func(t *testing.T, e grader.Exercise)
	race   bool
	limits grader.Limits

	status grader.Status
	reason grader.Reason
	test   string
	points int      // where the exercise has stages
	says   []string // parts of the message
	silent []string // what is not in it
}

const sumHead = "package sum\n\n"

var short = grader.Limits{Test: time.Second, Process: 20 * time.Second, Output: 1 << 20}

var people = []person{
	{name: "a right solution", source: sumHead +
		"func Sum(numbers []int) (s int) {\n\tfor _, n := range numbers {\n\t\ts += n\n\t}\n\treturn\n}\n",
		status: grader.Passed},
	{name: "a wrong one", source: sumHead + "func Sum(numbers []int) int { return len(numbers) }\n",
		status: grader.Failed, reason: grader.ReasonExpectation, test: "TestSum",
		says: []string{"Expected: the sum of [1 2 3] is 6 Happened: it was 3 Points to: the last number does not count"}},
	{name: "does not compile", source: sumHead + "func Sum(numbers []int) int {\n\tx := 1\n\treturn \"a\" + y\n}\n",
		status: grader.Failed, reason: grader.ReasonCompile,
		says:   []string{"Happened: exercise.go:4: declared and not used: x", "more such error"},
		silent: []string{"#", "FAIL", "/tmp"}},
	{name: "does not parse", source: sumHead + "func Sum(numbers []int) int {\n\treturn 1 +\n}\n",
		status: grader.Failed, reason: grader.ReasonCompile, says: []string{"exercise.go:5: expected operand"}},
	{name: "is an answer in Markdown", source: "```go\n" + sumHead + sumRight + "```\n",
		status: grader.Failed, reason: grader.ReasonCompile, says: []string{"exercise.go:1: a fence of Markdown"},
		silent: []string{"more such"}},
	{name: "holds a conflict", source: sumHead + "<<<<<<< HEAD\n" + sumRight + "=======\n" + sumWrong +
		">>>>>>> theirs\n",
		status: grader.Failed, reason: grader.ReasonCompile, says: []string{"exercise.go:3: a conflict that git left"}},
	{name: "imports what is not there", source: "package sum\n\nimport _ \"example.com/none\"\n\n" +
		"func Sum([]int) int { return 0 }\n",
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:3 imports example.com/none"},
		silent: []string{"go get"}},
	{name: "panics", source: sumHead + "func Sum(numbers []int) int {\n" +
		"\treturn numbers[2] + numbers[1] + numbers[3]\n}\n",
		status: grader.Failed, reason: grader.ReasonPanic, test: "TestSum",
		says: []string{"panic: runtime error: index out of range [3] with length 3, at exercise.go:4 (in Sum)"}},
	{name: "calls itself without end", source: sumHead +
		"func Sum(numbers []int) int {\n\treturn Sum(numbers) + 1\n}\n",
		status: grader.Failed, reason: grader.ReasonPanic, says: []string{"stack overflow", "exercise.go:3 (in Sum)"}},
	{name: "loops for ever", source: sumHead + "func Sum(numbers []int) int {\n\tfor {\n\t}\n}\n", limits: short,
		status: grader.Failed, reason: grader.ReasonHang, test: "TestSum",
		says: []string{"within 1s", "running at exercise.go:4 (in Sum)", "Points to: a loop ends by itself"}},
	{name: "loops for ever in a goroutine it waits for", limits: short,
		source: sumHead + "func Sum(numbers []int) int {\n\tdone := make(chan int)\n\tgo func() {\n\t\tfor {\n\t\t}\n" +
			"\t}()\n\treturn <-done\n}\n",
		status: grader.Failed, reason: grader.ReasonHang, says: []string{"running at exercise.go:6 (in Sum)"}},
	{name: "hangs before the tests", limits: short,
		source: sumHead + "func init() {\n\tselect {}\n}\n\nfunc Sum([]int) int { return 0 }\n",
		status: grader.Failed, reason: grader.ReasonHang,
		says: []string{"the tests begin within 1s", "exercise.go:4 (in init.0)"}},
	{name: "holds a lock in a bubble", in: "98.2", limits: short,
		source: "package box\n\nimport \"sync\"\n\ntype Box struct{ mu sync.Mutex }\n\nfunc (b *Box) Put(int) {\n" +
			"\tb.mu.Lock()\n}\n\nfunc (b *Box) Get() int { return 0 }\n",
		status: grader.Failed, reason: grader.ReasonHang, test: "TestBox",
		says: []string{"waiting for a lock at exercise.go:8 (in (*Box).Put)"}, silent: []string{"has returned"}},
	{name: "takes a lock in each round of a loop", in: "98.2", limits: short,
		source: "package box\n\nimport \"sync\"\n\ntype Box struct {\n\tmu sync.Mutex\n\tv  int\n}\n\n" +
			"func (b *Box) Put(v int) {\n\tfor range 2 {\n\t\tb.mu.Lock()\n\t\tb.v = v\n\t}\n}\n\n" +
			"func (b *Box) Get() int { return b.v }\n",
		status: grader.Failed, reason: grader.ReasonHang,
		says: []string{"waiting for a lock at exercise.go:12 (in (*Box).Put)"}, silent: []string{"has returned"}},
	{name: "locks in a helper, and calls a method that does", in: "98.2", limits: short,
		source: "package box\n\nimport \"sync\"\n\ntype Box struct {\n\tmu sync.Mutex\n\tv  int\n}\n\n" +
			"func (b *Box) lock() { b.mu.Lock() }\n\nfunc (b *Box) Put(v int) {\n\tb.lock()\n" +
			"\tif b.v = v; b.Get() != v {\n\t\tpanic(v)\n\t}\n\tb.mu.Unlock()\n}\n\n" +
			"func (b *Box) Get() int {\n\tb.lock()\n\tdefer b.mu.Unlock()\n\treturn b.v\n}\n",
		status: grader.Failed, reason: grader.ReasonHang,
		says: []string{"waiting for a lock at exercise.go:10 (in (*Box).lock), called at exercise.go:21 " +
			"(in (*Box).Get), called at exercise.go:14 (in (*Box).Put)"}},
	{name: "takes a lock twice", in: "98.2", limits: short,
		source: "package box\n\nimport \"sync\"\n\ntype Box struct{ mu sync.Mutex }\n\nfunc (b *Box) Put(int) {\n" +
			"\tb.mu.Lock()\n\tdefer b.mu.Unlock()\n\tb.Get()\n}\n\nfunc (b *Box) Get() int {\n\tb.mu.Lock()\n" +
			"\treturn 0\n}\n",
		status: grader.Failed, reason: grader.ReasonHang, test: "TestBox",
		says: []string{"waiting for a lock at exercise.go:14 (in (*Box).Get), called at exercise.go:10 (in " +
			"(*Box).Put), after the Lock of exercise.go:8"}},
	{name: "sends with the lock", in: "98.2", limits: short,
		source: "package box\n\nimport \"sync\"\n\ntype Box struct {\n\tmu sync.Mutex\n\tready chan bool\n" +
			"\tout chan int\n}\n\nfunc (b *Box) Put(v int) {\n\tb.ready = make(chan bool)\n\tgo func() {\n" +
			"\t\tb.mu.Lock()\n\t\tclose(b.ready)\n\t\tb.out <- v\n\t}()\n\t<-b.ready\n\tb.Get()\n}\n\n" +
			"func (b *Box) Get() int {\n\tb.mu.Lock()\n\treturn 0\n}\n",
		status: grader.Failed, reason: grader.ReasonHang, test: "TestBox",
		says: []string{"waiting to send to a channel at exercise.go:16 (in (*Box).Put), after the Lock of " +
			"exercise.go:14; waiting for a lock at exercise.go:23 (in (*Box).Get)"}},
	{name: "waits for nothing in a bubble", in: "98.2",
		source: "package box\n\ntype Box struct{}\n\nfunc (b *Box) Put(int) {\n\tselect {}\n}\n\n" +
			"func (b *Box) Get() int { return 0 }\n",
		status: grader.Failed, reason: grader.ReasonHang, test: "TestBox",
		says: []string{"every goroutine waits", "waiting in a select at exercise.go:6 (in (*Box).Put)"}},
	{name: "leaves a goroutine in a bubble", in: "98.2",
		source: "package box\n\ntype Box struct{ v int }\n\nfunc (b *Box) Put(v int) {\n\tb.v = v\n\tgo func() {\n" +
			"\t\tselect {}\n\t}()\n}\n\nfunc (b *Box) Get() int { return b.v }\n",
		status: grader.Failed, reason: grader.ReasonLeak, test: "TestBox",
		says: []string{"2 goroutines are still there: waiting in a select at exercise.go:8 (in (*Box).Put)"}},
	{name: "leaves a goroutine", source: sumHead +
		"func Sum(numbers []int) int {\n\tgo func() { select {} }()\n\treturn 3 * len(numbers) / 3 * 2\n}\n",
		status: grader.Failed, reason: grader.ReasonLeak, test: "TestSum",
		says: []string{"1 goroutine is still there: waiting in a select at exercise.go:4 (in Sum)",
			"Points to: a goroutine ends by itself"}},
	{name: "exits in init", source: "package sum\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n\n" +
		"func Sum([]int) int { return 0 }\n",
		status: grader.Failed, reason: grader.ReasonExit,
		says: []string{"before that, with exit status 0; exercise.go:5 ends the process"}},
	{name: "exits in the function", source: "package sum\n\nimport \"os\"\n\nfunc Sum([]int) int {\n\tos.Exit(0)\n" +
		"\treturn 0\n}\n",
		status: grader.Failed, reason: grader.ReasonExit,
		says: []string{"os.Exit(0) was called at exercise.go:6 (in Sum)"}},
	{name: "dies of log.Fatal", source: "package sum\n\nimport \"log\"\n\nfunc Sum([]int) int {\n" +
		"\tlog.Fatal(\"no\")\n\treturn 0\n}\n",
		status: grader.Failed, reason: grader.ReasonExit,
		says: []string{"with exit status 1; exercise.go:6 ends the process"}},
	{name: "prints what passing tests print",
		source: "package sum\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc init() {\n" +
			"\tfor _, n := range []string{\"TestSum\", \"TestNone\"} {\n\t\tfmt.Printf(\"\\x16=== RUN   %s\\n" +
			"\\x16--- PASS: %s (0.00s)\\n\", n, n)\n\t}\n\tfmt.Println(\"\\x16=== NAME  \\nPASS\")\n" +
			"\tos.Exit(0)\n}\n\nfunc Sum([]int) int { return 0 }\n",
		status: grader.Failed, reason: grader.ReasonMissing, says: []string{"something printed that this one passed"}},
	{name: "runs tests of its own", source: "package sum\n\nimport \"testing\"\n\nfunc Sum([]int) int {\n" +
		"\ttesting.Init()\n\treturn 0\n}\n",
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:3 imports testing"}},
	{name: "races", race: true, // and has the right sum, however the race ends
		source: sumHead + "func Sum(numbers []int) int {\n\ttotal, last, values := 0, 0, make(chan int)\n" +
			"\tfor _, n := range numbers {\n\t\tgo func() {\n\t\t\tlast = n\n\t\t\tvalues <- n\n\t\t}()\n\t}\n" +
			"\tfor range numbers {\n\t\ttotal += <-values\n\t}\n\t_ = last\n\treturn total\n}\n",
		status: grader.Failed, reason: grader.ReasonRace, test: "TestSum",
		says: []string{"a data race between a", "at exercise.go:7 (in Sum)"}},
	{name: "races after the verdict", race: true,
		source: "package sum\n\nimport (\n\t\"syscall\"\n\t\"time\"\n)\n\nvar x int\n\nfunc init() {\n" +
			"\ttime.AfterFunc(130*time.Millisecond, func() {\n\t\tx++\n" +
			"\t\tsyscall.Kill(syscall.Getpid(), syscall.SIGUSR1)\n\t})\n}\n\nfunc Sum(numbers []int) (s int) {\n" +
			"\tx++\n\tfor _, n := range numbers {\n\t\ts += n\n\t}\n\treturn s\n}\n",
		act: func(t *testing.T, e grader.Exercise) {
			// A test of the course's that goes on until the race has happened, after the last graded test.
			path := filepath.Join(e.Dir(), "exercise_test.go")
			gradertest.Write(t, path, strings.Replace(gradertest.Read(t, path), "func TestSum(", `func TestMain(m *testing.M) {
	happened := make(chan os.Signal, 1)
	signal.Notify(happened, syscall.SIGUSR1)
	code := m.Run()
	<-happened
	os.Exit(code)
}

func TestSum(`, 1))
			gradertest.Write(t, path, strings.Replace(gradertest.Read(t, path), "\"fmt\"\n",
				"\"fmt\"\n\t\"os\"\n\t\"os/signal\"\n\t\"syscall\"\n", 1))
			if _, err := e.WriteStub(); err == nil {
				t.Fatal("WriteStub overwrote the learner's file")
			}
			os.Remove(filepath.Join(e.SolutionDir(), grader.SumFile))
		},
		status: grader.Failed, reason: grader.ReasonRace, says: []string{"a data race between", "exercise.go:12"}},
	{name: "prints 100 MB", limits: short,
		source: "package sum\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\nfunc Sum([]int) int {\n\tfor range 100 {\n" +
			"\t\tfmt.Println(strings.Repeat(\"x\", 1<<20))\n\t}\n\treturn 6\n}\n",
		status: grader.Failed, reason: grader.ReasonOutput, says: []string{"less than 1 MB"}, silent: []string{"xxx"}},
	{name: "prints a full buffer that ends no line",
		source: rightWith("\"fmt\"; \"strings\"", `fmt.Print(strings.Repeat("x", 8192))`),
		status: grader.Passed},
	{name: "takes all memory", source: sumHead +
		"var keep [][]byte\n\nfunc Sum([]int) int {\n\tfor {\n\t\tkeep = append(keep, make([]byte, 64<<20))\n\t}\n}\n",
		status: grader.Failed, reason: grader.ReasonMemory,
		says: []string{"less than 512 MB", "exercise.go:7 (in Sum)"}},
	{name: "edits the test", act: func(t *testing.T, e grader.Exercise) {
		gradertest.Write(t, filepath.Join(e.Dir(), "exercise_test.go"),
			"package sum\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {}\n")
	}, source: sumHead + "func Sum([]int) int { return 1 }\n",
		status: grader.Failed, reason: grader.ReasonGiven,
		says: []string{"exercise_test.go is not as it was handed out",
			"git checkout -- chapters/98-fixture/exercises/1-sum/exercise_test.go"}},
	{name: "deletes the test", act: func(t *testing.T, e grader.Exercise) {
		os.Remove(filepath.Join(e.Dir(), "exercise_test.go"))
	}, source: sumHead + "func Sum([]int) int { return 1 }\n",
		status: grader.Failed, reason: grader.ReasonGiven, says: []string{"exercise_test.go is missing"}},
	{name: "adds a test and a helper of its own", act: func(t *testing.T, e grader.Exercise) {
		gradertest.Write(t, filepath.Join(e.Dir(), "my_test.go"),
			"package sum\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n")
	}, source: sumHead + "func Sum([]int) int { return 1 }\n",
		status: grader.Failed, reason: grader.ReasonExpectation, test: "TestSum"},
	{name: "touches nothing", status: grader.NotAttempted},
	{name: "only reformats and comments",
		source: "// Mine.\npackage sum\n\nfunc Sum(\n\tnumbers []int,\n) int { /* soon */ return -1 }\n",
		status: grader.NotAttempted},
	{name: "renames the function", source: sumHead + "func Total(numbers []int) int { return 6 }\n",
		status: grader.Failed, reason: grader.ReasonCompile,
		says: []string{"Expected: exercise.go declares func Sum(numbers []int) int, which the tests call",
			"exercise.go has no func Sum"}},
	{name: "changes the signature", source: sumHead + "func Sum(numbers ...string) int { return 6 }\n",
		status: grader.Failed, reason: grader.ReasonCompile,
		says: []string{"the signature of the stub: func Sum(numbers []int) int"}},
	{name: "has a package clause of its own", source: "package main\n\nfunc Sum(numbers []int) int { return 6 }\n",
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"Expected: package sum", "exercise.go:1 says package main"}},
	{name: "has a build constraint", source: "//go:build ignore\n\npackage sum\n\n" +
		"func Sum(numbers []int) int { return 6 }\n",
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"build constraint: //go:build ignore"}},
	{name: "has C in it", source: "package sum\n\nimport \"C\"\n\nfunc Sum(numbers []int) int { return 6 }\n",
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:3 imports C"}},
	{name: "is empty", source: "\n", status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"exercise.go is empty"}},
	{name: "is UTF-16", source: "\xff\xfep\x00a\x00c\x00k\x00a\x00g\x00e\x00 \x00s\x00u\x00m\x00\n\x00",
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"exercise.go is text in UTF-8", "it is text in UTF-16"}},
	{name: "is UTF-16 without a mark", source: "p\x00a\x00c\x00k\x00a\x00g\x00e\x00 \x00s\x00u\x00m\x00\n\x00",
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"it is text in UTF-16"}},
	{name: "is Latin-1", source: sumHead + "// caf\xe9\nfunc Sum([]int) int { return 6 }\n",
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"exercise.go:3 has a byte that is not UTF-8: 0xe9"}},
	{name: "holds a byte NUL", source: sumHead + "func Sum([]int) int {\n\treturn 6 // \x00\n}\n",
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go:4 has a byte NUL"},
		silent: []string{"more such error"}},
	{name: "begins with a byte order mark", source: "\ufeff" + sumHead + "func Sum([]int) int { return len(\"é\") }\n",
		status: grader.Failed, reason: grader.ReasonExpectation, test: "TestSum"},
	{name: "turns standard output off", source: "package sum\n\nimport \"os\"\n\nfunc init() { os.Stdout = nil }\n\n" +
		"func Sum([]int) int { return 6 }\n",
		status: grader.Failed, says: []string{"exercise.go:5 assigns to os.Stdout, where the tests report"}},
	{name: "closes standard output", source: "package sum\n\nimport o \"os\"\n\nfunc Sum([]int) int {\n" +
		"\to.Stdout.Close()\n\treturn 6\n}\n",
		status: grader.Failed, says: []string{"exercise.go:6 closes os.Stdout, where the tests report"}},
	{name: "throws away what is printed, and exits",
		source: "package sum\n\nimport \"os\"\n\nfunc Sum([]int) int {\n\tos.Stdout, _ = os.Open(os.DevNull)\n" +
			"\tos.Exit(1)\n\treturn 6\n}\n",
		status: grader.Failed, says: []string{"exercise.go:6 assigns to os.Stdout"}},
	{name: "is missing", act: func(t *testing.T, e grader.Exercise) {
		os.Remove(filepath.Join(e.Dir(), "exercise.go"))
	}, status: grader.Failed, reason: grader.ReasonFile, says: []string{"scripts/reset 98.1"}},
	{name: "is a folder", act: func(t *testing.T, e grader.Exercise) {
		os.Remove(filepath.Join(e.Dir(), "exercise.go"))
		gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go", "x.go"), "package sum\n")
	}, status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go is a folder"}},
	{name: "is a symbolic link", act: func(t *testing.T, e grader.Exercise) {
		path := filepath.Join(e.Dir(), "exercise.go")
		os.Remove(path)
		if err := os.Symlink(filepath.Join(e.SolutionDir(), "exercise.go"), path); err != nil {
			t.Skip(err)
		}
	}, status: grader.Failed, reason: grader.ReasonFile, says: []string{"exercise.go is a symbolic link"}},
	{name: "is huge", source: sumHead + "// " + strings.Repeat("x", 2<<20) + "\n",
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"exercise.go has at most 256 KB (262144 bytes) Happened: it has 2097169 bytes"}},
	{name: "is one byte too large", source: sumHead + "// " + strings.Repeat("x", 256<<10-16) + "\n",
		status: grader.Failed, reason: grader.ReasonFile, says: []string{"it has 262145 bytes"}},
	{name: "ends its lines with CR alone", source: strings.ReplaceAll(sumHead+sumRight, "\n", "\r"),
		status: grader.Failed, reason: grader.ReasonFile,
		says: []string{"its lines end with a carriage return alone: save it anew"}},
}

// TestPeople: whatever a person does, the verdict is short and right.
func TestPeople(t *testing.T) {
	t.Parallel()
	grade(t, people, gradertest.New, func(t *testing.T, c grader.Course, p person) grader.Result {
		e := gradertest.Exercises(t, c, p.in)[0]
		if p.source != "" {
			gradertest.Write(t, filepath.Join(e.Dir(), "exercise.go"), p.source)
		}
		if p.act != nil {
			p.act(t, e)
		}
		return grader.GradeOne(t.Context(), e, grader.Options{Race: p.race, Limits: p.limits})
	})
}

// grade gives each person a course, and checks the verdict.
func grade(t *testing.T, all []person, course func(*testing.T) grader.Course,
	verdict func(*testing.T, grader.Course, person) grader.Result) {
	race, why := racedetector.Available(t.Context())
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if p.race && !race {
				t.Skip("needs race-detector: " + why)
			}
			if p.in == "" {
				p.in = "98.1"
			}
			check(t, p, verdict(t, course(t), p))
		})
	}
}

func check(t *testing.T, p person, r grader.Result) {
	t.Helper()
	text := ""
	if r.Failure != nil {
		text = r.Failure.Text()
	}
	t.Logf("%s: %s", r.Status, text)
	if r.Status != p.status {
		t.Fatalf("status %q, want %q: %s%s", r.Status, p.status, text, r.Error)
	}
	if p.status != grader.Failed {
		return
	}
	if p.reason != "" && r.Failure.Reason != p.reason {
		t.Errorf("reason %q, want %q: %s", r.Failure.Reason, p.reason, text)
	}
	if p.test != "" && r.Failure.Test != p.test {
		t.Errorf("test %q, want %q", r.Failure.Test, p.test)
	}
	for _, s := range p.says {
		if !strings.Contains(text, s) {
			t.Errorf("%q is not in: %s", s, text)
		}
	}
	for _, s := range p.silent {
		if strings.Contains(text, s) {
			t.Errorf("%q is in: %s", s, text)
		}
	}
	if len(text) > 700 {
		t.Errorf("%d bytes are no short verdict", len(text))
	}
}
