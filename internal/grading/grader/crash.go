package grader

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

var (
	panicLine = regexp.MustCompile(`(?m)^(panic|fatal error): (.*)$`)
	exitPanic = regexp.MustCompile(`unexpected call to os\.Exit\(0\)`)
	raceMark  = regexp.MustCompile(`(?m)^WARNING: DATA RACE$`)
	access    = regexp.MustCompile(`(?m)^(?:  )?(Previous )?((?i:atomic )?(?i:read|write)) (?:at|of|by)`)
)

// processFailure is about the process as a whole: it panicked, was stopped, or ended before its time.
func (v variant) processFailure(r record, limits Limits) *Failure {
	if r.tooMuch != "" {
		return &Failure{Reason: ReasonOutput, Expected: "the tests print " + r.tooMuch,
			Happened: "they printed more, and were stopped"}
	}
	if f := limitFailure(r.passed, limits); f != nil {
		return f
	}
	// Whoever prints what a panic prints goes on afterwards: the runtime's own ends the process, with this status.
	if f := panicFailure(r.output); f != nil && r.exit == panicStatus {
		return f
	}
	if slices.ContainsFunc(r.events, event.isEnd) { // the test binary came to its own end
		return nil
	}
	if _, said, ok := strings.Cut(r.output, "--- stopped: before the first test\n"); ok {
		f := textFailure(said)
		f.Reason = ReasonHang
		return f
	}
	f := &Failure{Reason: ReasonExit, Expected: "the process ends when all tests have ended",
		Happened: fmt.Sprintf("it ended before that, with exit status %d", r.exit)}
	if r.exit < 0 {
		f.Happened = "it was killed before that"
	}
	if line := exitCall(v.source); line > 0 {
		f.Happened += fmt.Sprintf("; exercise.go:%d ends the process", line)
	}
	if what := outputLost(v.source); what != "" {
		f.Happened += "; " + what
	}
	return f
}

// panicStatus is the exit status of a process that the runtime ended: of a panic, a fatal error, a full stack.
const panicStatus = 2

// limitFailure is about a limit of the process as a whole.
func limitFailure(passed over, limits Limits) *Failure {
	switch passed {
	case overWall, overCPU:
		return &Failure{Reason: ReasonHang, Expected: fmt.Sprintf("the tests end within %v", limits.Process),
			Happened: "they still ran, and were stopped"}
	case overMemory:
		return &Failure{Reason: ReasonMemory,
			Expected: fmt.Sprintf("the process of the tests needs less than %s of memory",
				bytesText(int(limits.Memory))),
			Happened: "it took more, and was stopped"}
	case suspended:
		return &Failure{Reason: ReasonExit, Expected: "the process ends when all tests have ended",
			Happened: "it stopped itself in the middle, as Ctrl-Z stops a program"}
	}
	return nil
}

// panicFailure finds a panic or a fatal error of the runtime, and where it was in the learner's file.
func panicFailure(output string) *Failure {
	all := panicLine.FindAllStringSubmatchIndex(output, -1)
	if len(all) == 0 {
		return nil
	}
	at := all[len(all)-1] // what was printed earlier is no panic
	what, rest := output[at[4]:at[5]], output[at[1]:]
	what = cut(strings.TrimSpace(panicSuffix.ReplaceAllString(what, "")), 200)
	where, _, ok := exercise.Place(firstGoroutine(rest))
	switch {
	case exitPanic.MatchString(what):
		f := &Failure{Reason: ReasonExit, Expected: "the process ends when all tests have ended",
			Happened: "os.Exit(0) was called"}
		if ok {
			f.Happened += " at " + where
		}
		return f
	case strings.HasPrefix(what, "test timed out"):
		return &Failure{Reason: ReasonHang, Expected: "the tests end in time", Happened: what}
	case what == "stack overflow":
		what = "stack overflow: calls without end"
	}
	f := &Failure{Reason: ReasonPanic, Expected: "no panic", Happened: "panic: " + what}
	if output[at[2]:at[3]] == "fatal error" {
		f.Happened = "fatal error: " + what
	}
	if ok {
		f.Happened += ", at " + where
	}
	return f
}

var panicSuffix = regexp.MustCompile(` \[recovered[^\]]*\]`)

// firstGoroutine cuts a dump after its first goroutine, which is the one that panicked.
func firstGoroutine(dump string) string {
	i := strings.Index(dump, "\ngoroutine ")
	if i < 0 {
		return ""
	}
	block, _, _ := strings.Cut(dump[i+1:], "\n\n")
	return block
}

// raceFailure reads the first report of the race detector. Without its status or the words of package testing, what
// looks like a report was printed by somebody.
func (v variant) raceFailure(output string, exit int) *Failure {
	at := raceMark.FindStringIndex(output)
	told := exit == raceStatus || strings.Contains(output, "race detected during execution of test")
	if at == nil || !v.race || !told {
		return nil
	}
	report, _, _ := strings.Cut(output[at[1]:], "==================")
	var sides []string
	for section := range strings.SplitSeq(report, "\n\n") {
		m := access.FindStringSubmatch(strings.TrimLeft(section, "\n"))
		if m == nil {
			continue
		}
		side := "a " + strings.ToLower(m[2])
		if where, _, ok := exercise.Place(asStack.Replace(section)); ok {
			side += " at " + where
		}
		sides = append(sides, side)
	}
	f := &Failure{Reason: ReasonRace, Expected: "no data race", Happened: "there was a data race",
		PointsTo: "two goroutines use the same variable at the same time, and nothing puts one before the other"}
	if len(sides) > 0 {
		f.Happened = "there was a data race between " + strings.Join(sides, " and ")
	}
	return f
}

// raceStatus is the exit status of a process that ended well, but for a data race.
const raceStatus = 66

// asStack makes a stack of the race detector look like one of the runtime.
var asStack = strings.NewReplacer("\n      ", "\n\t", "\n  ", "\n")

// exitCall finds the line that ends the process.
func exitCall(source []byte) int {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return 0
	}
	line := 0
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || line > 0 {
			return true
		}
		x, _ := sel.X.(*ast.Ident)
		if x != nil && (x.Name == "os" && sel.Sel.Name == "Exit" || x.Name == "syscall" && sel.Sel.Name == "Exit" ||
			x.Name == "log" && strings.HasPrefix(sel.Sel.Name, "Fatal")) {
			line = fset.Position(sel.Pos()).Line
		}
		return true
	})
	return line
}

func bytesText(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d KB", n>>10)
}
