package testrun

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gotest.tools/gotestsum/testjson"
)

// printer is the testjson.EventHandler that shows a run.
type printer struct {
	out     io.Writer
	running map[string][]string // by package: the tests that have begun and not ended, without subtests
	dying   map[string][]string // by package: the first lines of a panic
}

// dyingLines is how much of a panic is shown at once: what it says, and where.
const dyingLines = 30

func newPrinter(out io.Writer) printer {
	return printer{out, map[string][]string{}, map[string][]string{}}
}

// Event prints a package's line when it ends, and a failing test's output.
func (p printer) Event(event testjson.TestEvent, execution *testjson.Execution) error {
	p.follow(event)
	switch {
	case event.Action == testjson.ActionBuild:
		fmt.Fprint(p.out, "  ", event.Output)
	case !event.PackageEvent() && event.Action == testjson.ActionFail:
		p.failure(event, execution)
	case event.PackageEvent() && event.Action.IsTerminal():
		p.ended(event, execution)
	}
	return nil
}

// follow notes which tests run. A panic belongs to the test that was named last, which may be one that has passed, and
// then nobody shows it: so it is noted as well.
func (p printer) follow(event testjson.TestEvent) {
	if event.Action == testjson.ActionOutput {
		n := len(p.dying[event.Package])
		if n > 0 && n < dyingLines || strings.HasPrefix(event.Output, "panic: ") ||
			strings.HasPrefix(event.Output, "fatal error: ") {
			p.dying[event.Package] = append(p.dying[event.Package], event.Output)
		}
		return
	}
	if event.PackageEvent() || strings.Contains(event.Test, "/") {
		return
	}
	all := slices.DeleteFunc(p.running[event.Package], func(test string) bool { return test == event.Test })
	if !event.Action.IsTerminal() {
		all = append(all, event.Test)
	}
	p.running[event.Package] = all
}

// Err prints what go test itself said.
func (p printer) Err(text string) error {
	fmt.Fprintln(p.out, text)
	return nil
}

func (p printer) failure(event testjson.TestEvent, execution *testjson.Execution) {
	pkg := execution.Package(event.Package)
	fmt.Fprintf(p.out, "FAIL  %s %s\n", Short(event.Package), event.Test)
	for _, line := range pkg.OutputLines(pkg.LastFailedByName(event.Test)) {
		if !strings.HasPrefix(line, "=== ") {
			fmt.Fprint(p.out, "      ", line)
		}
	}
}

func (p printer) ended(event testjson.TestEvent, execution *testjson.Execution) {
	pkg := execution.Package(event.Package)
	took := time.Duration(event.Elapsed * float64(time.Second)).Round(100 * time.Millisecond)
	switch {
	case event.Action == testjson.ActionFail && len(p.running[event.Package]) > 0:
		// Its process has ended in their middle. Whether they have failed is known when all packages have ended.
		fmt.Fprintf(p.out, "FAIL  %s, in the middle of %s. What it said is shown when all packages have ended.\n",
			Short(event.Package), strings.Join(p.running[event.Package], ", "))
		fmt.Fprint(p.out, indent(strings.Join(p.dying[event.Package], "")))
	case event.Action == testjson.ActionFail && len(pkg.Failed) == 0:
		// No test of it failed: it did not compile, or a TestMain failed. Its own output is the only witness.
		fmt.Fprintf(p.out, "FAIL  %s, outside its tests:\n", Short(event.Package))
		var said strings.Builder
		if err := pkg.WriteOutputTo(&said, 0); err != nil {
			return
		}
		fmt.Fprint(p.out, indent(said.String()))
	case event.Action == testjson.ActionFail:
		fmt.Fprintf(p.out, "FAIL  %-58s %6v  %d of %d tests failed\n",
			Short(event.Package), took, len(pkg.Failed), pkg.Total)
	case event.Action == testjson.ActionPass && pkg.Total > 0:
		note := ""
		if n := len(pkg.Skipped); n > 0 {
			note = fmt.Sprintf(", %d skipped", n)
		}
		fmt.Fprintf(p.out, "ok    %-58s %6v  %d tests%s\n", Short(event.Package), took, pkg.Total, note)
	}
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("      " + line)
	}
	return b.String()
}
