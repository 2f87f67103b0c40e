package symptoms_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

// page is the book's own table.
func page(t *testing.T) []symptoms.Row {
	t.Helper()
	rows, err := parsed()
	require.NoError(t, err)
	require.Greater(t, len(rows), 100)
	return rows
}

var parsed = sync.OnceValues(func() ([]symptoms.Row, error) {
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(symptoms.File)))
	if err != nil {
		return nil, err
	}
	return symptoms.Parse(string(text))
})

func search(t *testing.T, rows []symptoms.Row, log string) []symptoms.Found {
	t.Helper()
	found, _, err := symptoms.Search(rows, strings.NewReader(log))
	require.NoError(t, err)
	return found
}

// as is a log's line, and the beginning of the message that it leads to first; "" for none.
var as = []struct{ line, leads string }{
	{`W1124 00:01:02.1 1 reflector.go:556] watch of *v1.Pod ended with: too old resource version: 99123 (100442)`,
		"`too old resource version"},
	{`{"msg":"Reconciler error","error":"Operation cannot be fulfilled on deployments.apps \"web\": the object has ` +
		`been modified; please apply your changes to the latest version and try again"}`, "`Operation cannot be"},
	{`{"log":"{\"error\":\"configmaps \\\"a/b\\\" already exists\"}\n","stream":"stderr"}`,
		"`<resource> \"<name>\" already"},
	{`err="Post \"https://10.0.0.1:443/\": dial tcp [::1]:443: connect: connection refused"`, "`dial tcp"},
	{`tls: failed to verify certificate: x509: certificate is valid for 10.96.0.1, 172.18.0.2, not 192.168.1.7`,
		"`x509: certificate is valid"},
	{`panic: interface conversion: interface {} is *v1.Pod, not *v1beta1.Node`, "`interface conversion"},
	{`Waited for 1m2.5s due to client-side throttling, not priority and fairness, request: GET`,
		"*older:* `Waited for"},
	{"\x1b[31mhttp2: client \x1b[0mconnection lost", "`http2: client connection lost`"},
	{`Trace[12]: "DeltaFIFO Pop Process" ID:a/b,Depth:11,Reason:slow event handlers blocking the queue`,
		"`Trace` with"},
	{`Trace[12]: "Create" url:/api`, ""},
	{`the UID in the precondition (6a) does not match the UID in record (7b). The object might have been deleted and ` +
		`then recreated`, "`the UID in"},
	{`"HTTP" verb="GET" URI="/api" resp=429`, "`429`"},
	{`I1124 00:01:02.1 429 reflector.go:429] 429 objects`, ""},
	{`certificateExpired unExpired Expiredness`, ""},
	{`rewatch closedness`, ""},
	{`I1124 00:01:02.1 1 reflector.go:1093] "Watch close" reflector="x" type="*v1.Pod" totalItems=18`,
		"`Watch close` with"},
	{`reflector.go:357] informers_map.go:126: Watch close - *v1.Secret total 0 items received`,
		"*older:* `Watch close"},
	{`"Failed to watch" err="failed to list *v1.Pod: pods is forbidden: User \"a:b\" cannot list resource \"pods\" in ` +
		`API group \"\" at the cluster scope"`, "`is forbidden: User"},
	{`Failed to list *v1.Pod: pods is forbidden: User "a:b" cannot list pods at the cluster scope`,
		"`is forbidden: User"},
	{`err="client rate limiter Wait returned an error: context canceled"`, "`client rate limiter"},
	{`conflict: the object has been modified; please apply your changes to the latest version and try again`,
		"`the object has been modified"},
	{`too old resource version: 442 (injected fault)`, "`too old resource version`"},
	{`Index with name field:metadata.name does not exist`, "`Index with name field:<field>"},
	{`panic: runtime error: invalid memory address or nil pointer dereference`, ""},
	{`workqueue_depth{name="x"} 0`, ""},
	{`goroutine 12 [chan receive]:`, ""},
	{"Waiting for caches to sync\nWaiting for caches to sync\nCaches are synced", "`Waiting for caches"},
	{"Waiting for caches to sync\nCaches are synced", ""},
	{`"Waiting" for="my-caches"`, "`\"Waiting\" for=`"},
	{`"Going on" for="my-caches"`, ""},
	// Which NotFound it is, its name says: the API server's is plural, a lister's is not, and a cache has the kind.
	{`E1126 11:14:36.5 1 c.go:2] "Error syncing" err="gadgets.acme.io \"api\" not found"`,
		"`<resource> \"<name>\" not found`"},
	{`deployment.apps "my-deployment" not found`, "`<singular> \"<name>\" not found`"},
	{`{"error":"Gadget.acme.io \"api\" not found"}`, "`<kind> \"<name>\" not found`"},
	{`{"error":"ConfigMap \"menu\" not found"}`, "`<kind> \"<name>\" not found`"},
	{`template: page.html "x" is not found`, ""},
	{`11-1-2025 09:12:16.086,"err=pods ""web"" already exists"`, "`<resource> \"<name>\" already"}, // CSV
	{`error: resource mapping not found for name: "web" namespace: "" from "my file.yaml": no matches`,
		"kubectl: `resource mapping"},
}

