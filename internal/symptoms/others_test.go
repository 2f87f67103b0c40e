package symptoms_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

// others are what a log may have for the placeholders, by set and name.
var others = map[string]map[string]string{
	"as in the book": {
		"name": "web", "kind": "Process", "resource": "processes.scratch.example.com", "singular": "pod",
		"group": "scratch.example.com", "version": "scratch.example.com/v1alpha1", "type": "*v1alpha1.Process",
		"field": "spec.command", "address": "127.0.0.1:6443", "number": "284", "duration": "1m3.4s",
		"uid": "0a4e6a50-3f3c-4b53-8a49-6f1c6d0f7b11", "user": "nobody", "file": "web.yaml", "…": "what follows",
	},
	"others": {
		"name": "team-a/api-7c9d", "kind": "Gadget.acme.io", "resource": "gadgets.acme.io",
		"singular": "gadget.acme.io", "group": "acme.io", "version": "acme.io/v1beta2",
		"type": "*unstructured.Unstructured", "field": "spec.template.spec.containers[0].image",
		"address": "[fd00::17]:443", "number": "9912345", "duration": "250µs", "uid": "7b",
		"user": "system:serviceaccount:a:b", "file": "/opt/a/b.json", "…": "\"a\", [b]: {c: 4}",
	},
	"a core group": {
		"name": "a.b.example.net", "kind": "PodTemplate", "resource": "pods/status", "singular": "secret",
		"group": "", "version": "v1",
		"type":  "source.TypedKind[sigs.k8s.io/controller-runtime/pkg/client.Object,int]",
		"field": ".metadata.labels[a.b/c]", "address": "::1", "number": "-3", "duration": "0s", "uid": "6a-7",
		"user": "kube:admin@example.net", "file": "a", "…": "",
	},
	"no plural": {
		"name": "ns_1/X.y", "kind": "Sheep", "resource": "sheep.farm.example.net/scale", "singular": "api-7",
		"group": "farm.example.net", "version": "farm.example.net/v2", "type": "map[string]interface {}",
		"field": `.spec.ports[containerPort=80,protocol="TCP"]`, "address": "api.example.net",
		"number": "0x102e3c0", "duration": "17h26m0.5s", "uid": "6A", "user": "jane",
		"file": "pkg/runtime/scheme.go:111", "…": "x",
	},
}

// TestEachMessageFindsItsRow: a log in which a message of the page stands, with other names in it than in any example,
// leads to its row first, or to another one with that message. It may stand in a JSON string, and in one in another.
func TestEachMessageFindsItsRow(t *testing.T) {
	rows := page(t)
	require.ElementsMatch(t, append(symptoms.Placeholders(), "…"), slices.Collect(maps.Keys(others["others"])))
	messages := 0
	for _, row := range rows {
		for _, m := range row.Messages {
			messages++
			for set, names := range others {
				example := exampleOf(m, names)
				logs := []string{example}
				if set == "others" {
					logs = append(logs, inJSON(example), inJSON(inJSON(example)))
				}
				for _, log := range logs {
					leadsTo(t, rows, row, m, set, "a line before\n"+log+"\na line after\n")
				}
			}
		}
	}
	require.Greater(t, messages, 250)
}

// exampleOf is a log with the message and these names.
func exampleOf(m *symptoms.Message, names map[string]string) string {
	return m.Example(func(placeholder string) string {
		if strings.Contains(m.Text, `"…"`) {
			return strings.ReplaceAll(names[placeholder], `"`, "") // the placeholder ends at a quote
		}
		return names[placeholder]
	})
}

// inJSON is each line as a string of JSON.
func inJSON(log string) string {
	var out []string
	for _, line := range strings.Split(log, "\n") {
		quoted, _ := json.Marshal(line)
		out = append(out, fmt.Sprintf(`{"level":"info","msg":%s}`, quoted))
	}
	return strings.Join(out, "\n")
}

