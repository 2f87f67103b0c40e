package proof_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof/overlay"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/racedetector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

func problems(t *testing.T, change func(e grader.Exercise)) string {
	t.Helper()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	change(e)
	return strings.Join(proof.Static(e), "\n")
}

// replace changes a file of the exercise (HINTS.md) or of its solutions (alt/...).
func replace(t *testing.T, path, old, new string) {
	t.Helper()
	text := gradertest.Read(t, path)
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %q", path, old)
	}
	gradertest.Write(t, path, strings.Replace(text, old, new, 1))
}

// TestStatic: what belongs to an exercise is there, and nothing else.
func TestStatic(t *testing.T) {
	t.Parallel()
	if got := problems(t, func(grader.Exercise) {}); got != "" {
		t.Fatalf("the fixture itself: %s", got)
	}
	for want, change := range map[string]func(e grader.Exercise){
		`HINTS.md has no section "## Hint 2"`: func(e grader.Exercise) {
			replace(t, e.Dir()+"/HINTS.md", "## Hint 2", "## Second")
		},
		`HINTS.md has no section "## Solution"`: func(e grader.Exercise) {
			replace(t, e.Dir()+"/HINTS.md", "A total, and a loop.", "")
		},
		"exercise.go is not the stub": func(e grader.Exercise) { replace(t, e.Dir()+"/exercise.go", "-1", "-2") },
		"stub.sum is out of date":     func(e grader.Exercise) { replace(t, e.Dir()+"/exercise_test.go", "6", "6 ") },
		"does not begin with exercise": func(e grader.Exercise) {
			replace(t, e.Dir()+"/exercise_test.go", "exercise.Attempted(t)\n", "")
		},
		"alt/recursive is not formatted": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/alt/recursive/exercise.go", "return 0", "return  0")
		},
		"wrong/off-by-one: its comment at the very top of the file lacks Caught by:": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/off-by-one.go", "// Caught by:", "// Killed by:")
		},
		"is caught by TestAll, which is no test": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/off-by-one.go", "by: TestSum", "by: TestAll")
		},
		`wrong/never-empty breaks "there may be two", which does not stand in the comments of the stub`: func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/never-empty.go", "may be none", "may be two")
		},
		"wrong/never-empty: Base: alt/none is no right solution": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/never-empty.go", "alt/recursive", "alt/none")
		},
		"1-sum/wrong/off-by-one.go: above its package clause stands not //go:build wrong alone": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/off-by-one.go", "//go:build wrong\n", "")
		},
		"1-sum/wrong/off-by-one.go:14: expected": func(e grader.Exercise) {
			replace(t, e.SolutionDir()+"/wrong/off-by-one.go", "i := 0; i <", "i := ; i <")
		},
		"stray file: solutions/98-fixture/1-sum/wrong/old/exercise.go": func(e grader.Exercise) {
			gradertest.Write(t, e.SolutionDir()+"/wrong/old/exercise.go", "package sum\n")
		},
		"stray file: chapters/98-fixture/exercises/1-sum/exercise.go.orig": func(e grader.Exercise) {
			gradertest.Write(t, e.Dir()+"/exercise.go.orig", "")
		},
		"stray file: solutions/98-fixture/1-sum/wrong/README.md": func(e grader.Exercise) {
			gradertest.Write(t, e.SolutionDir()+"/wrong/README.md", "")
		},
		"there is no alt solution": func(e grader.Exercise) { os.RemoveAll(e.SolutionDir() + "/alt") },
		"are the same program": func(e grader.Exercise) {
			gradertest.Write(t, e.SolutionDir()+"/alt/again/exercise.go",
				gradertest.Read(t, e.SolutionDir()+"/alt/recursive/exercise.go"))
		},
		"the reference has no region": func(e grader.Exercise) {
			gradertest.Write(t, e.SolutionDir()+"/exercise.go", gradertest.Read(t, e.Dir()+"/exercise.go"))
		},
	} {
		if got := problems(t, change); !strings.Contains(got, want) {
			t.Errorf("%q is not in: %s", want, got)
		}
	}
}