func TestLogsAsTheyAre(t *testing.T) {
	rows := page(t)
	for _, c := range as {
		found := search(t, rows, c.line)
		switch {
		case c.leads == "" && len(found) > 0:
			t.Errorf("%s leads to %s", c.line, found[0].Messages[0].Text)
		case c.leads != "" && (len(found) == 0 || !strings.HasPrefix(found[0].Messages[0].Text, c.leads)):
			t.Errorf("%s does not lead to %s: %+v", c.line, c.leads, found)
		}
	}
}

const table = `
## Of a test

| what the log says | what happened | where |
|---|---|---|
| ` + "`Gone` · `watch of pods was lost`" + ` | A. | [01](../chapters/01-raw-watch/README.md) |
| ` + "`Failed to watch` with `cannot list`" + ` | B. | the same |
| ` + "`Failed to watch` without `cannot list`" + ` | The same, otherwise. | ` + "`go run ./chapters/05-reflector`" + ` |
| a program hangs; in the stack ` + "`one.Run` and `two.Stop`" + ` | D. | the same |
| ` + "`watch of pods`" + ` | E \| F. | the same |
| nothing at all | G. | the same |
`

func TestConditions(t *testing.T) {
	rows, err := symptoms.Parse(table)
	require.NoError(t, err)
	require.Equal(t, "../chapters/01-raw-watch/README.md", rows[1].Where[5:len(rows[1].Where)-1])
	require.Equal(t, "The same, otherwise. (The row above it: B.)", rows[2].Happened)
	require.Equal(t, "E | F.", rows[4].Happened)
	for log, leads := range map[string]string{
		"Failed to watch: cannot list":             "B.",
		"Failed to watch\n err: cannot list\n":     "B.",
		"Failed to watch: refused":                 "The same",
		"Failed to watch\n err: refused\nx\n":      "The same",
		"one.Run\n":                                "",
		"one.Run\nx\ntwo.Stop\n":                   "D.",
		"watch of pods was lost":                   "A.", // and not E: it is a part of it
		"Gone\n" + strings.Repeat("two.Stop\n", 9): "A.",
	} {
		found := search(t, rows, log)
		if leads == "" {
			require.Empty(t, found, log)
			continue
		}
		require.Len(t, found, 1, log)
		require.Contains(t, found[0].Row.Happened, leads, log)
	}
}

// TestWhatIsPrintedSo: what only looks like an example.
func TestWhatIsPrintedSo(t *testing.T) {
	for _, text := range []string{
		"<nil>: Invalid value: null", "[<name>] <defunct>", "0 length Deltas object", "410 Gone",
		"http2: client", "x509: certificate", `"Failed to watch" err=`, `"Waiting" for=`,
		"invalid object, Code: 4, Key: <name>", `an error on the server ("unable to`,
		"net/http: HTTP/1.x transport",
	} {
		rows, err := symptoms.Parse(strings.Replace(table, "`Gone`", "`"+text+"`", 1))
		require.NoError(t, err, text)
		require.NotEmpty(t, search(t, rows, strings.ReplaceAll(text, "<name>", "git")), text)
	}
}