func leadsTo(t *testing.T, rows []symptoms.Row, row symptoms.Row, m *symptoms.Message, how, log string) {
	t.Helper()
	found := search(t, rows, log)
	if len(found) == 0 {
		t.Errorf("%s:%d: %s, %s: not found in: %s", symptoms.File, row.Line, m.Text, how, log)
		return
	}
	if f := found[0]; f.Row.Line != row.Line && row.Last == symptoms.First && !f.Messages[0].Same(m) {
		t.Errorf("%s:%d: %s, %s, finds line %d first: %s in: %s", symptoms.File, row.Line, m.Text, how, f.Row.Line,
			f.Messages[0].Text, log)
	}
}

// breaking are ways in which a message comes to stand on several lines: what stands before it, at the end of a line, at
// the beginning of the next, and behind it.
var breaking = map[string]struct{ head, end, next, last string }{
	"a terminal": {"E1124 00:01:02.100000       1 a.go:1] err=", "\n", "", ""},
	"a stack":    {"Caused by: ", "\n", "\t", ""},
	"indented":   {"2026-01-02T03:04:05Z\tERROR\tfailed: ", "\n", "    ", ""},
	"docker": {`{"log":"E1124 00:01:02.1 1 a.go:1] `, `\n","stream":"stderr","time":"2026-01-02T03:04:05.6Z"}` + "\n",
		`{"log":"`, `","stream":"stderr","time":"2026-01-02T03:04:05.6Z"}`},
	"containerd": {"2026-01-02T03:04:05.678901234Z stderr P ", "\n", "2026-01-02T03:04:05.678901235Z stderr F ", ""},
	"compose":    {"web-1  | ERROR ", "\n", "web-1  | ", ""},
	"a table":    {"11-1-2025 09:12:16.086\t\tW0111 08:12:16.084350 1 a.go:2] ", "\n", "11-1-2025 09:12:16.086\t\t", ""},
}

// TestAMessageBrokenOverLines: a message is found wherever it is broken, once or twice.
func TestAMessageBrokenOverLines(t *testing.T) {
	rows := page(t)
	random := rand.New(rand.NewPCG(3, 4))
	ways := slices.Sorted(maps.Keys(breaking))
	tried := 0
	for _, row := range rows {
		for _, m := range row.Messages {
			example := exampleOf(m, others["others"])
			if !m.OneLine() || len(example) < 20 {
				continue
			}
			for range 2 {
				tried++
				name := ways[random.IntN(len(ways))]
				way := breaking[name]
				at := []int{1 + random.IntN(len(example)-2), 1 + random.IntN(len(example)-2)}
				lines := breaks(example, at[:1+random.IntN(2)])
				if slices.ContainsFunc(lines[1:], level.MatchString) {
					continue // INTERNAL_ERROR: what begins so is another record
				}
				if name == "docker" {
					for i := range lines {
						lines[i] = strings.ReplaceAll(lines[i], `"`, `\"`)
					}
				}
				log := way.head + strings.Join(lines, way.end+way.next) + way.last
				leadsTo(t, rows, row, m, name, log+"\nE1124 00:01:02.1 1 b.go:1] end\n")
			}
		}
	}
	require.Greater(t, tried, 300)
}

// TestWhereABrokenMessageBegins: the lines that are told, and the text that is shown, begin with the message.
func TestWhereABrokenMessageBegins(t *testing.T) {
	found := search(t, page(t), "E1124 00:01:02.1 1 a.go:1] first\nE1124 00:01:02.1 1 a.go:1] http2: server\n  sent GOAWAY\n"+
		"and closed the connection\nE1124 00:01:02.1 1 a.go:1] last\n")
	require.Equal(t, []int{2}, found[0].Messages[0].Lines)
	require.Contains(t, found[0].Messages[0].First, "http2: server\nsent GOAWAY\nand closed the connection")
}

var level = regexp.MustCompile(`^(?i:error|warning|info)\b`)

// breaks breaks a text at these bytes. A space there is lost.
func breaks(text string, at []int) []string {
	slices.Sort(at)
	var lines []string
	for i := len(at) - 1; i >= 0; i-- {
		if at[i] >= len(text) || !utf8.RuneStart(text[at[i]]) {
			continue
		}
		lines = append([]string{strings.TrimSpace(text[at[i]:])}, lines...)
		text = text[:at[i]]
	}
	return append([]string{strings.TrimRight(text, " ")}, lines...)
}