// TestVerify: the fixture's wrong solutions are killed, one more survives, and one is killed by another test than
// its header says.
func TestVerify(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	e := gradertest.Exercises(t, c, "98.1")[0]
	_, sum, _ := strings.Cut(gradertest.Read(t, e.SolutionDir()+"/alt/recursive/exercise.go"), "package sum\n")
	add := func(name, header, old, new string) {
		gradertest.Write(t, filepath.Join(e.SolutionDir(), "wrong", name+".go"), "// Misconception: m\n"+header+
			"// Base: alt/recursive\n\n//go:build wrong\n\npackage sum\n"+strings.Replace(sum, old, new, 1))
	}
	add("survivor", "// Caught by: TestSum\n// Message: m\n", "numbers) == 0", "numbers) <= 0")
	add("other-test", "// Caught by: TestNone\n// Message: m\n", "return 0", "return 7")
	add("other-message", "// Caught by: TestSum\n// Message: it was 8\n", "return 0", "return 1")
	add("uncompiled", "// Caught by: TestSum\n// Message: m\n", "return 0", "return none")
	rep := proof.Verify(t.Context(), []grader.Exercise{e}, proof.Options{Count: 3, Parallel: 2})[0]
	if len(rep.Problems) > 0 || rep.OK() {
		t.Errorf("problems %v, ok %v", rep.Problems, rep.OK())
	}
	want := []struct {
		name string
		ok   bool
		says string
	}{
		{"stub", true, ""}, {"reference", true, "passed 3 times"}, {"alt/recursive", true, "passed 3 times"},
		{"wrong/never-empty", true, "index out of range"}, {"wrong/off-by-one", true, "it was 3"},
		{"wrong/other-message", false, `the header quotes "it was 8"; what is shown is: Expected: the sum`},
		{"wrong/other-test", false, "is shown the failure of TestSum; the header names TestNone"},
		{"wrong/survivor", false, "SURVIVES"},
		{"wrong/uncompiled", false, "solutions/98-fixture/1-sum/wrong/uncompiled.go:13: undefined: none"},
	}
	if len(rep.Rows) != len(want) {
		t.Fatalf("%d rows, want %d: %+v", len(rep.Rows), len(want), rep.Rows)
	}
	for i, w := range want {
		if r := rep.Rows[i]; r.Solution != w.name || r.OK != w.ok || !strings.Contains(r.Message, w.says) {
			t.Errorf("row %d: %+v, want %+v", i, r, w)
		}
	}
	var out bytes.Buffer
	for _, r := range rep.Rows {
		proof.PrintRow(&out, r, true)
	}
	proof.PrintProblems(&out, rep)
	proof.PrintSummary(&out, []proof.Report{rep}, nil, time.Second)
	for line := range strings.Lines(out.String()) {
		if utf8.RuneCountInString(line) > 101 {
			t.Errorf("wider than 100 columns: %s", line)
		}
	}
	if strings.Contains(out.String(), "no wrong solution needs") {
		t.Error("both tests are needed:", out.String())
	}
	if !strings.Contains(out.String(), "2 of 6 wrong solutions killed as their headers say, 2 of 2 right ones pass") {
		t.Error(out.String())
	}
}

// TestUnneeded: a test that catches no wrong solution is named.
func TestUnneeded(t *testing.T) {
	t.Parallel()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	var out bytes.Buffer
	proof.PrintSummary(&out, []proof.Report{{Exercise: e, Rows: []proof.Row{
		{Solution: "stub", OK: true, Test: "TestSum"},
		{Solution: "wrong/x", OK: true, Test: "TestNone"},
	}}}, nil, time.Second)
	if !strings.Contains(out.String(), "Tests that no wrong solution needs:\n  98.1 TestSum\n") {
		t.Error(out.String())
	}
}

const moody = `// Misconception: m
// Caught by: TestSum
// Message: it was 1

//go:build wrong

package sum

import "os"

func Sum(numbers []int) int {
	if os.Mkdir(MARK, 0o700) == nil || before {
		before = true
		total := 0
		for _, n := range numbers {
			total += n
		}
		return total
	}
	return 1
}

var before bool
`