// TestEachPlaceholderIsExplained on the page, and nothing in angle brackets that is none.
func TestEachPlaceholderIsExplained(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(symptoms.File)))
	require.NoError(t, err)
	head, _, _ := strings.Cut(string(text), "\n## ")
	for _, name := range append(symptoms.Placeholders(), "nil") {
		require.Contains(t, head, "`<"+name+">`")
	}
	require.Equal(t, len(symptoms.Placeholders())+1, strings.Count(head, "`<"))
}

// TestTheTellingOneIsFirst: a word that stands everywhere does not outrank a sentence that stands once.
func TestTheTellingOneIsFirst(t *testing.T) {
	found := search(t, page(t), strings.Repeat("Expired\nwatch closed\n410 Gone\n", 1000)+
		"too old resource version: 1 (2)\nhttp2: server sent GOAWAY and closed the connection\n")
	require.Contains(t, found[0].Messages[0].Text, "http2: server sent GOAWAY")
	require.Contains(t, found[1].Messages[0].Text, "too old resource version")
	require.Equal(t, 1, found[1].Messages[0].Count)
	require.Equal(t, []int{3001}, found[1].Messages[0].Lines)
}

// TestLinesOfAnyLength: a message is found behind a megabyte of a line, and across the windows that it is read in.
func TestLinesOfAnyLength(t *testing.T) {
	rows := page(t)
	const message = "http2: server sent GOAWAY and closed the connection"
	for _, before := range []int{70_000, 1<<20 - 30, 1<<20 + 100, 5<<20 - 7} {
		found, saw, err := symptoms.Search(rows, strings.NewReader(
			"first\n"+strings.Repeat("x", before)+" "+message+" "+strings.Repeat("y", 2<<20)+" "+message+"\nlast\n"))
		require.NoError(t, err)
		require.Equal(t, 3, saw.Lines)
		require.Len(t, found, 1, before)
		require.Equal(t, 1, found[0].Messages[0].Count)
		require.Equal(t, []int{2}, found[0].Messages[0].Lines)
	}
}

func TestWhatIsNoLog(t *testing.T) {
	rows := page(t)
	for name, log := range map[string]string{"compressed": "\x1f\x8b\x08", "UTF-16": "\xff\xfex\x00"} {
		_, _, err := symptoms.Search(rows, strings.NewReader(log))
		require.ErrorIs(t, err, symptoms.ErrUnreadable)
		require.ErrorContains(t, err, name)
	}
	noise := make([]byte, 4<<20)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	noise[0] = 'x'
	_, saw, err := symptoms.Search(rows, bytes.NewReader(noise))
	require.NoError(t, err)
	require.True(t, saw.Nuls)
	_, _, err = symptoms.Search(rows, broken{})
	require.ErrorIs(t, err, errBroken)
}

var errBroken = errors.New("the disk is gone")

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errBroken }

func TestWordsFindRows(t *testing.T) {
	rows := page(t)
	matches, all := symptoms.ByWords(rows, "Everything is handled TWICE")
	require.True(t, all)
	require.Equal(t, "everything is handled twice", matches[0].Row.Symptom)
	matches, all = symptoms.ByWords(rows, "handler tombstone zebra")
	require.False(t, all)
	require.NotEmpty(t, matches)
	matches, _ = symptoms.ByWords(rows, "zebra")
	require.Empty(t, matches)
	matches, _ = symptoms.ByWords(rows, "?!")
	require.Empty(t, matches)
}

