package testrun

import (
	"fmt"
	"io"
	"strings"
	"time"

	"gotest.tools/gotestsum/testjson"
)

// printer is the testjson.EventHandler that shows a run.
type printer struct{ out io.Writer }

// Event prints a package's line when it ends, and a failing test's output.
func (p printer) Event(event testjson.TestEvent, execution *testjson.Execution) error {
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
	case event.Action == testjson.ActionFail && len(pkg.Failed) == 0:
		// No test of it failed: it did not compile, a TestMain failed, or it
		// ended in the middle. Its own output is the only witness.
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