// TestVerifyAgain: what is not as it should be and then is, is called flaky, if a second proof is asked for; what is
// not as it should be twice stays so.
func TestVerifyAgain(t *testing.T) {
	t.Parallel()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	add := func(name, source string) {
		gradertest.Write(t, filepath.Join(e.SolutionDir(), "wrong", name+".go"), source)
	}
	add("survivor", strings.ReplaceAll(moody, "os.Mkdir(MARK, 0o700) == nil", `os.Getpid() > 0`))
	for again, says := range map[bool]string{
		true: "FLAKY: 98.1 wrong/moody, proven at the second try. The first: SURVIVES", false: "SURVIVES",
	} {
		mark := strconv.Quote(filepath.ToSlash(filepath.Join(t.TempDir(), "mark")))
		add("moody", strings.ReplaceAll(moody, "MARK", mark))
		rep := proof.Verify(t.Context(), []grader.Exercise{e}, proof.Options{Count: 1, Parallel: 1, Again: again})[0]
		for _, r := range rep.Rows {
			want := r.Solution != "wrong/survivor" && (again || r.Solution != "wrong/moody")
			if r.OK != want || (r.Flaky != "") != (again && r.Solution == "wrong/moody") {
				t.Errorf("again %v: %+v", again, r)
			}
		}
		var out bytes.Buffer
		unnoticed := []proof.Row{{Solution: "part/broken/x", Message: "nobody noticed"}}
		proof.PrintSummary(&out, []proof.Report{rep}, unnoticed, time.Second)
		_, bad, _ := strings.Cut(out.String(), "Not as it should be, or not at first:\n")
		for _, said := range []string{
			"98.1 wrong/moody", says, "BAD  98.1 wrong/survivor", "part/broken/x", "nobody noticed",
		} {
			if !strings.Contains(bad, said) {
				t.Errorf("again %v: no %q in\n%s", again, said, out.String())
			}
		}
		if strings.Contains(bad, "reference") {
			t.Error(bad)
		}
	}
}

const racing = `// Misconception: what is counted beside does not matter.
// Caught by: TestSum
// Message: there was a data race between

//go:build wrong

package sum

var seen int

func Sum(numbers []int) int {
	done := make(chan bool)
	go func() { seen++; close(done) }()
	seen++
	<-done
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}
`

// TestVerifyRace: wrong solutions run under the race detector where they are not killed without it, right ones always.
// The rows of two exercises come in order, though one waits for nothing.
func TestVerifyRace(t *testing.T) {
	t.Parallel()
	if ok, why := racedetector.Available(t.Context()); !ok {
		t.Skip(why)
	}
	c := gradertest.New(t)
	gradertest.Write(t, filepath.Join(c.Dir, "solutions/98-fixture/1-sum/wrong/racing.go"), racing)
	var told []string
	reports := proof.Verify(t.Context(), gradertest.Exercises(t, c), proof.Options{Count: 1, Parallel: 3, Race: true,
		Begin: func(e grader.Exercise) { told = append(told, e.ID) },
		Row: func(_ grader.Exercise, r proof.Row) {
			told = append(told, fmt.Sprint(r.Solution, " ", r.OK, " ", r.Race))
		},
		End: func(r proof.Report) { told = append(told, fmt.Sprint(r.OK())) }})
	want := []string{"98.1", "stub true false", "reference true true", "alt/recursive true true",
		"wrong/never-empty true false", "wrong/off-by-one true false", "wrong/racing true true", "true",
		"98.2", "stub true false", "reference true true", "alt/channel true true", "wrong/first true false", "true"}
	if !slices.Equal(told, want) {
		t.Errorf("got %q\nwant %q\n%+v", told, want, reports)
	}
}