// TestFits: nothing is wider than the page, and a log can't write to the terminal.
func TestFits(t *testing.T) {
	rows := page(t)
	var log strings.Builder
	for _, row := range rows {
		for _, m := range row.Messages {
			example := m.Example(func(p string) string { return others["others"][p] })
			fmt.Fprintf(&log, "\x1b[2J\u202e\a ERROR %s %s\n", example, strings.Repeat("long", 100))
		}
	}
	for _, all := range []bool{false, true} {
		var out bytes.Buffer
		found, saw, err := symptoms.Search(rows, strings.NewReader(log.String()+"ERROR \x1b[2J\u202e\a what\n"))
		require.NoError(t, err)
		symptoms.Print(&out, "a\x1b[2Jb.log", found, saw, all)
		matches, every := symptoms.ByWords(rows, "watch")
		symptoms.PrintWords(&out, matches, every, all)
		require.False(t, strings.ContainsAny(out.String(), "\x1b\a\u202e"))
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
				t.Errorf("%d columns: %s", n, line)
			}
			require.NotContains(t, line, "../chapters")
		}
	}
}

// TestARareWordWeighsMore: what stands in every symptom says less than what stands in one explanation.
func TestARareWordWeighsMore(t *testing.T) {
	page := "| a | b | c |\n|---|---|---|\n" + strings.Repeat("| an informer hangs | It waits. | [x](y) |\n", 9) +
		"| nothing comes | A quorum is lost. | [x](y) |\n"
	rows, err := symptoms.Parse(page)
	require.NoError(t, err)
	matches, every := symptoms.ByWords(rows, "informer quorum")
	require.False(t, every)
	require.Equal(t, "nothing comes", matches[0].Row.Symptom)
	matches, every = symptoms.ByWords(rows, "informers hang")
	require.True(t, every)
	require.Len(t, matches, 9)
}

func TestNamesOfNoRow(t *testing.T) {
	for line, says := range map[string]string{
		"- a loop, no row":             "says not of which rows",
		"- a loop: nothing like this":  `no row begins with "nothing like this"`,
		"- a loop: nothing · whatever": `no row begins with "whatever"`,
	} {
		rows, err := symptoms.Parse(table + "\n## What people call it\n\n- a circle: nothing at all\n" + line + "\n")
		require.ErrorContains(t, err, says)
		require.Len(t, rows, 6)
		matches, every := symptoms.ByWords(rows, "circles")
		require.True(t, every)
		require.Equal(t, "nothing at all", matches[0].Row.Symptom)
	}
}

func TestPagesThatAreNoTable(t *testing.T) {
	head := "| a | b | c |\n|---|---|---|\n"
	for text, says := range map[string]string{
		"":                                                       "no row of a table",
		head + "| `x` y | z |":                                   "the row has 2 cells",
		head + "| `a message` | | d |":                           "the cell \"what happened\" is empty",
		head + "| `open | b | `go run` |":                        "odd number of backticks",
		head + "| a | b | c |":                                   "neither a link nor a command",
		head + "| a | The same. | [x](y) |":                      "the same as what",
		head + "| `… \"…\" …` | b | [x](y) |":                    "nothing in",
		head + "| `no <thing> here` | b | [x](y) |":              "<thing> in `no <thing> here` is no placeholder; these are: <address>",
		head + "| `failed for \"web\"` | b | [x](y) |":           "\"web\" in `failed for \"web\"` is a quoted name",
		head + "| `is *v1.Pod, not that` | b | [x](y) |":         "is a Go type, and stands there",
		head + "| `kind apps/v1 is gone` | b | [x](y) |":         "is a version",
		head + "| `dial tcp [::1]:443` | b | [x](y) |":           "is an address",
		head + "| `Post https://a.b: EOF` | b | [x](y) |":        "is an address",
		head + "| `waited for 1.5s` | b | [x](y) |":              "is a duration",
		head + "| `waited for 1m3s` | b | [x](y) |":              "is a duration",
		head + "| `restarted 17 times` | b | [x](y) |":           "is a number",
		head + "| `no ConfigMap there` | b | [x](y) |":           "a word of the book's examples",
		head + "| `a.example.com is it` | b | [x](y) |":          "a word of the book's examples",
		head + "| `one thing` in a `other thing` | b | [x](y) |": "the words \"in a\" before `other thing`",
		head + "| `one thing` and `other thing` | b | [x](y) |":  "the words \"and\" before",
	} {
		rows, err := symptoms.Parse(text)
		require.ErrorContains(t, err, says, text)
		require.Empty(t, rows)
	}
}
