package upstreamtests

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Page is the document that is made of the list, relative to the root.
const Page = "docs/upstream.md"

// chapters are where a mechanism is built.
var chapters = map[string]string{
	"store":     "[04](../chapters/04-store/README.md)",
	"fifo":      "[06](../chapters/06-delta-fifo/README.md)",
	"reflector": "[05](../chapters/05-reflector/README.md)",
	"pipeline":  "04, 05 and 06 below upstream's informer",
	"informer":  "[07](../chapters/07-shared-informer/README.md)",
	"workqueue": "[08](../chapters/08-workqueue/README.md)",
}

const pageHead = `# client-go's own tests

<!-- Generated from scripts/upstream-tests/tests.txt: go run ./scripts/check -fix upstreamtests -->

client-go has %d tests of what chapters 04 to 08 build, in §k8s.io/client-go/tools/cache§ and
§k8s.io/client-go/util/workqueue§ at %s. Here they run on the chapters' mechanisms, and not on client-go's:

§§§sh
make upstream-tests                 # a minute or two; RACE=1 with the race detector, as CI does it
go run ./scripts/upstream-tests -run TestRealFIFO -v fifo
§§§

Upstream's files are not copied: they are read from the module cache when the tests run. Each test has a process of its own, and a
goroutine that is left behind fails it. A run fails when a test does not end as this page says, and §make check§ when client-go has
other tests than this page.

| mechanism | chapter | passed | failed | not offered | not applicable |
|---|---|---|---|---|---|
`

const pageHow = `
Of the tests that run, %s: only constructors lead to the chapter's types. %s unexported names, and a shim gives these
a meaning by exported ones, by an option, or by a file that is added to the mechanism's package for the run. %s: upstream's own
code, compiled from its source, runs over a chapter's mechanism. A test that two mechanisms share is counted twice.

The other way round, client-go's programs on these mechanisms, is in each chapter's §claims/transplant_test.go§.
`

// Document writes the page.
func (l List) Document(version string, wrong []Wrong) []byte {
	var b strings.Builder
	distinct := map[string]bool{}
	for _, r := range l.Rows {
		where, _ := buildOf(r.Mechanism)
		distinct[where.folder+r.Test] = true
	}
	fmt.Fprintf(&b, pageHead, len(distinct), version)
	for _, m := range Mechanisms() {
		s := l.expected(m)
		failed := fmt.Sprint(s.Failed)
		if sometimes := l.sometimes(m); sometimes > 0 {
			failed = fmt.Sprintf("%d, and %d sometimes", s.Failed-sometimes, sometimes)
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %d | %d |\n", m, chapters[m], s.Passed, failed, s.NotOffered,
			s.NotApplicable)
	}
	fmt.Fprintf(&b, "\n%s what no chapter builds.\n", count(len(l.Of(others)), "more test", "more test"))
	how := map[How]int{}
	for _, r := range l.Rows {
		how[r.How]++
	}
	fmt.Fprintf(&b, pageHow, count(how[Direct], "runs as it is", "run as they are"),
		count(how[Rewrite], "uses", "use"), count(how[Transplant], "is a transplant", "are transplants"))
	l.failures(&b)
	l.others(&b)
	blindSpots(&b, wrong)
	return []byte(strings.ReplaceAll(b.String(), "§", "`"))
}

// expected is the score that a run of a mechanism's tests has.
func (l List) expected(mechanism string) Score {
	var results []Result
	for _, r := range l.Of(mechanism) {
		results = append(results, Result{Row: r, Outcome: Outcome{Passed: r.Fails == ""}})
	}
	return *Count(results)[mechanism]
}

const pageFails = `
## What fails

Each for a difference that a chapter's UPSTREAM.md tells. What fails sometimes depends on which goroutine is faster, and a run accepts
both. No run accepts a data race, a panic, a goroutine that is left behind, or a test without an end.

| mechanism | tests | difference | why they fail |
|---|---|---|---|
`

// failures tells which tests fail, a row for each difference and how often it shows.
func (l List) failures(b *strings.Builder) {
	fmt.Fprint(b, pageFails)
	type group struct {
		mechanism, reason string
		sometimes         bool
	}
	var groups []group
	tests := map[group][]string{}
	var racing []string
	for _, r := range l.Rows {
		if r.NoRace && !slices.Contains(racing, r.Test) {
			racing = append(racing, r.Test)
		}
		if g := (group{r.Mechanism, r.Fails, r.Sometimes}); r.Fails != "" {
			if !slices.Contains(groups, g) {
				groups = append(groups, g)
			}
			tests[g] = append(tests[g], r.Test)
		}
	}
	for _, g := range groups {
		reason, often := l.Reasons[g.reason], ""
		if g.sometimes {
			often = "sometimes: "
		}
		fmt.Fprintf(b, "| %s | %s%s | [%s](../%s): %s | %s |\n", g.mechanism, often, strings.Join(tests[g], ", "),
			chapterOf(reason.File), reason.File, reason.Cell, reason.Why)
	}
	for _, test := range racing {
		fmt.Fprintf(b, "\n%s has a data race of its own: it passes, and is left out under the race detector.\n", test)
	}
}

// sometimes is how many tests of a mechanism fail sometimes.
func (l List) sometimes(mechanism string) (n int) {
	for _, r := range l.Of(mechanism) {
		if r.Sometimes {
			n++
		}
	}
	return n
}

// count is a number with its noun or verb.
func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// chapterOf gives 05 for chapters/05-reflector/UPSTREAM.md.
func chapterOf(file string) string { return path.Base(path.Dir(file))[:2] }

// others tells why the other tests do not run: a row for each reason.
func (l List) others(b *strings.Builder) {
	for _, part := range []struct {
		how   How
		title string
	}{
		{NotOffered, "What the chapters do not offer"}, {NotApplicable, "What does not apply"},
	} {
		fmt.Fprintf(b, "\n## %s\n\n| tests | why |\n|---|---|\n", part.title)
		var reasons []string
		tests := map[string][]string{}
		for _, r := range l.Rows {
			if r.How != part.how {
				continue
			}
			if !slices.Contains(reasons, r.Note) {
				reasons = append(reasons, r.Note)
			}
			tests[r.Note] = append(tests[r.Note], r.Test)
		}
		for _, reason := range reasons {
			fmt.Fprintf(b, "| %s | %s |\n", strings.Join(tests[reason], ", "), reason)
		}
	}
}

const pageBlind = `
## What they see, and what they do not

§go run ./scripts/upstream-tests -prove§ breaks the chapters' mechanisms, one defect at a time
([scripts/upstream-tests/wrong](../scripts/upstream-tests/wrong)), and runs client-go's tests and the book's on each.

| what is wrong | client-go's test that notices | the book's |
|---|---|---|
`

func blindSpots(b *strings.Builder, wrong []Wrong) {
	if len(wrong) == 0 {
		return
	}
	fmt.Fprint(b, pageBlind)
	for _, w := range wrong {
		upstream := w.Upstream
		if upstream == "" {
			upstream = "**none**"
		}
		fmt.Fprintf(b, "| %s | %s | [%s](../%s) |\n", w.What, upstream, w.Test, w.Package)
	}
}