// TestVerifyWithPatience: a wrong solution that a busy machine keeps from its end in time is told apart from one that
// hangs.
func TestVerifyWithPatience(t *testing.T) {
	t.Parallel()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	add := func(name, message, body string) {
		gradertest.Write(t, filepath.Join(e.SolutionDir(), "wrong", name+".go"),
			"// Misconception: m\n// Caught by: TestSum\n// Message: "+
				message+"\n\n//go:build wrong\n\npackage sum\n\nimport \"time\"\n\nvar begin = time.Now()\n\n"+
				"func Sum(numbers []int) int {\n\t"+body+"\n\treturn 7\n}\n")
	}
	add("busy", "it was 7", "for time.Since(begin) < 1200*time.Millisecond {\n\t}")
	add("hangs", "it was 7", "select {}")
	add("hangs-as-it-says", "within 1s", "select {}")
	rep := proof.Verify(t.Context(), []grader.Exercise{e},
		proof.Options{Count: 1, Parallel: 2, Limits: grader.Limits{Test: time.Second}})[0]
	if len(rep.Rows) != 8 {
		t.Errorf("%d rows: the stub, two right solutions, two wrong ones and these three", len(rep.Rows))
	}
	for _, row := range rep.Rows {
		wantOK, says := row.Solution != "wrong/hangs", ""
		if !wantOK {
			says = "the test ends within 4s"
		}
		if row.OK != wantOK || !strings.Contains(row.Message, says) {
			t.Errorf("%+v", row)
		}
	}
}

// TestVerifyBadStubs: a stub that passes, and one that does not compile.
func TestVerifyBadStubs(t *testing.T) {
	t.Parallel()
	for want, code := range map[string]string{"passes, and should fail": "return 6 * min(1, len(numbers))",
		"exercise.go:8: undefined: y": "return y"} {
		e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
		replace(t, e.SolutionDir()+"/exercise.go", "return -1", code)
		os.RemoveAll(e.SolutionDir() + "/alt")
		os.RemoveAll(e.SolutionDir() + "/wrong")
		rep := proof.Verify(t.Context(), []grader.Exercise{e}, proof.Options{Count: 1, Parallel: 2})[0]
		if row := rep.Rows[0]; row.OK || !strings.Contains(row.Message, want) {
			t.Errorf("%+v, want %s", row, want)
		}
	}
}

// TestQuick: what keeps a wrong solution from being proven is found without building it, and where it stands.
func TestQuick(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	all := gradertest.Exercises(t, c)
	quick := func() string {
		problems, err := proof.Quick(t.Context(), c.Root, all)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(problems, "\n")
	}
	if got := quick(); got != "" {
		t.Fatalf("the fixture itself: %s", got)
	}
	sum, box := all[0].SolutionDir(), all[1].SolutionDir()
	replace(t, sum+"/wrong/off-by-one.go", "total += numbers[i]", "total += numbers[j]")
	replace(t, sum+"/wrong/off-by-one.go", "by: TestSum", "by: TestAll")
	replace(t, sum+"/alt/recursive/exercise.go", "return 0\n", "return nil\n")
	replace(t, box+"/wrong/first.go", "package box\n",
		"package box\n\nimport \"example.com/none\"\n\nvar _x = none.X\n")
	replace(t, box+"/wrong/first.go", "type Box struct{ value int }", "type Box struct{ value string }")
	for _, want := range []string{
		"solutions/98-fixture/1-sum: wrong/off-by-one is caught by TestAll, which is no test of the exercise",
		"solutions/98-fixture/1-sum/wrong/off-by-one.go:15: undefined: j",
		"solutions/98-fixture/1-sum/alt/recursive/exercise.go:7: cannot use nil as int value in return statement",
		"solutions/98-fixture/2-box/wrong/first.go:1: could not import example.com/none (there is no package " +
			"example.com/none",
		"solutions/98-fixture/2-box/wrong/first.go:18: invalid operation: b.value == 0 (mismatched types string and " +
			"untyped int)",
	} {
		if got := quick(); !strings.Contains(got, want) {
			t.Errorf("%q is not in: %s", want, got)
		}
	}
	os.RemoveAll(sum + "/alt")
	os.RemoveAll(sum + "/wrong")
	if got := quick(); strings.Contains(got, "1-sum") {
		t.Errorf("the solutions of 1-sum were withheld: %s", got)
	}
}

