package main

import (
	"os/exec"
	"strings"
	"testing"
)

// A path that is printed for a shell is one word for it, and nothing for the terminal to obey.
func TestQuote(t *testing.T) {
	for _, path := range []string{"/a/b", "/a b", "/it's", "/es\x1b[2Jcape", "/line\nbreak", "/ü", "/back\\slash\x07"} {
		word := quote(path)
		if strings.ContainsAny(word, "\x1b\n\x07") {
			t.Errorf("%q is printed raw: %q", path, word)
		}
		out, err := exec.Command("bash", "-c", "printf %s "+word).Output()
		if err != nil || string(out) != path {
			t.Errorf("for a shell %q is %q, %v", path, out, err)
		}
	}
}
