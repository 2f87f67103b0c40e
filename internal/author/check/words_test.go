package check

import "testing"

func TestWordsMachine(t *testing.T) {
	expect(t, wordsCheck, "-- a.go --\n// See /root/go/pkg.\n"+
		"// Not /home/you/go, not ./work/x, not https://x.example/root/y.\n"+
		"-- b.yaml --\nimage: ghcr.io/x\n-- go.sum --\nproxy.golang.org\n",
		`a.go:1: "/root/g" is a path`, `b.yaml:1: "ghcr.io/" is a registry's host`)
}

func TestWordsLeftover(t *testing.T) {
	expect(t, wordsCheck, "-- a.go --\npackage a // TODO: later\n\n// FIXME\n"+
		"-- chapters/01-raw-watch/exercises/1-x/exercise.go --\n// TODO: decode\n-- c.md --\nThe word TODO is fine.\n",
		"a.go:1: something is left", "a.go:3: something is left")
}

func TestWordsVoice(t *testing.T) {
	expect(t, wordsCheck, "-- docs/a.md --\n# Why does it fail?\n\nThe code §just§ works, justly.\n\nIt just works.\n\n"+
		"'''sh\necho simply!\n'''\n\nLet's see.\n\nDone!\n",
		"docs/a.md:1: a question as a heading", `docs/a.md:5: "just" is not said here`,
		`docs/a.md:11: "let's" is not said here`, `docs/a.md:13: "!"`)
}