// TestCutEverySolution: whatever solution of the book is cut from whatever right one, the overlay merges into it again.
func TestCutEverySolution(t *testing.T) {
	t.Parallel()
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	cuts := 0
	for _, e := range gradertest.Exercises(t, grader.Course{Root: root, Dir: root}) {
		solutions, problems := proof.Solutions(e)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for _, base := range solutions {
			for _, s := range solutions {
				if base.Wrong() || s.Name == base.Name {
					continue
				}
				from, err := overlay.Parse(base.Name, base.Source)
				if err != nil {
					t.Fatal(err)
				}
				whole, err := overlay.Parse(s.Name, s.Source)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := overlay.Cut(from, whole, overlay.Header{}); err != nil { // Cut merges again, and compares
					t.Errorf("%s: %s from %s: %v", e.ID, s.Name, base.Name, err)
				}
				cuts++
			}
		}
	}
	if cuts < 100 {
		t.Errorf("%d cuts: are the solutions there?", cuts)
	}
}

// TestSecondAuthor: the file has one form, and a bad rate calls for another.
func TestSecondAuthor(t *testing.T) {
	t.Parallel()
	const (
		first = "first: 4 of 6 wrong passed, 1 of 2 right refused\n"
		good  = "0 of 6 wrong passed, 0 of 2 right refused\n"
		bad   = "2 of 6 wrong passed, 0 of 2 right refused\n"
	)
	for _, test := range []struct{ text, want string }{
		{"first: 1 of 6 wrong passed, 0 of 2 right refused\n", ""},
		{first + "second: " + good, ""},
		{first, "add the line \"second: ...\""},
		{"first: 0 of 6 wrong passed, 1 of 2 right refused\n", "add the line \"second: ...\""},
		{first + "second: " + bad, "add the line \"third: ...\""},
		{first + "second: " + bad + "third: " + good, ""},
		{first + "second: " + bad + "third: " + bad + "fourth: " + bad + "fifth: " + bad + "sixth: " + bad,
			"six authors have tried"},
		{"second: " + good, `this is none: "second: 0 of 6`},
		{first + "third: " + good, `this is none: "third: 0 of 6`},
		{first + "second: " + good + "third: " + good, "no rate is due, and there is another"},
		{"first: 7 of 6 wrong passed, 0 of 2 right refused\n", "more than there are"},
		{"first: good\n", `this is none: "first: good"`},
		{"", "is empty"},
	} {
		got := problems(t, func(e grader.Exercise) {
			gradertest.Write(t, e.SolutionDir()+"/second-author.txt", test.text)
		})
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// TestEnough: a right solution that took long is not begun again, and ran five times nevertheless.
func TestEnough(t *testing.T) {
	t.Parallel()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	for want, o := range map[string]proof.Options{
		"passed 5 times": {Count: 50, Enough: time.Nanosecond, Parallel: 2},
		"passed 7 times": {Count: 7, Enough: time.Hour, Parallel: 2},
		"passed 6 times": {Count: 6, Parallel: 2},
	} {
		rows := proof.Verify(t.Context(), []grader.Exercise{e}, o)[0].Rows
		i := slices.IndexFunc(rows, func(row proof.Row) bool { return row.Solution == "reference" })
		if i < 0 || rows[i].Message != want {
			t.Errorf("%+v: %+v, want %s of the reference", o, rows, want)
		}
	}
}

// TestShow: a solution is found by its name, and shown whole.
func TestShow(t *testing.T) {
	t.Parallel()
	c := gradertest.New(t)
	for _, name := range []string{"98.2/wrong/first", "98.2/first", "wrong/first", "first"} {
		text, err := proof.Show(c, nil, name)
		if err != nil || !strings.Contains(string(text), "func (b *Box) Get() int { return b.value }") ||
			!strings.Contains(string(text), "// Caught by: ") || strings.Contains(string(text), "go:build") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	text, err := proof.Show(c, nil, "98.1/reference")
	if err != nil || !strings.Contains(string(text), "slices.Values") {
		t.Errorf("%v\n%s", err, text)
	}
	for _, test := range []struct{ name, want string }{
		{"reference", "reference is more than one: 98.1/reference, 98.2/reference"},
		{"98.1/none", "there are: 98.1/reference, 98.1/alt/recursive, 98.1/wrong/never-empty, 98.1/wrong/off-by-one"},
		{"none", "select an exercise"}, {"99.1/none", "there is no exercise 99.1"},
	} {
		if _, err := proof.Show(c, nil, test.name); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}
