package informertest

import (
	"context"
	"embed"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/runtime"
)

// The guarantees, with a script for each: see the comments in start.txt.
//
//go:embed sentences/*.txt
var texts embed.FS

var sentences = read("start", "late", "order", "store", "synced", "remove", "relist", "resync", "settings", "end")

// sentence is a guarantee, and a script that shows it.
type sentence struct {
	says  string
	setup setup
	lines []string
}

// setup is what an informer and its collection begin with: phrases with commas between them.
type setup []string

func (s setup) has(phrase string) bool { return s.value(phrase) != "" }

// value is the last word of the phrase that begins so, or "".
func (s setup) value(begins string) (value string) {
	for _, phrase := range s {
		if strings.HasPrefix(phrase, begins) {
			value = phrase[strings.LastIndex(phrase, " ")+1:]
		}
	}
	return value
}

// read reads the sentences of these files.
func read(names ...string) (all []sentence) {
	for _, name := range names {
		text, err := texts.ReadFile("sentences/" + name + ".txt")
		if err != nil {
			panic(err)
		}
		for _, part := range strings.Split(string(text), "\n== ")[1:] {
			lines := strings.Split(strings.TrimSpace(part), "\n")
			s := sentence{says: lines[0], lines: lines[1:]}
			if with, ok := strings.CutPrefix(lines[1], "with "); ok {
				s.setup, s.lines = strings.Split(with, ", "), lines[2:]
			}
			all = append(all, s)
		}
	}
	return all
}

// play does what the script says, and ends what is left.
func (s sentence) play(t *testing.T, newInformer New, server string) {
	if s.setup.has("panics") {
		defer func(crash bool, handlers []func(context.Context, any)) {
			runtime.ReallyCrash, runtime.PanicHandlers = crash, handlers
		}(runtime.ReallyCrash, runtime.PanicHandlers)
		runtime.ReallyCrash, runtime.PanicHandlers = false, nil
	}
	r := newRig(newInformer, append(setup{server}, s.setup...))
	defer r.end()
	for _, line := range s.lines {
		operation, want, _ := strings.Cut(line, ":")
		want = strings.TrimSpace(want)
		if got := r.do(operation); got != want {
			t.Errorf("%s, where the server %s\nexpected %s\nhappened %s", operation, server, want, got)
			return
		}
	}
}
