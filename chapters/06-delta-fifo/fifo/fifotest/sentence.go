package fifotest

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// The guarantees, with a script for each: see the comments there.
var (
	//go:embed sentences/queue.txt
	inQueue string
	//go:embed sentences/delta.txt
	inDelta string
	//go:embed sentences/real.txt
	inReal string
)

// holds plays each script of a text with a queue of its own, made as this setup and the script say.
func (f queueFunc) holds(t *testing.T, text string, s setup, replaced string) {
	text = strings.ReplaceAll(text, "REPLACED", replaced)
	for _, sentence := range strings.Split(text, "\n== ")[1:] {
		says, script, _ := strings.Cut(strings.TrimSpace(sentence), "\n")
		t.Run(strings.TrimSpace(says+" "+string(s)), func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) { f.play(t, s, strings.Split(script, "\n")) })
		})
	}
}

// play closes the queue in the end: a Pop may still wait.
func (f queueFunc) play(t *testing.T, s setup, script []string) {
	if options, ok := strings.CutPrefix(script[0], "with "); ok {
		s += setup(" " + options)
		script = script[1:]
	}
	r := f.rig(s)
	defer r.end()
	for _, line := range script {
		operation, want, _ := strings.Cut(line, ":")
		if got := r.do(operation); got != strings.TrimSpace(want) {
			t.Errorf("%s\nexpected %s\nhappened %s", operation, strings.TrimSpace(want), got)
			return
		}
	}
}
