package symptoms_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

// failures are records of errors that no row explains, and what is none.
var failures = map[string]bool{
	`E1126 12:00:00.1 1 a.go:1] "Sync failed" err="boom"`:                                            true,
	`W1126 12:00:00.1 1 a.go:1] it may fail`:                                                         true,
	`F1126 12:00:00.1 1 a.go:1] it is over`:                                                          true,
	`I1126 12:00:00.1 1 a.go:1] "No ERROR was met" level=error`:                                      false,
	`{"level":"error","ts":1681907699.66,"msg":"boom"}`:                                              true,
	`{"level":"info","msg":"no error"}`:                                                              false,
	`{"severity":"ERROR","message":"boom"}`:                                                          true,
	`{"time":"2026-01-02T03:04:05Z","level":"ERROR","msg":"boom"}`:                                   true,
	`{"log":"E1126 12:00:00.1 1 a.go:1] boom\n","stream":"stderr","time":"2026-01-02T03:04:05.6Z"}`:  true,
	`{"log":"I1126 12:00:00.1 1 a.go:1] well\n","stream":"stderr","time":"2026-01-02T03:04:05.6Z"}`:  false,
	`{"log":"{\"level\":\"error\",\"msg\":\"boom\"}\n","stream":"stderr","time":"2026-01-02T03:04"}`: true,
	"2026-01-02T03:04:05Z\tERROR\tsetup\tboom":                                                       true,
	"2026-01-02T03:04:05Z\tINFO\tsetup\tall is well":                                                 false,
	"2026-01-02T03:04:05.678901234Z stderr F E1126 12:00:00.1 1 a.go:1] boom":                        true,
	"2026-01-02 03:04:05.123 ERROR 1 --- [main] org.example.Shop : boom":                             true,
	"time=2026-01-02T03:04:05.000Z level=ERROR msg=boom":                                             true,
	`time="2026-01-02T03:04:05Z" level=error msg=boom`:                                               true,
	`time="2026-01-02T03:04:05Z" level=info msg="level=errorless"`:                                   false,
	"web-1  | panic: boom":                             true,
	"fatal error: all goroutines are asleep":           true,
	"Traceback (most recent call last):":               true,
	`Exception in thread "main" java.lang.Boom`:        true,
	"java.lang.IllegalStateException: boom":            true,
	"[2026-01-02 03:04:05] CRITICAL boom":              true,
	"error: boom":                                      true,
	"errors were counted, and there are none":          false,
	"everything is well, and no error was met by Boom": false,
	"": false,
}

func TestWhatIsAnError(t *testing.T) {
	rows := page(t)
	for line, want := range failures {
		_, saw, err := symptoms.Search(rows, strings.NewReader("first\n"+line+"\n"))
		require.NoError(t, err)
		if got := saw.Unexplained.Count == 1; got != want {
			t.Errorf("an error: %v, and should be %v: %s", got, want, line)
		}
	}
}

// TestErrorsThatNoRowExplains: a record is explained if one of its lines is, and by more than that it stands around
// something.
func TestErrorsThatNoRowExplains(t *testing.T) {
	log := `I1126 12:00:00.1 1 a.go:1] well
E1126 12:00:00.1 1 a.go:1] too old resource version: 17 (18)
E1126 12:00:00.1 1 a.go:1] "Sync failed" err="boom
	and more of it"
{"level":"error","msg":"Reconciler error","error":"boom"}
{"level":"error","msg":"Reconciler error","error":"http2: client connection lost"}
2026-01-02T03:04:05Z	ERROR	setup	it failed
sigs.k8s.io/x.y()
	caused by: http2: client connection lost
2026-01-02T03:04:05Z	ERROR	setup	it failed
panic: boom

goroutine 1 [running]:
main.main()
E1126 12:00:00.1 1 a.go:1] err="Failed to watch"
E1126 12:00:00.1 1 a.go:1] the last`
	found, saw, err := symptoms.Search(page(t), strings.NewReader(log))
	require.NoError(t, err)
	require.Equal(t, []int{3, 5, 10, 11, 16}, saw.Unexplained.Lines)
	require.Equal(t, 5, saw.Unexplained.Count)
	require.Contains(t, saw.Unexplained.First, `"Sync failed" err="boom`)
	var out bytes.Buffer
	symptoms.Print(&out, "a.log", found, saw, false)
	require.Contains(t, out.String(), "\nErrors that no row explains: lines 3, 5, 10, 11 and 16\n  the first E1126")
}

// TestUnexplainedIsBounded: of many errors the first few are kept.
func TestUnexplainedIsBounded(t *testing.T) {
	_, saw, err := symptoms.Search(page(t), strings.NewReader(strings.Repeat("ERROR boom\nI am fine\n", 50_000)))
	require.NoError(t, err)
	require.Equal(t, 50_000, saw.Unexplained.Count)
	require.Equal(t, []int{1, 3, 5, 7, 9, 11, 13, 15}, saw.Unexplained.Lines)
	var out bytes.Buffer
	symptoms.PrintUnexplained(&out, saw.Unexplained)
	require.Contains(t, out.String(), "lines 1, 3, 5, 7, 9, 11, 13, 15 and 49992 more\n  the first ERROR boom")
}

// TestRowsThatComeLast: what says why comes first, however often the others stand there; and what stands around a
// message names it.
func TestRowsThatComeLast(t *testing.T) {
	const conflict = `Operation cannot be fulfilled on pods \"a\": the object has been modified; please apply your ` +
		`changes to the latest version and try again`
	reconciler := func(err string) string {
		return fmt.Sprintf(`{"level":"error","msg":"Reconciler error","error":"%s"}`, err)
	}
	log := strings.Repeat(reconciler(conflict)+"\n", 9) + `failed to wait for web caches to sync kind source: *v1.Pod: ` +
		`timed out waiting for cache to be synced for kind source: *v1.Pod` + "\n" + reconciler("boom") + "\n" +
		`pods is forbidden: User "a" cannot list resource "pods" in API group ""`
	found, saw, err := symptoms.Search(page(t), strings.NewReader(log))
	require.NoError(t, err)
	for i, want := range []string{"`is forbidden: User", "`failed to wait for <name>", "`Operation cannot be",
		"`Operation cannot be", "`Reconciler error`"} {
		require.True(t, strings.HasPrefix(found[i].Row.Symptom, want), "%d: %s", i, found[i].Row.Symptom)
	}
	var out bytes.Buffer
	symptoms.Print(&out, "a.log", found, saw, false)
	require.Contains(t, out.String(), "  around    what is told by 3 and 4\n")

	found, saw, err = symptoms.Search(page(t), strings.NewReader(reconciler("boom")))
	require.NoError(t, err)
	require.Len(t, found, 1)
	out.Reset()
	symptoms.Print(&out, "a.log", found, saw, false)
	require.Contains(t, out.String(), "  around    nothing that has a row of its own: read the lines\n")
	require.Equal(t, []int{1}, saw.Unexplained.Lines)
}
