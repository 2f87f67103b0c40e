package workqueuetest

import (
	"embed"
	"fmt"
	"strings"
)

// The guarantees, with a script for each: see the comments in workers.txt.
//
//go:embed sentences/*.txt
var texts embed.FS

var sentences = read("workers", "later", "end")

// sentence is a guarantee, and a script that shows it.
type sentence struct {
	says  string
	lines []string
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
			all = append(all, sentence{says: lines[0], lines: lines[1:]})
		}
	}
	return all
}

// play does what the script says, ends what is left, and returns what was otherwise than it should be, or "".
func (s sentence) play(newQueue New) (wrong string) {
	r := NewRig(newQueue(&seconds{failures: map[string]int{}}))
	defer r.End()
	for _, line := range s.lines {
		operation, want, _ := strings.Cut(line, ":")
		want = strings.TrimSpace(want)
		if got := r.Do(operation); got != want {
			return fmt.Sprintf("%s\nexpected %s\nhappened %s", operation, describe(want), describe(got))
		}
	}
	return ""
}

func describe(came string) string {
	if came == "" {
		return "nothing"
	}
	return came
}
